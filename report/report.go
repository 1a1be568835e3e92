// Package report writes what was found in session logs, for people and for
// programs, and reads reports of several runs back to make one of them.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/picture"
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
	// Unprocessed says that some of the input could not be looked at, so that it
	// never counts as clean.
	Unprocessed bool
	// Readings are what the versions of dsh that the user has named make of the
	// file. The first one is also that of Result. None means the default version.
	Readings []Reading
	// Aside is what is not among the findings of Result, or is there in another way.
	Aside Aside
	// Known are findings that a baseline knows, when they are to be listed too.
	Known []rules.Finding
	// Omitted counts findings that are not in Result, because the report from which
	// it was read had left them out.
	Omitted Counts
	// Picture is what there is to see of the log, for the formats that [Draws]
	// names; it may be nil.
	Picture *picture.Picture
}

// Counts is how many findings there are of each severity.
func (f *File) Counts() Counts {
	if f.Result == nil {
		return Counts{}
	}
	return Count(f.Result.Findings).plus(f.Omitted)
}

// Options of a report.
type Options struct {
	Color    bool   // text with ANSI colours
	Config   string // name of the configuration, for totals in words
	Baseline string // name of the baseline, for totals in words
	Version  string // of turnlint
	// Lang is the language of the formats for people, text and html; nil is English. The others
	// do not depend on it.
	Lang *lang.Printer
	// Warn, when set, gets what the user has to know of the report itself, in one
	// line of valid UTF-8: that it had to leave findings out, for example.
	Warn func(what string)
}

// warn calls Warn, if there is one.
func (opt *Options) warn(format string, args ...any) {
	if opt.Warn != nil {
		opt.Warn(fmt.Sprintf(format, args...))
	}
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
	{"sarif", NewSARIF},
	{"github", NewGitHub},
	{"gitlab", func(w io.Writer, _ Options) Writer { return NewGitLab(w) }},
	{"junit", func(w io.Writer, _ Options) Writer { return NewJUnit(w) }},
	{"checkstyle", func(w io.Writer, _ Options) Writer { return NewCheckstyle(w) }},
	{"html", NewHTML},
}

// Formats returns the names that [New] knows.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Draws reports whether reports of the named format show the picture of a file.
func Draws(format string) bool { return format == "html" }

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
		c.add(findings[i].Severity)
	}
	return c
}

func (c *Counts) add(s rules.Severity) {
	switch s {
	case rules.Error:
		c.Errors++
	case rules.Warning:
		c.Warnings++
	case rules.Note:
		c.Notes++
	}
}

// AtLeast returns how many findings are at least as severe as s.
func (c Counts) AtLeast(s rules.Severity) int {
	return [...]int{rules.Note: c.Sum(), rules.Warning: c.Errors + c.Warnings, rules.Error: c.Errors}[s]
}

// Sum returns how many findings there are.
func (c Counts) Sum() int { return c.Errors + c.Warnings + c.Notes }

func (c Counts) plus(d Counts) Counts {
	return Counts{c.Errors + d.Errors, c.Warnings + d.Warnings, c.Notes + d.Notes}
}

func (c Counts) minus(d Counts) Counts {
	return Counts{c.Errors - d.Errors, c.Warnings - d.Warnings, c.Notes - d.Notes}
}
