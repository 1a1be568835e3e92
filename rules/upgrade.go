package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/upgrade"
)

// forecast is what newer versions of dsh make of a log of an older format.
type forecast struct {
	pass     *pass
	size     int64                     // of the log, in bytes
	results  map[int64]*upgrade.Result // by the format of the version
	findings map[hindrance]*Finding
}

// hindrance is what keeps an upgrade from going on. Versions word it differently.
type hindrance struct {
	rule *Rule
	row  int64 // seq of the event, -1 for none
}

func newForecast(p *pass, size int64) *forecast {
	return &forecast{pass: p, size: size, results: map[int64]*upgrade.Result{}, findings: map[hindrance]*Finding{}}
}

// reading returns what a version of a newer format than that of the log makes of
// it, and reports why it does not take it over as it is.
func (f *forecast) reading(v *scan.ReaderVersion) (*scan.Reading, error) {
	p := f.pass
	r := &scan.Reading{Header: p.reading.Header, Generation: v.Generation}
	if p.reading.Unread {
		r.Unread, r.Verdict = true, scan.Unreadable
		return r, nil
	}
	result := f.results[v.Generation]
	if result == nil {
		var err error
		if result, err = f.migrate(v.Generation); err != nil {
			return nil, err
		}
		f.results[v.Generation] = result
	}
	f.fill(r, result)
	if !p.noLog() && p.projection == nil {
		f.report(v, result, r)
	}
	return r, nil
}

func (f *forecast) migrate(to int64) (*upgrade.Result, error) {
	p := f.pass
	opt := upgrade.Options{Encoding: p.encodingByName(), MaxLine: p.opt.MaxLine, All: true}
	if to == int64(upgrade.Latest) && p.opt.Children != nil && p.header != nil {
		opt.Children = p.opt.Children(p.header.ID)
	}
	f.reportChildren(opt.Children)
	return upgrade.Run(p.src, f.size, int(p.generation), int(to), opt)
}

// fill completes the reading of a migrated log.
func (f *forecast) fill(r *scan.Reading, result *upgrade.Result) {
	if refusal := result.Refusal(); refusal != nil {
		r.Scan.Refusal = &refusal.Refusal
	} else {
		r.Scan = scan.ScanResult{Events: result.Events, Digest: result.Digest, Committed: f.size}
		r.Dropped, r.Closers = f.dropped(result), result.Closers
		r.Load.Events = result.Events + int64(len(result.Closers))
		if result.Stored != nil {
			r.Load.Refusal = &result.Stored.Refusal
		}
	}
	r.Verdict = f.verdict(r, result)
}

// dropped counts the complete events that the migrated log lacks.
func (f *forecast) dropped(result *upgrade.Result) int64 {
	if result.DroppedRows == 0 {
		return result.DroppedEvents
	}
	return result.DroppedEvents + f.pass.buried
}

// verdict sums up a reading. A log is damaged when its own generation says so, or
// when it is not the edges that refuse it.
func (f *forecast) verdict(r *scan.Reading, result *upgrade.Result) scan.Verdict {
	own := f.pass.reading
	switch first := result.Refusal(); {
	case own.Verdict == scan.Unreadable:
		return scan.Unreadable
	case first != nil && (own.Verdict == scan.Damaged || f.damaged(first)):
		return scan.Damaged
	case r.Refusal() != nil:
		return scan.Incompatible
	case r.Dropped > 0, f.pass.container.Hidden.Found:
		return scan.Loses
	case result.Torn, len(r.Closers) > 0:
		return scan.Recovers
	}
	return scan.Opens
}

// damaged reports whether a refusal is for bytes or an order that the log's own
// generation only tolerates.
func (f *forecast) damaged(r *upgrade.Refusal) bool {
	return r.From == upgrade.Source && f.pass.reading.Verdict == scan.Loses
}

// report makes the findings about a migration.
func (f *forecast) report(v *scan.ReaderVersion, result *upgrade.Result, r *scan.Reading) {
	for _, refusal := range result.Refusals {
		f.refused(v, refusal)
	}
	if result.Stored != nil {
		f.refused(v, result.Stored)
	}
	if r.Verdict == scan.Loses {
		f.loses(v, result, r)
	}
}

// rawLog is the path of another log in the words of dsh, which is too long for a
// message.
var rawLog = regexp.MustCompile(` \(raw log: .*\)`)

// refused reports a refusal, unless the log's own generation has the same to say
// about the file.
func (f *forecast) refused(v *scan.ReaderVersion, refusal *upgrade.Refusal) {
	p := f.pass
	if refusal.From == upgrade.Source && p.reading.Refusal() != nil {
		return
	}
	h := hindrance{ruleOfRefusal(refusal), refusal.Row}
	found := f.findings[h]
	if found == nil {
		words := rawLog.ReplaceAllString(refusal.Detail, "")
		found = f.keep(h, refusal.Place, fmt.Sprintf("stops an upgrade from v%d: %s", p.generation, words))
		if refusal.Row >= 0 {
			found.Seq = &refusal.Row
		}
		if refusal.Turn > 0 {
			found.Turn = &refusal.Turn
		}
		if f.damaged(refusal) {
			found.Class = Damaged
		}
	}
	found.answer(v.ShortName(), refusal.Text)
}

// keep makes the finding about a hindrance.
func (f *forecast) keep(h hindrance, place scan.Place, message string) *Finding {
	f.pass.rule = h.rule
	f.findings[h] = f.pass.reportAt(place, "%s", message)
	return f.findings[h]
}

// answer adds the words of a version to a finding. Versions of one format have the
// same.
func (f *Finding) answer(version, text string) {
	i := slices.IndexFunc(f.Answers, func(a Answer) bool { return a.Text == text })
	if i < 0 {
		f.Answers = append(f.Answers, Answer{Text: text})
		i = len(f.Answers) - 1
	}
	if !slices.Contains(f.Answers[i].Versions, version) {
		f.Answers[i].Versions = append(f.Answers[i].Versions, version)
	}
}

// ruleOfRefusal returns the rule about a refusal: the first in the catalogue that
// claims its words.
func ruleOfRefusal(r *upgrade.Refusal) *Rule {
	if r.From == upgrade.Source {
		return UpgradeRefused
	}
	i := slices.IndexFunc(catalogue, func(rule *Rule) bool {
		return slices.ContainsFunc(rule.refusals, func(words string) bool { return strings.Contains(r.Text, words) })
	})
	if i < 0 {
		return UpgradeRefused
	}
	return catalogue[i]
}
