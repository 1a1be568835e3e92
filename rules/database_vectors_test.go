package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/rules"
)

// TestEveryRefusalOfADatabaseVectorHasAFinding also checks the reverse: that nothing
// is an error that dsh opens.
func TestEveryRefusalOfADatabaseVectorHasAFinding(t *testing.T) {
	vectors := vectortest.LoadDatabases(t)
	for i := range vectors {
		v := &vectors[i]
		if testing.Short() && i%5 > 0 {
			continue
		}
		t.Run(v.ID, func(t *testing.T) { checkDatabaseVector(t, v) })
	}
}

func checkDatabaseVector(t *testing.T, v *vectortest.Database) {
	dir := t.TempDir()
	path := v.Copy(t, dir)
	before := vectortest.Listing(t, dir)
	d, err := database.Open(t.Context(), path, database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		d.Close()
		if diff := cmp.Diff(before, vectortest.Listing(t, dir)); diff != "" {
			t.Errorf("the files changed (-before +after):\n%s", diff)
		}
	}()
	store, err := rules.CheckDatabase(t.Context(), d, "sessions.db")
	if err != nil {
		t.Fatal(err)
	}
	if store.Lists != v.Expect.List.OK {
		t.Errorf("dsh lists the sessions = %v, want %v", store.Lists, v.Expect.List.OK)
	}
	if !store.Lists && !hasError(store.Findings) {
		t.Errorf("dsh does not list the sessions, and no finding says so: %q", store.Refusal.Text)
	}
	if strings.HasPrefix(v.ID, "healthy/") && len(store.Findings) > 0 {
		t.Errorf("a sound database has findings: %v", messages(store.Findings))
	}
	if d.Refusal != nil || d.New {
		return
	}
	for s, err := range d.Sessions() {
		if err != nil {
			t.Fatal(err)
		}
		r, err := rules.CheckSession(s, rules.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %s: %v", database.Name(s.ID), r.Reading.Verdict, messages(r.Findings))
		if r.Reading.Refusal() != nil && !hasError(r.Findings) {
			t.Errorf("%s: dsh refuses the session, and no finding says so: %q", s.ID, r.Reading.Refusal().Text)
		}
	}
}

func hasError(findings []rules.Finding) bool {
	return slices.ContainsFunc(findings, func(f rules.Finding) bool { return f.Severity == rules.Error })
}

func messages(findings []rules.Finding) (all []string) {
	for i := range findings {
		f := &findings[i]
		all = append(all, f.Rule.ID+" "+f.Severity.String()+" "+f.Message)
	}
	return all
}
