package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/config"
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/lang"
)

func configCommand() *cli.Command {
	return &cli.Command{
		Name: "config", Usage: "print the configuration in effect, and where each value comes from",
		Description: "It is read from the nearest " + config.Name + " in the working directory or above. Flags of check win over it.",
		Flags:       append(settingFlags(), shared.Choice("format", "print it as `FORMAT`", "text", "text", "json"), shared.LangFlag()),
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return shared.Usagef("want no arguments; --config FILE names another configuration")
			}
			s, err := readSettings(c)
			if err != nil {
				return err
			}
			if c.String("format") == "json" {
				return s.writeJSON(c.App.Writer)
			}
			return s.writeText(c.App.Writer, shared.Lang(c))
		},
	}
}

func (s *settings) writeText(out io.Writer, l *lang.Printer) error {
	w := columns.NewTable(out)
	fmt.Fprintf(w, "%s\t%s\n", l.Text("file"), cmp.Or(escape.Line(s.config.File), l.Text("none")))
	fmt.Fprintf(w, "fail-on\t%s\t%s\n", s.failOn.value, s.failOn.sourceInWords(l))
	fmt.Fprintf(w, "dialect\t%s\t%s\n", s.dialect.value, s.dialect.sourceInWords(l))
	fmt.Fprintf(w, "reader\t%s\t%s\n", s.reader.value, s.reader.sourceInWords(l))
	writeRuleSettings(w, "", s.config.Rules)
	for i := range s.config.Paths {
		p := &s.config.Paths[i]
		effect := ""
		if p.Exclude {
			effect = l.Text("excluded")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", escape.Line(p.Match), effect, p.From, escape.Line(strings.TrimSpace(p.Reason)))
		writeRuleSettings(w, "  ", p.Rules)
	}
	return w.Flush()
}

// sourceInWords returns the place that a value comes from.
func (s *setting) sourceInWords(l *lang.Printer) string {
	if s.source == byDefault {
		return l.Text(byDefault)
	}
	return s.source
}

func writeRuleSettings(w io.Writer, indent string, all []config.Setting) {
	for _, s := range all {
		fmt.Fprintf(w, "%s%s %s\t%s\t%s\n", indent, s.Rule.ID, s.Rule.Name, s.Level, s.From)
	}
}

// settingJSON is a value in the configuration for programs.
type settingJSON struct {
	Rule   string `json:"rule,omitempty"`
	Name   string `json:"name,omitempty"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

// pathJSON is an entry for some paths.
type pathJSON struct {
	Match   string        `json:"match"`
	Exclude bool          `json:"exclude"`
	Reason  string        `json:"reason"`
	Rules   []settingJSON `json:"rules"`
	Source  string        `json:"source"`
}

// configJSON is the configuration for programs.
type configJSON struct {
	SchemaVersion int           `json:"schemaVersion"`
	File          string        `json:"file,omitempty"`
	FailOn        settingJSON   `json:"failOn"`
	Dialect       settingJSON   `json:"dialect"`
	Reader        settingJSON   `json:"reader"`
	Rules         []settingJSON `json:"rules"`
	Paths         []pathJSON    `json:"paths"`
}

func (s *settings) writeJSON(out io.Writer) error {
	j := configJSON{
		SchemaVersion: 1, File: escape.UTF8(s.config.File), Rules: ruleSettings(s.config.Rules), Paths: []pathJSON{},
		FailOn:  settingJSON{Value: s.failOn.value, Source: s.failOn.source},
		Dialect: settingJSON{Value: s.dialect.value, Source: s.dialect.source},
		Reader:  settingJSON{Value: s.reader.value, Source: s.reader.source},
	}
	for _, p := range s.config.Paths {
		j.Paths = append(j.Paths, pathJSON{p.Match, p.Exclude, p.Reason, ruleSettings(p.Rules), p.From.String()})
	}
	enc := json.NewEncoder(escape.JSONWriter(out))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(j)
}

func ruleSettings(all []config.Setting) []settingJSON {
	list := make([]settingJSON, 0, len(all))
	for _, s := range all {
		list = append(list, settingJSON{s.Rule.ID, s.Rule.Name, string(s.Level), s.From.String()})
	}
	return list
}
