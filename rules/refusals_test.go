package rules_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/rules"
)

func TestEveryRefusalOfAMigrationIsFoundAndExplained(t *testing.T) {
	for _, r := range refusalTable() {
		t.Run(r.name, func(t *testing.T) {
			golden(t, r.path(), r.image())
			result := inspect(t, r.image(), r.options())
			for i := 0; i < len(r.says); i += 2 {
				for version := range strings.SplitSeq(r.says[i], ",") {
					if got := refusalOf(result, version); got != r.says[i+1] {
						t.Errorf("%s says\n%s, want\n%s", version, got, r.says[i+1])
					}
				}
			}
			i := slices.IndexFunc(result.Findings, func(f rules.Finding) bool { return f.Rule.Name == r.rule })
			if i < 0 {
				t.Fatalf("%s finds nothing, but there is\n%s", r.rule, listing(result))
			}
			if f := &result.Findings[i]; f.Rule.Authority == rules.Upgrade {
				r.compare(t, f)
			}
		})
	}
}

// refusalOf returns what a version says of a log, "" when it opens it.
func refusalOf(result *rules.Result, version string) string {
	for _, r := range result.Readings {
		if refusal := r.Refusal(); r.Version.ShortName() == version && refusal != nil {
			return refusal.Text
		}
	}
	return ""
}

// compare checks that a finding has the words of all versions, and a remedy.
func (r *refusal) compare(t *testing.T, f *rules.Finding) {
	var says []string
	for _, a := range f.Answers {
		if a.Text != "" {
			says = append(says, strings.Join(a.Versions, ","), a.Text)
		}
	}
	if diff := cmp.Diff(r.says, says); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if f.Rule.Remedy == "" {
		t.Error("it says neither how to mend the log nor why that is impossible")
	}
	if r.says != nil && f.Place.Line == 0 && f.Rule != rules.SubagentCatalog {
		t.Error("it has no place")
	}
}

// TestTheListOfRefusalsShowsWhatDshSays keeps docs/upgrades.md up to date.
func TestTheListOfRefusalsShowsWhatDshSays(t *testing.T) {
	var doc strings.Builder
	doc.WriteString(refusalPreface)
	table := refusalTable()
	for _, rule := range rules.All() {
		if rule.Authority != rules.Upgrade {
			continue
		}
		fmt.Fprintf(&doc, "\n## %s %s\n\nIt finds that %s. Repair: %s.\n\n", rule.ID, rule.Name, rule.Summary, strings.TrimSuffix(rule.Remedy, "."))
		doc.WriteString("| log | dsh | says |\n|---|---|---|\n")
		for i := range table {
			if table[i].rule == rule.Name {
				table[i].list(&doc)
			}
		}
	}
	golden(t, filepath.Join("..", "docs", "upgrades.md"), []byte(doc.String()))
}

// list writes a row for each of the answers.
func (r *refusal) list(doc *strings.Builder) {
	name := filepath.ToSlash(strings.TrimPrefix(r.path(), filepath.Join("..", "testdata", "generations", "refusals")+string(filepath.Separator)))
	if r.says == nil {
		fmt.Fprintf(doc, "| %s | | says nothing |\n", name)
	}
	for i := 0; i < len(r.says); i += 2 {
		fmt.Fprintf(doc, "| %s | %s | `%s` |\n", name, strings.ReplaceAll(r.says[i], ",", ", "), r.says[i+1])
	}
}

const refusalPreface = `# What stops an upgrade

A newer dsh takes an older log over as a whole or not at all. Here is every way in which it refuses, with a log in
` + "`testdata/generations/refusals`" + ` for each, the words of dsh, and the repair, or the reason why there is none. The page is made by
` + "`go test ./rules -update`" + `. ` + "`turnlint LOG --reader all`" + ` says which of them a log meets; behind the words dsh adds
` + "`; source vN artifact remains unchanged (raw log: PATH)`" + `.
`
