// Package report writes what was found in session logs, for people and for
// programs.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnlint/turnlint/rules"
)

// File is one input and what a check made of it.
type File struct {
	// Path is the name of the input as the user knows it; any bytes.
	Path string
	// Result of the check, nil when the input could not be read.
	Result *rules.Result
	// Problem says in one line why Result is nil.
	Problem string
	// Readings are what the versions of dsh that the user has named make of the
	// file. The first one is also that of Result. None means the default version.
	Readings []Reading
	// Aside is what is not among the findings of Result, or is there in another way.
	Aside Aside
	// Known are findings that a baseline knows, when they are to be listed too.
	Known []rules.Finding
}

// Options of a report.
type Options struct {
	Color    bool   // text with ANSI colours
	Config   string // name of the configuration, for totals in words
	Baseline string // name of the baseline, for totals in words
}

// Writer writes a report, one input after the other.
type Writer interface {
	// Store reports a sessions directory, before its logs. The Writer keeps nothing
	// of s.
	Store(s *Store) error
	// File reports one input. The Writer keeps nothing of f.
	File(f *File) error
	// Close ends the report; it does not close what the Writer writes to.
	Close() error
}

// formats are the known formats in the order in which they are named to users.
var formats = []struct {
	name string
	open func(io.Writer, Options) Writer
}{
	{"text", NewText},
	{"json", func(w io.Writer, _ Options) Writer { return NewJSON(w) }},
	{"ndjson", func(w io.Writer, _ Options) Writer { return NewNDJSON(w) }},
}

// Formats returns the names that [New] knows.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// New returns a Writer of the named format, or an error that names the formats
// there are.
func New(format string, w io.Writer, opt Options) (Writer, error) {
	for _, f := range formats {
		if f.name == format {
			return f.open(w, opt), nil
		}
	}
	return nil, fmt.Errorf("unknown format %q: want one of %s", format, strings.Join(Formats(), ", "))
}

// Counts is how many findings there are of each severity.
type Counts struct{ Errors, Warnings, Notes int }

// Count counts findings.
func Count(findings []rules.Finding) (c Counts) {
	for i := range findings {
		switch findings[i].Severity {
		case rules.Error:
			c.Errors++
		case rules.Warning:
			c.Warnings++
		case rules.Note:
			c.Notes++
		}
	}
	return c
}

// AnyAt reports whether any finding is at least as severe as s.
func AnyAt(findings []rules.Finding, s rules.Severity) bool {
	return slices.ContainsFunc(findings, func(f rules.Finding) bool { return f.Severity >= s })
}
