package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/config"
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/escape"
)

func configCommand() *cli.Command {
	return &cli.Command{
		Name: "config", Usage: "print the configuration in effect, and where each value comes from",
		Description: "It is read from the nearest " + config.Name + " in the working directory or above. Flags of check win over it.",
		Flags:       append(settingFlags(), shared.Choice("format", "print it as `FORMAT`", "text", "text", "json")),
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
			return s.writeText(c.App.Writer)
		},
	}
}

func (s *settings) writeText(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "file\t%s\n", cmp.Or(escape.Line(s.config.File), "none"))
	fmt.Fprintf(w, "fail-on\t%s\t%s\n", s.failOn.value, s.failOn.source)
	fmt.Fprintf(w, "dialect\t%s\t%s\n", s.dialect.value, s.dialect.source)
	fmt.Fprintf(w, "reader\t%s\t%s\n", s.reader.value, s.reader.source)
	writeRuleSettings(w, "", s.config.Rules)
	for i := range s.config.Paths {
		p := &s.config.Paths[i]
		effect := ""
		if p.Exclude {
			effect = "excluded"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", escape.Line(p.Match), effect, p.From, escape.Line(strings.TrimSpace(p.Reason)))
		writeRuleSettings(w, "  ", p.Rules)
	}
	return w.Flush()
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
	enc := json.NewEncoder(out)
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
