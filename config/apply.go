package config

import (
	"path/filepath"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/turnlint/turnlint/rules"
)

// Log is what a configuration says about one log.
type Log struct {
	// Excluded is the entry that takes the log out of the report, or nil.
	Excluded *Path

	// layers are the settings that apply, the most important first.
	layers [][]Setting
}

// Log returns what applies to the log at path; "" is a log without a path, to
// which no pattern applies.
func (c *Config) Log(path string) *Log {
	l := &Log{layers: [][]Setting{c.Rules}}
	if len(c.Paths) == 0 || path == "" {
		return l
	}
	name := c.relative(path)
	for i := range c.Paths {
		p := &c.Paths[i]
		if !doublestar.MatchUnvalidated(p.Match, name) {
			continue
		}
		if p.Exclude {
			l.Excluded = p
		}
		l.layers = append([][]Setting{p.Rules}, l.layers...)
	}
	return l
}

// relative returns the path as patterns see it. A log outside of the
// configuration's directory has leading "..", which "**" matches.
func (c *Config) relative(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	rel, err := filepath.Rel(c.base, abs)
	if err != nil { // another drive
		rel = abs
	}
	return filepath.ToSlash(rel)
}

// Applied is what a configuration made of findings.
type Applied struct {
	Findings []rules.Finding // those that are left, in order
	Regraded int             // how many of them have another severity now
	Hidden   int             // how many are gone
}

// Apply sets the severities of findings and drops those of rules that are off.
// Findings that mean that dsh does not read the log as it is are never dropped:
// off makes them notes. It changes the given slice.
func (l *Log) Apply(findings []rules.Finding) Applied {
	a := Applied{Findings: findings[:0]}
	for _, f := range findings {
		level := l.level(f.Rule)
		if level == Off && !unhideable(f.Reader) {
			a.Hidden++
			continue
		}
		if severity := level.severity(f.Severity); severity != f.Severity {
			f.Severity = severity
			a.Regraded++
		}
		a.Findings = append(a.Findings, f)
	}
	return a
}

// level returns the level of a rule, "" where nothing sets it.
func (l *Log) level(rule *rules.Rule) Level {
	for _, settings := range l.layers {
		if s := find(settings, rule); s != nil {
			return s.Level
		}
	}
	return ""
}

// severity returns the severity of a finding that had another one by default.
func (l Level) severity(otherwise rules.Severity) rules.Severity {
	switch l {
	case "":
		return otherwise
	case Off:
		return rules.Note
	}
	s, err := rules.ParseSeverity(string(l))
	if err != nil {
		return otherwise // not a level that a file can set
	}
	return s
}
