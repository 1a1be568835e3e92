package main

import (
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/baseline"
	"github.com/turnlint/turnlint/config"
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
)

// sieve decides which findings count, by the configuration and the baselines.
type sieve struct {
	config    *config.Config
	known     *baseline.Baseline // of --baseline, or nil
	record    *baseline.Recorder // for --write-baseline, or nil
	showKnown bool
}

// baselineFlags are the flags that a sieve reads.
func baselineFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "baseline", Usage: "only count, and do not list, the findings that `FILE` knows; they do not fail the run"},
		&cli.StringFlag{Name: "write-baseline", Usage: "write the findings to `FILE`, as known ones; they do not fail the run"},
		&cli.BoolFlag{Name: "show-known", Usage: "list the findings that --baseline knows, too"},
	}
}

func newSieve(c *cli.Context, conf *config.Config) (*sieve, error) {
	s := &sieve{config: conf, showKnown: c.Bool("show-known")}
	if c.IsSet("baseline") {
		known, err := baseline.Load(c.String("baseline"))
		if err != nil {
			return nil, explained(err)
		}
		s.known = known
	} else if s.showKnown {
		return nil, shared.Usagef("--show-known needs --baseline")
	}
	if c.IsSet("write-baseline") {
		s.record = new(baseline.Recorder)
	}
	return s, nil
}

// log takes the findings of a log that do not count out of it.
func (s *sieve) log(file *report.File) {
	r := file.Result
	path := file.Path
	if path == shared.Stdin {
		path = ""
	}
	l := s.config.Log(path)
	if l.Excluded != nil {
		file.Aside.Excluded = strings.TrimSpace(l.Excluded.Reason)
		r.Findings = nil
		return
	}
	applied := l.Apply(r.Findings)
	file.Aside.Regraded, file.Aside.Hidden = applied.Regraded, applied.Hidden
	r.Findings, file.Known = s.sift(baseline.Log(r), applied.Findings, &file.Aside)
}

// store returns a sessions directory with the findings that count. Those that
// dsh refuses the whole directory for count whatever path they are about.
func (s *sieve) store(r *rules.StoreResult) *report.Store {
	counting := *r
	counting.Findings = nil
	st := &report.Store{StoreResult: &counting}
	for _, f := range r.Findings {
		l := s.config.Log(f.Path)
		applied := l.Apply([]rules.Finding{f})
		if l.Excluded != nil && f.Reader != rules.Refuses {
			applied = config.Applied{Hidden: 1}
		}
		st.Aside.Regraded += applied.Regraded
		st.Aside.Hidden += applied.Hidden
		counting.Findings = append(counting.Findings, applied.Findings...)
	}
	counting.Findings, st.Known = s.sift(baseline.Store(r), counting.Findings, &st.Aside)
	return st
}

// sift records findings for a new baseline, and separates those that the old one
// knows. known has them if they are to be listed.
func (s *sieve) sift(subject baseline.Subject, all []rules.Finding, aside *report.Aside) (fresh, known []rules.Finding) {
	if s.record != nil {
		s.record.Add(subject, all)
	}
	if s.known == nil {
		return all, nil
	}
	fresh, known = s.known.Sift(subject, all)
	if aside.Known = len(known); !s.showKnown {
		known = nil
	}
	return fresh, known
}

// writeBaseline writes the new baseline, if there is to be one.
func (s *sieve) writeBaseline(f *reportFile) error {
	if f == nil {
		return nil
	}
	return s.record.Write(f.temp)
}

// maxGone is how many entries that no longer occur are named.
const maxGone = 5

// complainGone says on standard error what the baseline knows in vain, unless it
// has just been written anew.
func (s *sieve) complainGone(c *cli.Context) {
	name := c.String("baseline")
	if s.known == nil || s.record != nil && filepath.Clean(name) == filepath.Clean(c.String("write-baseline")) {
		return
	}
	gone, unchecked := s.known.Gone()
	if len(gone) > 0 {
		shared.Complain(c, &shared.InputError{
			Path: name, What: words.Count(len(gone), "known finding") + " no longer found: " + listed(shared.Lang(c), gone),
			Hint: "run again with --write-baseline " + escape.ShellArg(name),
		})
	}
	if len(unchecked) > 0 {
		shared.Complain(c, &shared.InputError{
			Path: name, What: words.Count(len(unchecked), "known finding") + " in logs that are not among the inputs: " + listed(shared.Lang(c), unchecked),
		})
	}
}

func listed(l *lang.Printer, entries []*baseline.Entry) string {
	var names []string
	for _, e := range entries[:min(maxGone, len(entries))] {
		names = append(names, e.String())
	}
	text := strings.Join(names, ", ")
	if more := len(entries) - maxGone; more > 0 {
		return l.Textf("%v, and %d more", text, more)
	}
	return text
}
