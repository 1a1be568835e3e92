package config_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/turnlint/turnlint/config"
	"github.com/turnlint/turnlint/rules"
)

func TestEveryErrorSaysWhere(t *testing.T) {
	tests := []struct {
		name string
		text string
		want string // error and hint
	}{
		{"an unknown key", "fail-on: note\nruls: {}\n", `c.yaml:2:1: unknown key "ruls"; the keys are rules, paths, fail-on, dialect and reader`},
		{"a key that is no word", "1: note\n", `c.yaml:1:1: unknown key "1"; the keys are rules, paths, fail-on, dialect and reader`},
		{"a list at the top", "- rules\n", "c.yaml:1:1: want a mapping; write it as KEY: VALUE"},
		{"an unknown rule id", "rules:\n  TL999: off\n", `c.yaml:2:3: unknown rule "TL999"; turnlint rules lists them`},
		{"an unknown rule name", "rules: {crlf: off, sequence-gap: note}\n", `c.yaml:1:20: unknown rule "sequence-gap"; turnlint rules lists them`},
		{"an unknown level", "rules:\n  crlf: info\n", `c.yaml:2:9: unknown word "info"; the words are off, note, warning, error`},
		{"a level that is no text", "rules:\n  crlf: false\n", "c.yaml:2:9: want text; put numbers and the like in quotes"},
		{"a level that is missing", "rules:\n  crlf:\n", "c.yaml:2:9: want text; put numbers and the like in quotes"},
		{"rules that are a list", "rules:\n  - crlf\n", "c.yaml:2:3: want a mapping; write it as KEY: VALUE"},
		{"a rule by id and name", "rules:\n  seq-gap: note\n  TL301: error\n", "c.yaml:3:3: rule TL301 seq-gap is also set in line 2; keep one of them"},
		{"a rule set twice", "rules:\n  crlf: note\n  crlf: off\n", `c.yaml:3:3: mapping key "crlf" already defined at [2:3]; check the indentation and the quotes`},
		{"a refusal that is off", "rules:\n  seq-gap: off\n", "c.yaml:2:12: rule TL301 seq-gap cannot be off: dsh refuses such a log; make it a note instead"},
		{"a loss that is off", "rules:\n  events-dropped: off\n", "c.yaml:2:19: rule TL304 events-dropped cannot be off: dsh drops events of such a log; make it a note instead"},
		{"a refusal that is off for some paths", "paths:\n- match: a\n  reason: b\n  rules: {seq-gap: off}\n", "c.yaml:4:20: rule TL301 seq-gap cannot be off: dsh refuses such a log; make it a note instead"},
		{"an unknown fail-on", "fail-on: fatal\n", `c.yaml:1:10: unknown word "fatal"; the words are error, warning, note, never`},
		{"an unknown dialect", "dialect: loose\n", `c.yaml:1:10: unknown word "loose"; the words are auto, strict, ctx, open`},
		{"an unknown reader", "reader: [0.1.1-rc.2, 2027-01-01]\n", `c.yaml:1:22: unknown word "2027-01-01"; the words are 0.1.1-rc.2, 0.1.1, 2026-06-15, 2026-06-16, 0.1.3, 0.1.5, 0.1.7, 0.2`},
		{"a reader twice", "reader:\n- 2026-06-15\n- 2026-06-15\n", "c.yaml:3:3: reader 2026-06-15 is named twice; keep one of them"},
		{"paths that are a mapping", "paths: {a: b}\n", "c.yaml:1:9: want a list; start each element with a dash"},
		{"an entry without a pattern", "paths:\n  - reason: b\n    exclude: true\n", `c.yaml:2:5: no match; write match: "fixtures/**"`},
		{"an entry that is empty", "paths:\n  -\n", `c.yaml:2:5: no match; write match: "fixtures/**"`},
		{"an entry without a reason", "paths:\n  - match: a\n    exclude: true\n", "c.yaml:2:5: no reason; write reason: and why these logs are judged otherwise"},
		{"a reason of blanks", "paths:\n  - match: a\n    exclude: true\n    reason: '  '\n", "c.yaml:2:5: no reason; write reason: and why these logs are judged otherwise"},
		{"a reason that is a number", "paths:\n  - match: a\n    reason: 1\n", "c.yaml:3:13: want text; put numbers and the like in quotes"},
		{"an entry without an effect", "paths:\n  - match: a\n    reason: b\n", "c.yaml:2:5: no effect; write rules: or exclude: true"},
		{"an entry with two effects", "paths:\n  - {match: a, reason: b, exclude: true, rules: {crlf: off}}\n", "c.yaml:2:6: both exclude and rules; keep one of them"},
		{"an exclusion that is none", "paths:\n  - match: a\n    exclude: no\n", "c.yaml:3:14: want true; leave it out where logs are not excluded"},
		{"an unknown key of an entry", "paths:\n  - match: a\n    skip: true\n", `c.yaml:3:5: unknown key "skip"; the keys are match, rules, exclude and reason`},
		{"a pattern that does not end", "paths:\n  - match: 'a[b'\n", `c.yaml:2:12: bad pattern "a[b"; ` + patternHint},
		{"a pattern that cannot match", "paths:\n  - match: /a\n", `c.yaml:2:12: pattern "/a" matches nothing; ` + patternHint},
		{"a pattern for a directory", "paths:\n  - match: a/\n", `c.yaml:2:12: pattern "a/" matches nothing; ` + patternHint},
		{"a pattern that takes long", "paths:\n  - match: '{a,b}{a,b}{a,b}{a,b}'\n", "c.yaml:2:12: a pattern with more than 3 alternatives {…}; " + patternHint},
		{"a pattern without end", "paths:\n  - match: " + strings.Repeat("a", 300) + "\n", "c.yaml:2:12: a pattern of over 256 bytes; " + patternHint},
		{"an anchor", "rules: &a {crlf: off}\n", `c.yaml:1:8: "&": anchors, aliases, tags and the like are not allowed here; write the value out`},
		{"an alias", "rules: *a\n", `c.yaml:1:8: "*": anchors, aliases, tags and the like are not allowed here; write the value out`},
		{"a merge", "<<: {}\n", `c.yaml:1:1: "<<": anchors, aliases, tags and the like are not allowed here; write the value out`},
		{"a tag", "fail-on: !!str note\n", `c.yaml:1:10: "!!str": anchors, aliases, tags and the like are not allowed here; write the value out`},
		{"a key that is a value", "? rules\n: {}\n", `c.yaml:1:1: "?": anchors, aliases, tags and the like are not allowed here; write the value out`},
		{"a second document", "fail-on: note\n---\nfail-on: error\n", "c.yaml:3:1: a second document; remove all but one"},
		{"a bracket that stays open", "reader: [0.1.1-rc.2\n", "c.yaml:1:9: sequence end token ']' not found; check the indentation and the quotes"},
		{"a tab", "rules:\n\tcrlf: off\n", "c.yaml:2:1: found character '\\t' that cannot start any token; check the indentation and the quotes"},
		{"bytes that are not UTF-8", "# \xc3\xa9\nfail-on: \xe9\n", "c.yaml:2:10: byte 0xe9 is not UTF-8; save the file as UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := config.Parse("c.yaml", []byte(tt.text))
			var e *config.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want %s", err, tt.want)
			}
			if diff := cmp.Diff(tt.want, e.Error()+"; "+e.Hint); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

const patternHint = "patterns are like logs/**/*.jsonl, relative to the directory of this file"

func TestParse(t *testing.T) {
	at := func(line, column int) config.Origin { return config.Origin{File: "c.yaml", Line: line, Column: column} }
	whole := &config.Config{
		File:    "c.yaml",
		FailOn:  &config.Word{Value: "warning", From: at(2, 10)},
		Dialect: &config.Word{Value: "strict", From: at(3, 10)},
		Readers: []config.Word{{Value: "0.1.1-rc.2", From: at(4, 10)}, {Value: "2026-06-15", From: at(4, 22)}},
		Rules: []config.Setting{
			{Rule: rules.SeqGap, Level: "note", From: at(6, 12)},
			{Rule: rules.CRLF, Level: "off", From: at(7, 10)},
		},
		Paths: []config.Path{
			{
				Match: "old/**", Reason: "written before the rules", From: at(9, 5),
				Rules: []config.Setting{{Rule: rules.OpenTurn, Level: "note", From: at(11, 24)}},
			},
			{Match: "**/broken-*.jsonl", Reason: "broken on purpose\n", Exclude: true, From: at(12, 5)},
		},
	}
	const text = `# how this project judges its logs
fail-on: warning
dialect: strict
reader: [0.1.1-rc.2, 2026-06-15]
rules:
  seq-gap: note
  TL214: "off"   # a comment
paths:
  - match: old/**
    reason: 'written before the rules'
    rules: {open-turn: note}
  - match: "**/broken-*.jsonl"
    exclude: true
    reason: |
      broken on purpose
`
	crlf := strings.ReplaceAll(text, "\n", "\r\n")
	tests := []struct {
		name string
		text string
		want *config.Config
	}{
		{"everything", text, whole},
		{"lines of Windows, and a byte order mark", "\ufeff" + crlf, whole},
		{"nothing", "", &config.Config{File: "c.yaml"}},
		{"only a comment", "# later\n", &config.Config{File: "c.yaml"}},
		{"keys without a value", "rules:\npaths:\n", &config.Config{File: "c.yaml"}},
		{"nothing between brackets", "rules: {}\npaths: []\n", &config.Config{File: "c.yaml"}},
		{"one reader", "reader: 2026-06-16\n", &config.Config{File: "c.yaml", Readers: []config.Word{{Value: "2026-06-16", From: at(1, 9)}}}},
		{"names of the environment stay as they are", "paths:\n- {match: $HOME, reason: '${HOME}', exclude: true}\n", &config.Config{
			File: "c.yaml", Paths: []config.Path{{Match: "$HOME", Reason: "${HOME}", Exclude: true, From: at(2, 4)}},
		}},
	}
	samePlaces := cmp.Comparer(func(a, b *rules.Rule) bool { return a == b })
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := config.Parse("c.yaml", []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			opts := cmp.Options{cmpopts.IgnoreUnexported(config.Config{}), samePlaces}
			if diff := cmp.Diff(tt.want, got, opts); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestHostileConfigurationsAreRefusedSoon(t *testing.T) {
	const n = 60 << 10
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := range 9 {
		fmt.Fprintf(&bomb, "a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), ", "))
	}
	tests := map[string]string{
		"a bomb of aliases":   bomb.String(),
		"open brackets":       strings.Repeat("[", n),
		"brackets":            strings.Repeat("[", n/2) + strings.Repeat("]", n/2),
		"braces":              strings.Repeat("{a: ", n/4),
		"dashes":              strings.Repeat("- ", n/2),
		"question marks":      strings.Repeat("? ", n/2),
		"anchors":             strings.Repeat("&a ", n/3),
		"tags":                strings.Repeat("!a ", n/3),
		"colons":              strings.Repeat("a: ", n/3),
		"quotes":              strings.Repeat(`"`, n),
		"a key for each line": strings.Repeat("a:\n b:\n", n/7),
		"control characters":  strings.Repeat("\x00\x1b[31m", n/6),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			_, err := config.Parse("c.yaml", []byte(text))
			var e *config.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want a *config.Error", err)
			}
			if strings.ContainsAny(e.Error(), "\n\x1b") {
				t.Errorf("error %q is not one printable line", e.Error())
			}
			if took := time.Since(begin); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("rules: {crlf: off}\npaths:\n  - match: a\n    reason: b\n    exclude: true\n"))
	f.Add([]byte("\ufeffreader:\r\n- 2026-06-15\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := config.Parse("c.yaml", text)
		if err == nil {
			for _, p := range c.Paths {
				if strings.TrimSpace(p.Reason) == "" {
					t.Errorf("%q is accepted without a reason", p.Match)
				}
			}
			return
		}
		var e *config.Error
		if !errors.As(err, &e) || e.Hint == "" {
			t.Errorf("error %#v has no hint", err)
		}
	})
}
