package upgrade

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/scan"
)

// migrate runs a migration of a vector's image.
func migrate(t *testing.T, image []byte, encoding string, from, to int, opt Options) *Result {
	t.Helper()
	var err error
	if opt.Encoding, err = scan.ParseEncoding(encoding); err != nil {
		t.Fatal(err)
	}
	got, err := Run(bytes.NewReader(image), int64(len(image)), from, to, opt)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// compare checks the result of a migration against the reference.
func compare(t *testing.T, got *Result, want *vectortest.Migration) {
	t.Helper()
	r := got.Refusal()
	switch {
	case want.OK && r != nil:
		t.Errorf("refused with %s: %s, want a migrated log", r.Class, r.Text)
	case want.OK && (got.Events != int64(want.EventCount) || got.Digest != want.EventsSHA256):
		t.Errorf("%d events with the digest %s, want %d with %s", got.Events, got.Digest, want.EventCount, want.EventsSHA256)
	case want.OK && want.InheritedEventCount != nil && got.Inherited != int64(*want.InheritedEventCount):
		t.Errorf("%d inherited events, want %d", got.Inherited, *want.InheritedEventCount)
	case want.OK:
		compareStored(t, got.Stored, want.StoredCheck)
	case r == nil:
		t.Errorf("a migrated log, want %s: %s", want.ErrorClass, want.Error)
	case string(r.Class) != want.ErrorClass || r.Text != want.Error && !vectortest.EngineMessage(want.Error):
		t.Errorf("refused with\n%s: %s, want\n%s: %s", r.Class, r.Text, want.ErrorClass, want.Error)
	}
}

// compareStored checks why the harness does not open a log that it has migrated.
func compareStored(t *testing.T, got *Refusal, want *vectortest.Result) {
	t.Helper()
	switch {
	case got == nil && want == nil:
	case got == nil || want == nil:
		t.Errorf("the check of the migrated events gives %v, want %v", got, want)
	case string(got.Class) != want.ErrorClass || got.Text != want.Error:
		t.Errorf("the check of the migrated events gives\n%s: %s, want\n%s: %s", got.Class, got.Text, want.ErrorClass, want.Error)
	}
}

// children reads the evidence about sub-agents of a vector. It reports false for
// one that a caller of this package cannot express.
func children(t *testing.T, text json.RawMessage) (list []Child, ok bool) {
	t.Helper()
	if text == nil {
		return nil, true
	}
	var evidence []json.RawMessage
	if err := json.Unmarshal(text, &evidence); err != nil {
		t.Fatal(err)
	}
	for _, e := range evidence {
		var child struct {
			ChildID         string          `json:"childId"`
			ChildCreatedAt  int64           `json:"childCreatedAt"`
			DescriptorCount int             `json:"descriptorCount"`
			Descriptor      json.RawMessage `json:"descriptor"`
			SourcePath      string          `json:"sourcePath"`
		}
		if err := json.Unmarshal(e, &child); err != nil || child.Descriptor == nil {
			return nil, false
		}
		list = append(list, Child{
			ID: child.ChildID, CreatedAt: child.ChildCreatedAt,
			Descriptors: child.DescriptorCount, Descriptor: child.Descriptor, Path: child.SourcePath,
		})
	}
	return list, true
}

func TestMigrationsOfNativeLogsAgreeWithTheReference(t *testing.T) {
	for _, column := range []struct {
		name string
		to   int
	}{{"to_v3", 3}, {"to_v4", 4}} {
		checked := 0
		for _, n := range vectortest.LoadNative(t) {
			want, stated := vectortest.Column[vectortest.Migration](t, n.Expect, column.name)
			known, ok := children(t, n.Children)
			if !stated || !ok {
				continue
			}
			checked++
			t.Run(column.name+"/"+n.ID, func(t *testing.T) {
				compare(t, migrate(t, n.Image(t), n.Encoding, n.Version, column.to, Options{Children: known}), &want)
			})
		}
		t.Logf("%s: %d logs", column.name, checked)
		if checked < 600 {
			t.Errorf("%s: only %d logs", column.name, checked)
		}
	}
}

func TestMigrationsOfOldLogsToLaterGenerationsAgreeWithTheReference(t *testing.T) {
	for _, column := range []struct {
		name   string
		to     int
		strict bool
	}{{"to_v3", 3, false}, {"to_v4", 4, false}, {"to_v4_strict", 4, true}} {
		checked := 0
		for _, u := range vectortest.LoadUpgrade(t) {
			want, stated := vectortest.Column[vectortest.Migration](t, u.Expect, column.name)
			if !stated {
				continue
			}
			if want.Same {
				want, _ = vectortest.Column[vectortest.Migration](t, u.Expect, "to_v4")
			}
			checked++
			t.Run(column.name+"/"+u.ID, func(t *testing.T) {
				compare(t, migrate(t, u.Image(t), u.Encoding, u.SourceVersion, column.to, Options{Strict: column.strict}), &want)
			})
		}
		t.Logf("%s: %d logs", column.name, checked)
		if checked < 1000 {
			t.Errorf("%s: only %d logs", column.name, checked)
		}
	}
}
