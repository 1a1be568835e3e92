package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/rules"
)

func explainCommand() *cli.Command {
	return &cli.Command{
		Name: "explain", Usage: "explain a rule by its id or name", ArgsUsage: "RULE",
		Flags: []cli.Flag{shared.LangFlag()},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return shared.Usagef("want one rule, such as TL301 or seq-gap")
			}
			rule := findRule(c.Args().First())
			if rule == nil {
				return shared.Usagef("unknown rule %q: turnlint rules lists them", c.Args().First())
			}
			return writePage(c.App.Writer, shared.Lang(c), rule)
		},
	}
}

// ruleWords returns the ids and the names of the rules.
func ruleWords() (words []string) {
	for _, r := range rules.All() {
		words = append(words, r.ID, r.Name)
	}
	return words
}

// findRule returns the rule that people mean, whatever case they type it in.
func findRule(word string) *rules.Rule {
	if rule := rules.ByID(strings.ToUpper(word)); rule != nil {
		return rule
	}
	return rules.ByName(strings.ToLower(word))
}

func writePage(w io.Writer, l *lang.Printer, r *rules.Rule) error {
	about := l.Textf("%v, %v; found by %v; dsh %v it; turnfix: %v",
		l.Text(r.Severity.String()), l.Text(string(r.Class)), r.Authority, l.Text(string(r.Reader)), l.Text(string(r.Fix)))
	_, err := fmt.Fprintf(w, "%s %s: %s\n%s\n\n%s\n", r.ID, r.Name, l.Text(r.Summary), about, strings.TrimSpace(r.Page(l.Name())))
	return err
}

func rulesCommand() *cli.Command {
	return &cli.Command{
		Name: "rules", Usage: "list the rules",
		Flags: []cli.Flag{shared.Choice("format", "print the list as `FORMAT`", "text", "text", "json"), shared.LangFlag()},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return shared.Usagef("want no arguments; turnlint explain RULE explains one")
			}
			if c.String("format") == "json" {
				return writeRulesJSON(c.App.Writer)
			}
			return writeRulesText(c.App.Writer, shared.Lang(c))
		},
	}
}

func writeRulesText(w io.Writer, l *lang.Printer) error {
	table := columns.NewTable(w)
	heads(table, l, "ID", "NAME", "SEVERITY", "CLASS", "DSH", "FIX", "SUMMARY")
	for _, r := range rules.All() {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.ID, r.Name, l.Text(r.Severity.String()), l.Text(string(r.Class)),
			l.Text(string(r.Reader)), l.Text(string(r.Fix)), l.Text(r.Summary))
	}
	return table.Flush()
}

// ruleJSON is a rule in the catalogue for programs.
type ruleJSON struct {
	Rule      string          `json:"rule"`
	Name      string          `json:"name"`
	Class     rules.Class     `json:"class"`
	Severity  string          `json:"severity"`
	Authority rules.Authority `json:"authority"`
	Reader    rules.Reaction  `json:"reader"`
	Fix       rules.Fix       `json:"fix"`
	Summary   string          `json:"summary"`
	Remedy    string          `json:"remedy,omitempty"`
	Doc       string          `json:"doc"`
}

func writeRulesJSON(w io.Writer) error {
	all := make([]ruleJSON, 0, len(rules.All()))
	for _, r := range rules.All() {
		all = append(all, ruleJSON{
			r.ID, r.Name, r.Class, r.Severity.String(), r.Authority, r.Reader, r.Fix, r.Summary, r.Remedy, r.Doc,
		})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{"schemaVersion": 1, "rules": all})
}
