package report

import (
	"cmp"
	"iter"
	"path/filepath"
	"strings"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// annotation is one thing to say about a file, in the formats of services that
// know no more than a place, a severity and a text.
type annotation struct {
	rule     *rules.Rule // nil for what no rule is about
	severity rules.Severity
	path     string // any bytes
	line     int    // from 1; 0 for the whole file
	unread   bool   // the file could not be read
	// text and details are lines of valid UTF-8 without control characters.
	text        string
	details     []string
	fingerprint string
}

// title returns the rule by id and name.
func (a *annotation) title() string {
	if a.rule == nil {
		return "turnlint"
	}
	return a.rule.ID + " " + a.rule.Name
}

// place returns the path, with the line if there is one.
func (a *annotation) place() string {
	return place(escape.Line(a.path), scan.Place{Line: a.line})
}

// slashed returns a path as services write those of files in a repository.
func slashed(path string) string { return escape.Line(filepath.ToSlash(filepath.Clean(path))) }

// annotate returns all there is to say about a file.
func annotate(f *File) []annotation {
	if f.Result == nil {
		return []annotation{unreadInput(f)}
	}
	prints := fileFingerprints(f)
	var all []annotation
	for finding, known := range freshAndKnown(f.Result.Findings, f.Known) {
		all = append(all, newAnnotation(f.Path, finding, known, prints))
	}
	if f.Aside.Excluded != "" || f.Result.Projection {
		return all
	}
	for i := range f.Readings {
		if r := &f.Readings[i]; r.Unfound {
			all = append(all, failedReading(f, r))
		}
	}
	return all
}

func unreadInput(f *File) annotation {
	return annotation{
		severity: rules.Error, path: f.Path, unread: true, text: "could not be read: " + escape.Line(f.Problem),
		fingerprint: digest("unread", f.Path),
	}
}

func failedReading(f *File, r *Reading) annotation {
	result := *f.Result
	result.Reading, result.StoreRefuses = r.Reading, r.StoreRefuses
	return annotation{
		severity: rules.Error, path: f.Path, text: verdictInWords(nil, "dsh "+r.Version.Name, &result),
		fingerprint: digest("reader", r.Version.Name, cmp.Or(sessionOf(f.Result.Reading), f.Path)),
	}
}

// annotateStore returns all there is to say about a sessions directory.
func annotateStore(s *Store) (all []annotation) {
	prints := storeFingerprints(s)
	for finding, known := range freshAndKnown(s.Findings, s.Known) {
		all = append(all, newAnnotation(finding.Path, finding, known, prints))
	}
	return all
}

// freshAndKnown yields findings, and whether a baseline knows them.
func freshAndKnown(fresh, known []rules.Finding) iter.Seq2[*rules.Finding, bool] {
	return func(yield func(*rules.Finding, bool) bool) {
		for i := range fresh {
			if !yield(&fresh[i], false) {
				return
			}
		}
		for i := range known {
			if !yield(&known[i], true) {
				return
			}
		}
	}
}

// newAnnotation returns what a finding says. A known one is a note: the user has
// asked to see it, and it does not count.
func newAnnotation(path string, f *rules.Finding, known bool, prints *fingerprints) annotation {
	a := annotation{
		rule: f.Rule, severity: f.Severity, path: path, line: lineOf(&f.Place),
		text:        rowPrefix(f.Place) + escape.Line(f.Message) + offset(nil, f.Place) + consequences(nil, f),
		details:     details(path, f),
		fingerprint: prints.next(f),
	}
	if known {
		a.severity, a.text = rules.Note, "known: "+a.text
	}
	return a
}

// rowPrefix names the row that a finding is about, because the formats with
// annotations know lines only.
func rowPrefix(p scan.Place) string {
	if p.Table == "" {
		return ""
	}
	return rowPlace(p) + ": "
}

// details returns the places and files that explain a finding, a line each.
func details(path string, f *rules.Finding) (all []string) {
	for i := range f.Related {
		r := &f.Related[i]
		all = append(all, place(escape.Line(path), r.Place)+": "+escape.Line(r.Message)+offset(nil, r.Place))
	}
	for _, other := range f.Others {
		all = append(all, escape.Line(other.Path)+": "+escape.Line(other.Message))
	}
	return all
}

// paragraph joins the text of an annotation and its details.
func (a *annotation) paragraph() string {
	return strings.Join(append([]string{a.text}, a.details...), "\n")
}
