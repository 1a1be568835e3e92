package rules_test

import (
	"bytes"
	"testing"

	"github.com/turnlint/turnlint/internal/corpus"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// TestVerdictAndErrorsAgreeOnDamagedCopies damages every log of the corpus in many
// places: whatever comes of it, a log that dsh refuses or loses events of has an
// error, and one that it opens or repairs has none but broken relations.
func TestVerdictAndErrorsAgreeOnDamagedCopies(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	logs, err := corpus.Load(corpusDir)
	if err != nil {
		t.Fatal(err)
	}
	const maxSize, places = 8 << 10, 25
	for _, log := range logs {
		if len(log.Data) > maxSize {
			continue
		}
		t.Run(log.Path, func(t *testing.T) {
			for at := 0; at < len(log.Data); at += 1 + len(log.Data)/places {
				for _, flip := range []byte{0x01, 0x04, 0x20, 0x80} {
					damaged := bytes.Clone(log.Data)
					damaged[at] ^= flip
					agree(t, damaged, at)
				}
				agree(t, log.Data[:at], at)
			}
		})
	}
}

func agree(t *testing.T, log []byte, at int) {
	t.Helper()
	r := inspect(t, log, rules.Options{})
	switch {
	case r.Projection && r.Reading.Verdict != scan.Damaged:
		return // dsh refuses sound ones too
	case r.Reading.Verdict > scan.Recovers:
		if count(r.Findings, rules.Error) == 0 {
			t.Errorf("at %d: verdict %q (%v), but no error\n%s", at, r.Reading.Verdict, r.Reading.Refusal(), listing(r))
		}
		return
	}
	if r.Reading.Verdict == scan.Recovers && count(r.Findings, rules.Warning) == 0 {
		t.Errorf("at %d: verdict %q, but no warning\n%s", at, r.Reading.Verdict, listing(r))
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Severity == rules.Error && !breaksInvariant(f) {
			t.Errorf("at %d: verdict %q, but %s", at, r.Reading.Verdict, show(f))
		}
	}
}
