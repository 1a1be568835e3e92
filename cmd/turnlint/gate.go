package main

import (
	"slices"

	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
)

// gate decides the exit code for what is in a report.
type gate struct {
	severity rules.Severity // from which on findings fail the run
	never    bool           // no finding does
	// recording says that the findings become known ones, so that only what is no
	// finding can fail the run.
	recording bool
}

// newGate returns the gate for a word of --fail-on.
func newGate(word string) gate {
	severity, err := rules.ParseSeverity(word)
	return gate{severity: severity, never: err != nil} // the only other word
}

// file returns the exit code for one input.
func (g gate) file(f *report.File) int {
	switch {
	case f.Result == nil:
		return exitUnread
	case f.Aside.Excluded != "":
		return exitClean
	case f.Unprocessed:
		return exitUnread
	case g.findings(f.Counts()), refused(f) && !g.never:
		return exitFindings
	}
	return exitClean
}

// store returns the exit code for one sessions directory or database.
func (g gate) store(s *report.Store) int {
	switch {
	case s.Unprocessed:
		return exitUnread
	case g.findings(s.Counts()):
		return exitFindings
	}
	return exitClean
}

func (g gate) findings(c report.Counts) bool {
	return !g.never && !g.recording && c.AtLeast(g.severity) > 0
}

// refused reports whether one of the named versions does not open the log as it
// is on disk, without a finding that says so, which is as bad as an error.
func refused(f *report.File) bool {
	return slices.ContainsFunc(f.Readings, func(r report.Reading) bool { return r.Unfound })
}
