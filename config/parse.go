package config

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/goccy/go-yaml/ast"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

const (
	// maxPattern and maxChoices bound a pattern, in bytes and in alternatives such
	// as {a,b}: the time to match grows with the product of those.
	maxPattern = 256
	maxChoices = 3
)

// decoder makes a tree of YAML a configuration. Each method reads one value.
type decoder struct {
	document
	config *Config
}

// Parse reads a configuration from YAML. file is the path that errors and origins
// name, and patterns are relative to its directory. Every error is an [*Error].
func Parse(file string, text []byte) (*Config, error) {
	base, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, unreadable(file, err)
	}
	d := &decoder{document{file}, &Config{File: file, base: base}}
	root, err := d.parse(text)
	if err == nil && root != nil {
		err = d.root(root)
	}
	if err != nil {
		return nil, err
	}
	return d.config, nil
}

func (d *decoder) root(n ast.Node) error {
	members, err := d.members(n)
	if err != nil {
		return err
	}
	c := d.config
	for _, m := range members {
		switch m.key {
		case "rules":
			c.Rules, err = d.settings(m.value)
		case "paths":
			err = d.paths(m.value)
		case "fail-on":
			c.FailOn, err = d.word(m.value, FailOnWords...)
		case "dialect":
			c.Dialect, err = d.word(m.value, DialectWords...)
		case "reader":
			c.Readers, err = d.readers(m.value)
		default:
			err = d.failAt(m.at, "the keys are rules, paths, fail-on, dialect and reader", "unknown key %q", m.key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// word reads one of the allowed words.
func (d *decoder) word(n ast.Node, allowed ...string) (*Word, error) {
	text, err := d.text(n)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(allowed, text) {
		return nil, d.fail(n, "the words are "+strings.Join(allowed, ", "), "unknown word %q", text)
	}
	return &Word{text, d.at(first(n))}, nil
}

// readers reads the name of a version of dsh, or a list of them.
func (d *decoder) readers(n ast.Node) (all []Word, err error) {
	nodes := []ast.Node{n}
	if list, ok := n.(*ast.SequenceNode); ok {
		nodes = list.Values
	}
	for _, n := range nodes {
		w, err := d.word(n, scan.ReaderNames()...)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(other Word) bool { return other.Value == w.Value }) {
			return nil, d.fail(n, "keep one of them", "reader %s is named twice", w.Value)
		}
		all = append(all, *w)
	}
	return all, nil
}

// settings reads the levels of rules.
func (d *decoder) settings(n ast.Node) (all []Setting, err error) {
	members, err := d.members(n)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		s, err := d.setting(m)
		if err != nil {
			return nil, err
		}
		if other := find(all, s.Rule); other != nil {
			return nil, d.failAt(m.at, "keep one of them", "rule %s %s is also set in line %d", s.Rule.ID, s.Rule.Name, other.From.Line)
		}
		all = append(all, s)
	}
	return all, nil
}

func (d *decoder) setting(m member) (s Setting, err error) {
	if s.Rule = ruleCalled(m.key); s.Rule == nil {
		return s, d.failAt(m.at, "turnlint rules lists them", "unknown rule %q", m.key)
	}
	level, err := d.word(m.value, levels...)
	if err != nil {
		return s, err
	}
	s.Level, s.From = Level(level.Value), level.From
	if s.Level == Off && unhideable(s.Rule.Reader) {
		return s, d.fail(m.value, "make it a note instead", "rule %s %s cannot be off: dsh %s such a log",
			s.Rule.ID, s.Rule.Name, lossVerb(s.Rule.Reader))
	}
	return s, nil
}

func ruleCalled(word string) *rules.Rule {
	if rule := rules.ByID(word); rule != nil {
		return rule
	}
	return rules.ByName(word)
}

// lossVerb says what dsh does to a log, for a reaction that is unhideable.
func lossVerb(reader rules.Reaction) string {
	if reader == rules.Drops {
		return "drops events of"
	}
	return string(reader)
}

func (d *decoder) paths(n ast.Node) error {
	elements, err := d.elements(n)
	if err != nil {
		return err
	}
	for _, n := range elements {
		p, err := d.path(n)
		if err != nil {
			return err
		}
		d.config.Paths = append(d.config.Paths, *p)
	}
	return nil
}

func (d *decoder) path(n ast.Node) (*Path, error) {
	members, err := d.members(n)
	if err != nil {
		return nil, err
	}
	p := &Path{From: d.at(first(n))}
	for _, m := range members {
		switch m.key {
		case "match":
			p.Match, err = d.pattern(m.value)
		case "rules":
			p.Rules, err = d.settings(m.value)
		case "exclude":
			p.Exclude, err = d.exclude(m.value)
		case "reason":
			p.Reason, err = d.text(m.value)
		default:
			err = d.failAt(m.at, "the keys are match, rules, exclude and reason", "unknown key %q", m.key)
		}
		if err != nil {
			return nil, err
		}
	}
	return p, d.complete(n, p)
}

// complete refuses an entry that lacks something.
func (d *decoder) complete(n ast.Node, p *Path) error {
	switch {
	case p.Match == "":
		return d.fail(n, `write match: "fixtures/**"`, "no match")
	case strings.TrimSpace(p.Reason) == "":
		return d.fail(n, "write reason: and why these logs are judged otherwise", "no reason")
	case !p.Exclude && len(p.Rules) == 0:
		return d.fail(n, "write rules: or exclude: true", "no effect")
	case p.Exclude && len(p.Rules) > 0:
		return d.fail(n, "keep one of them", "both exclude and rules")
	}
	return nil
}

// exclude reads true. Anything else would not say anything.
func (d *decoder) exclude(n ast.Node) (bool, error) {
	if b, ok := n.(*ast.BoolNode); ok && b.Value {
		return true, nil
	}
	return false, d.fail(n, "leave it out where logs are not excluded", "want true")
}

func (d *decoder) pattern(n ast.Node) (string, error) {
	pattern, err := d.text(n)
	if err != nil {
		return "", err
	}
	const hint = "patterns are like logs/**/*.jsonl, relative to the directory of this file"
	switch {
	case !doublestar.ValidatePattern(pattern):
		err = d.fail(n, hint, "bad pattern %q", pattern)
	case len(pattern) > maxPattern:
		err = d.fail(n, hint, "a pattern of over %d bytes", maxPattern)
	case strings.Count(pattern, "{") > maxChoices:
		err = d.fail(n, hint, "a pattern with more than %d alternatives {…}", maxChoices)
	case pattern == "" || strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, "./") || strings.HasSuffix(pattern, "/"):
		err = d.fail(n, hint, "pattern %q matches nothing", pattern)
	}
	return pattern, err
}
