package report

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/rules"
)

// Store is a sessions directory and what a check made of it.
type Store struct {
	*rules.StoreResult
	// Aside is what is not among the Findings, or is there in another way.
	Aside Aside
	// Known are findings that a baseline knows, when they are to be listed too.
	Known []rules.Finding
	// Omitted is as in [File].
	Omitted Counts
}

// Counts is how many findings there are of each severity.
func (s *Store) Counts() Counts { return Count(s.Findings).plus(s.Omitted) }

// StoreJSON is what a JSON document has to say of a sessions directory.
type StoreJSON struct {
	SchemaVersion int   `json:"schemaVersion"`
	Store         any   `json:"store"`
	Findings      []any `json:"findings"`
}

// NewStoreJSON returns s as the JSON formats have it.
func NewStoreJSON(s *Store) *StoreJSON {
	j := &StoreJSON{SchemaVersion: schemaVersion, Store: newStoreSummary(s, 0), Findings: []any{}}
	for f := range listed(s.Path, s.Findings, s.Known) {
		j.Findings = append(j.Findings, f)
	}
	return j
}

// Store implements [Writer]. A sessions directory without findings is not listed:
// its logs are.
func (t *textWriter) Store(s *Store) error {
	t.total.addStore(s)
	t.aside.add(&s.Aside)
	if len(s.Findings)+len(s.Known) == 0 && s.Lists && !s.New {
		return nil
	}
	t.separate(true)
	fmt.Fprintf(t.w, "%s: %s\n", t.paint.bold.Sprint(escape.Line(s.Path)), t.listing(s))
	for i := range s.Findings {
		t.storeFinding(&s.Findings[i], false)
	}
	for i := range s.Known {
		t.storeFinding(&s.Known[i], true)
	}
	if s.Refusal != nil {
		t.say("dsh says: %v", quoted(s.Refusal.Text))
	}
	if first := worst(s.Findings); first != nil {
		t.say("next: %v", t.paint.bold.Sprint("turnlint explain "+first.Rule.ID))
	}
	return t.w.Flush()
}

// listing answers in one line what happens when dsh lists the sessions.
func (t *textWriter) listing(s *Store) string {
	switch {
	case s.New:
		return t.paint.green.Sprint(t.lang().Text("an empty database, of which dsh makes a new store"))
	case s.Unprocessed:
		return t.paint.red.Sprint(t.lang().Text("dsh opens no session of this database, and none was looked at"))
	case !s.Lists:
		return t.paint.red.Sprint(t.lang().Text("dsh cannot list any session of this store"))
	}
	return t.paint.green.Sprint(t.lang().Text("dsh lists the sessions of this store"))
}

// storeFinding writes the path on a line of its own: it is long, and the same for
// no two findings.
func (t *textWriter) storeFinding(f *rules.Finding, known bool) {
	fmt.Fprintf(t.w, "  %s\n    %s  %s  %s\n", escape.Line(f.Path), t.severity(f.Severity), t.message(f, known), t.ruleName(f))
	for _, other := range f.Others {
		fmt.Fprintf(t.w, "      %s: %s\n", escape.Line(other.Path), t.line(other.Message))
	}
}
