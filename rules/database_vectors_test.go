package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/rules"
)

// TestEveryRefusalOfADatabaseVectorHasAFinding also checks the reverse: that nothing
// is an error that dsh opens.
func TestEveryRefusalOfADatabaseVectorHasAFinding(t *testing.T) {
	vectortest.EachDatabase(t, checkDatabaseVector)
}

func checkDatabaseVector(t *testing.T, v *vectortest.Database) {
	d, err := database.Open(t.Context(), v.CopyToRead(t), database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
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
	for s, r := range checkedSessions(t, d) {
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
