package rules_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/rules"
)

var update = flag.Bool("update", false, "rewrite docs/rules.md and testdata/rules")

func TestEveryRuleIsComplete(t *testing.T) {
	ids, names := map[string]bool{}, map[string]bool{}
	last := ""
	for _, r := range rules.All() {
		if !regexp.MustCompile(`^TL[1-9][0-9]{2}$`).MatchString(r.ID) || ids[r.ID] || r.ID <= last {
			t.Errorf("%s: the id is malformed, not unique or out of order", r.ID)
		}
		if !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(r.Name) || names[r.Name] {
			t.Errorf("%s: name %q is malformed or not unique", r.ID, r.Name)
		}
		ids[r.ID], names[r.Name], last = true, true, r.ID
		if r.Summary == "" || strings.HasSuffix(r.Summary, ".") || len(r.Summary) > 90 {
			t.Errorf("%s: summary %q", r.ID, r.Summary)
		}
		for _, section := range []string{"## Why it matters", "## How it happens", "## What dsh does", "## Which versions", "## What to do"} {
			if strings.Count(r.Doc, section+"\n\n") != 1 {
				t.Errorf("%s: the page has no section %q", r.ID, section)
			}
		}
		if _, advice, _ := strings.Cut(r.Doc, "## What to do"); !strings.Contains(advice, "turnfix") {
			t.Errorf("%s: the page does not say what turnfix does", r.ID)
		}
		if r.Fix == rules.Assisted && !strings.Contains(r.Doc, "`--") {
			t.Errorf("%s: the page does not name the flag that turnfix takes", r.ID)
		}
		if r.Class == "" || r.Authority == "" || r.Reader == "" || r.Fix == "" {
			t.Errorf("%s: class, authority, reader or fix is missing", r.ID)
		}
		if rules.ByID(r.ID) != r || rules.ByName(r.Name) != r {
			t.Errorf("%s: it cannot be looked up", r.ID)
		}
	}
}

// codeSpan is what a page has in backquotes: commands, names and dsh's own words.
var codeSpan = regexp.MustCompile("`[^`]+`")

func TestPagesInChineseSayTheSame(t *testing.T) {
	for _, r := range rules.All() {
		page := r.Page(lang.Chinese)
		if page == r.Doc {
			t.Errorf("%s: there is no page in Chinese", r.ID)
			continue
		}
		if got, want := strings.Count(page, "\n## "), strings.Count(r.Doc, "\n## "); got != want {
			t.Errorf("%s: %d sections, want %d", r.ID, got, want)
		}
		if diff := cmp.Diff(codeSpans(r.Doc), codeSpans(page)); diff != "" {
			t.Errorf("%s: code (-English +Chinese):\n%s", r.ID, diff)
		}
	}
}

// codeSpans returns the different ones of a page, without line breaks in them.
func codeSpans(page string) []string {
	var all []string
	for _, span := range codeSpan.FindAllString(page, -1) {
		all = append(all, strings.Join(strings.Fields(span), " "))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestUnknownRulesAreNotFound(t *testing.T) {
	if r := rules.ByID("TL000"); r != nil {
		t.Errorf("id TL000 finds %s", r.Name)
	}
	if r := rules.ByName("no-such-rule"); r != nil {
		t.Errorf("name no-such-rule finds %s", r.ID)
	}
}

func TestEveryPageBelongsToARule(t *testing.T) {
	pages, err := filepath.Glob("doc/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		if name := strings.TrimSuffix(filepath.Base(p), ".md"); rules.ByName(name) == nil {
			t.Errorf("%s belongs to no rule", p)
		}
	}
}

func TestEveryRuleFiresOnItsBadSampleOnly(t *testing.T) {
	all := samples()
	for _, r := range rules.All() {
		if treeSampleOf(r) != nil || databaseSampleOf(r) != nil {
			continue // see TestEveryStoreRuleFiresInItsBadTreeOnly, and that about databases
		}
		t.Run(r.Name, func(t *testing.T) {
			i := slices.IndexFunc(all, func(s sample) bool { return s.rule == r.Name })
			if i < 0 {
				t.Fatal("the rule has no sample")
			}
			s := &all[i]
			bad := inspect(t, s.bad, s.opt)
			if !fires(bad, r) {
				t.Errorf("nothing is found in the bad sample but:\n%s", listing(bad))
			}
			if good := inspect(t, s.good, s.opt); fires(good, r) {
				t.Errorf("the good sample has findings:\n%s", listing(good))
			}
			if s.near == nil || s.why == "" || bytes.Equal(s.near, s.bad) {
				t.Fatal("the rule has no near miss")
			}
			if near := inspect(t, s.near, s.opt); fires(near, r) {
				t.Errorf("the near miss has findings:\n%s", listing(near))
			}
			writeSample(t, s)
		})
	}
}

func fires(r *rules.Result, rule *rules.Rule) bool {
	return slices.ContainsFunc(r.Findings, func(f rules.Finding) bool { return f.Rule == rule })
}

func listing(r *rules.Result) string {
	var b strings.Builder
	for i := range r.Findings {
		b.WriteString(show(&r.Findings[i]) + "\n")
	}
	return b.String()
}

// maxSample is the largest sample that is kept as a file.
const maxSample = 8 << 10 // bytes

// writeSample keeps testdata/rules up to date, so that the samples can be tried
// with the command, too.
func writeSample(t *testing.T, s *sample) {
	dir := filepath.Join("..", "testdata", "rules", s.rule)
	for name, image := range map[string][]byte{"bad": s.bad, "good": s.good, "near": s.near} {
		if len(image) <= maxSample {
			golden(t, filepath.Join(dir, name+suffix(s)), image)
		}
	}
}

// golden compares a generated file with what is committed, or writes it with -update.
func golden(t *testing.T, path string, want []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run go test ./rules -update", err)
	}
	if diff := cmp.Diff(string(want), string(have)); diff != "" {
		t.Errorf("%s is stale; run go test ./rules -update (-want +have):\n%s", path, diff)
	}
}

func TestRulePagesShowWhatTheSamplesGive(t *testing.T) {
	var doc strings.Builder
	doc.WriteString(preface)
	doc.WriteString("| id | name | severity | class | dsh | turnfix | finds that |\n|---|---|---|---|---|---|---|\n")
	for _, r := range rules.All() {
		fmt.Fprintf(&doc, "| %s | [%s](#%s-%s) | %s | %s | %s | %s | %s |\n",
			r.ID, r.Name, strings.ToLower(r.ID), r.Name, r.Severity, r.Class, r.Reader, r.Fix, r.Summary)
	}
	all := samples()
	for _, r := range rules.All() {
		fmt.Fprintf(&doc, "\n## %s %s\n\n%s, %s · dsh %s it · authority: %s · turnfix: %s\n\n",
			r.ID, r.Name, r.Severity, r.Class, r.Reader, r.Authority, r.Fix)
		doc.WriteString(strings.ReplaceAll(r.Doc, "\n## ", "\n### "))
		if tree := treeSampleOf(r); tree != nil {
			doc.WriteString(treeExample(t, tree))
			continue
		}
		if changed := databaseSampleOf(r); changed != nil {
			doc.WriteString(databaseExample(t, changed))
			continue
		}
		i := slices.IndexFunc(all, func(s sample) bool { return s.rule == r.Name })
		fmt.Fprintf(&doc, "\n### Example\n\n%s\n```\n%s```\n", source(&all[i]), output(inspect(t, all[i].bad, all[i].opt)))
		fmt.Fprintf(&doc, "\nLooks like it and is none: %s (`near%s`).\n", all[i].why, suffix(&all[i]))
	}
	golden(t, filepath.Join("..", "docs", "rules.md"), []byte(doc.String()))
}

const preface = `# Rules

What turnlint looks for. This page is made by ` + "`go test ./rules -update`" + ` from the rules themselves and from what they
find in their samples; ` + "`turnlint explain RULE`" + ` prints the same text.

The severity is the usual one: a finding is milder where dsh tolerates the defect as part of a torn tail. *Class* separates
what is damaged from what is intact but refused (incompatible) and from advice. The column *dsh* says what dsh 0.1.1-rc.2
does about it on load, or for the rules of the authority upgrade what the version does that is asked to take the log over, and *turnfix* how far it is repaired: safe by default, assisted when asked for by name (` + "`--allow NAME`" + `, or another
flag that the rule's page names), lossy only with ` + "`--allow-loss`" + `. Damage that lies on other damage may need more. ` + "`turnfix LOG`" + ` says what it does
with a log and why, names the flags that it lacks, and writes nothing; [repair.md](repair.md) goes through it all.

`

func suffix(s *sample) string {
	if s.zstd {
		return ".jsonl.zstd"
	}
	return ".jsonl"
}

func source(s *sample) string {
	if len(s.bad) > maxSample {
		return "In a log that is too large to show here:\n"
	}
	with := ""
	if len(s.opt.Readers) > 0 {
		with = ", with `--reader all`"
	}
	return fmt.Sprintf("In `testdata/rules/%s/bad%s`%s:\n", s.rule, suffix(s), with)
}

// output shows findings much as the text format does.
func output(r *rules.Result) string {
	var b strings.Builder
	for i := range r.Findings {
		f := &r.Findings[i]
		where := fmt.Sprintf("line %d", f.Place.Line)
		if f.Place.Line == 0 {
			where = fmt.Sprintf("byte %d of the file", f.Place.FileOff)
		}
		fmt.Fprintf(&b, "%s: %s: %s [%s %s]\n", where, f.Severity, f.Message, f.Rule.ID, f.Rule.Name)
		for _, a := range f.Answers {
			fmt.Fprintf(&b, "    %s\n", strings.TrimSpace(strings.Join(a.Versions, ", ")+": "+a.Text))
		}
		for _, related := range f.Related {
			if related.Place.Line > 0 {
				fmt.Fprintf(&b, "    line %d: %s\n", related.Place.Line, related.Message)
			} else {
				fmt.Fprintf(&b, "    byte %d of the file: %s\n", related.Place.FileOff, related.Message)
			}
		}
	}
	return b.String()
}
