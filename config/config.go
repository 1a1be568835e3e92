// Package config reads .turnlint.yaml: how severe findings are, where they do
// not count, and what the flags of turnlint are unless they are given.
//
// A configuration comes with the logs that it is about, so it is trusted as
// little as they are: it is small, names no other file, expands nothing, and
// cannot hide that dsh does not open a log.
package config

import (
	"fmt"
	"slices"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/rules"
)

// Config is a configuration. The zero value changes nothing.
type Config struct {
	// File is the path of the file it was read from; "" without one.
	File string
	// FailOn, Dialect and Readers stand for flags that are not given; nil where
	// the file does not set them.
	FailOn  *Word
	Dialect *Word
	Readers []Word
	// Rules are the settings for all logs, in the order of the file.
	Rules []Setting
	// Paths are settings for some logs. Of several that match, the last one counts.
	Paths []Path

	base string // absolute directory of File, which patterns are relative to
}

// The words of FailOn and Dialect, and of the flags that they stand for.
var (
	FailOnWords  = []string{"error", "warning", "note", "never"}
	DialectWords = []string{"auto", "strict", "ctx", "open"}
)

// Origin is a place in a configuration file, counted from 1 in lines and
// characters.
type Origin struct {
	File         string
	Line, Column int
}

// String returns the place as FILE:LINE:COLUMN, printable.
func (o Origin) String() string {
	return fmt.Sprintf("%s:%d:%d", escape.Line(o.File), o.Line, o.Column)
}

// Word is one of a few words, and where it stands.
type Word struct {
	Value string
	From  Origin
}

// Level is what a configuration makes of the findings of a rule: off, or a
// severity.
type Level string

// Off hides findings.
const Off Level = "off"

// levels are the words for a [Level].
var levels = []string{string(Off), rules.Note.String(), rules.Warning.String(), rules.Error.String()}

// Setting is the level of a rule.
type Setting struct {
	Rule  *rules.Rule
	Level Level
	From  Origin
}

// Path holds what applies to the logs that a pattern matches.
type Path struct {
	// Match is a pattern for paths with / between the parts, relative to the
	// directory of the file; ** matches any number of parts.
	Match string
	// Exclude takes the logs out of the report. They are still read and counted.
	Exclude bool
	// Rules are settings for these logs.
	Rules []Setting
	// Reason says why; never empty.
	Reason string
	From   Origin
}

// Error is something that is wrong with a configuration file.
type Error struct {
	Origin        // Line 0 when it is about the whole file
	What   string // what is wrong
	Hint   string // what to do about it
}

// Error returns the place and what is wrong as one printable line.
func (e *Error) Error() string {
	if e.Line == 0 {
		return escape.Line(e.File + ": " + e.What)
	}
	return e.Origin.String() + ": " + escape.Line(e.What)
}

// unhideable reports whether findings with this reaction mean that dsh does not
// read the log as it is on disk.
func unhideable(reader rules.Reaction) bool {
	return reader == rules.Refuses || reader == rules.Drops
}

// find returns the setting for a rule, or nil.
func find(settings []Setting, rule *rules.Rule) *Setting {
	i := slices.IndexFunc(settings, func(s Setting) bool { return s.Rule == rule })
	if i < 0 {
		return nil
	}
	return &settings[i]
}
