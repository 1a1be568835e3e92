package rules_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

func inspect(t *testing.T, image []byte, opt rules.Options) *rules.Result {
	t.Helper()
	result, err := rules.Check(bytes.NewReader(image), int64(len(image)), opt)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func count(findings []rules.Finding, severity rules.Severity) int {
	n := 0
	for i := range findings {
		if findings[i].Severity == severity {
			n++
		}
	}
	return n
}

// breaksInvariant reports whether a finding is about a relation that dsh does
// not check when it opens a log.
func breaksInvariant(f *rules.Finding) bool {
	return f.Rule.ID[2] == '4' || f.Rule.ID[2] == '5' || f.Rule == rules.InboxSplice
}

func TestVerdictsAndErrorsOfEveryVectorAgree(t *testing.T) {
	vectors := vectortest.Load(t)
	for i := range vectors {
		v := &vectors[i]
		encoding, err := scan.ParseEncoding(v.Encoding)
		if err != nil {
			t.Fatal(err)
		}
		r := inspect(t, v.Image(t), rules.Options{Encoding: encoding})
		errors := count(r.Findings, rules.Error)
		if r.Reading.Verdict > scan.Recovers {
			if errors == 0 && (!r.Projection || r.Reading.Verdict == scan.Damaged) {
				t.Errorf("%s (%s): verdict %q without an error; %v", v.ID, v.Kind, r.Reading.Verdict, r.Reading.Refusal())
			}
			continue
		}
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Severity == rules.Error && !breaksInvariant(f) {
				t.Errorf("%s (%s): verdict %q, but an error: %s", v.ID, v.Kind, r.Reading.Verdict, show(f))
			}
		}
		if v.Kind == "identity" && r.Reading.Verdict == scan.Opens && len(v.Expect.Invariants) == 0 && !looseHook[v.ID] {
			for i := range r.Findings {
				if f := &r.Findings[i]; f.Severity > rules.Note {
					t.Errorf("%s (%s %s): a clean log has %s", v.ID, v.Group, v.Kind, show(f))
				}
			}
		}
	}
}

// looseHook is a fixture of the reference whose hook/result stands outside any
// turn, which the owner of hooks forbids and the reference does not check.
var looseHook = map[string]bool{"hydrated/test-support__acp-snapshot__suite__blocked-log__session/raw/identity": true}

func show(f *rules.Finding) string {
	seq := "-"
	if f.Seq != nil {
		seq = fmt.Sprint(*f.Seq)
	}
	return fmt.Sprintf("line %d seq %s frame %d plain %d file %d: %s %s %s: %s (%d more) %s", f.Place.Line, seq, f.Place.Frame,
		f.Place.PlainOff, f.Place.FileOff, f.Severity, f.Rule.ID, f.Rule.Name, f.Message, f.Consequences, f.Reader)
}

func TestDamageCasesAreFoundWhereTheyAre(t *testing.T) {
	for _, c := range vectortest.Cases(t) {
		t.Run(c.Name, func(t *testing.T) {
			image, err := os.ReadFile(c.Log)
			if err != nil {
				t.Fatal(err)
			}
			opt := rules.Options{Path: c.Log}
			if root := c.Expect.Input.Root; root != "" {
				opt.Root = filepath.Join(c.Dir, root)
			}
			r := inspect(t, image, opt)
			if want := verdicts[c.Expect.Upstream]; !slices.Contains(want, r.Reading.Verdict) && !ofTheStore[c.Name] {
				t.Errorf("verdict %q, want one of %v", r.Reading.Verdict, want)
			}
			for i := range c.Expect.Findings {
				want := &c.Expect.Findings[i]
				aboutStore := want.Path != "" && want.Line == 0
				if !aboutStore && !slices.ContainsFunc(r.Findings, func(f rules.Finding) bool { return finds(&f, want) }) {
					t.Errorf("nothing is found at the place of %+v", *want)
				}
			}
			if t.Failed() || testing.Verbose() {
				for i := range r.Findings {
					t.Log(show(&r.Findings[i]))
				}
			}
		})
	}
}

// verdicts has the verdicts that go with what the reference does.
var verdicts = map[string][]scan.Verdict{
	"loads":   {scan.Opens, scan.Loses},
	"repairs": {scan.Recovers, scan.Loses},
	"refuses": {scan.Damaged, scan.Incompatible, scan.Unreadable},
}

// ofTheStore are the cases that the reference refuses for other files beside the log.
var ofTheStore = map[string]bool{"74-both-encodings-present": true}

// finds reports whether a finding, or a place related to it, is the wanted one.
func finds(f *rules.Finding, want *vectortest.CaseFinding) bool {
	places := []scan.Place{f.Place}
	for _, r := range f.Related {
		places = append(places, r.Place)
	}
	return slices.ContainsFunc(places, func(p scan.Place) bool {
		switch {
		case want.Line > 0:
			return p.Line == want.Line && (want.ByteOffset == nil || p.PlainOff == *want.ByteOffset) &&
				(want.FrameOffset == nil || p.FileOff == *want.FrameOffset)
		case want.FileOffset != nil:
			return p.FileOff == *want.FileOffset
		}
		return f.Seq != nil && *f.Seq == *want.Seq
	})
}
