package scan_test

import (
	"testing"

	"github.com/turnlint/turnlint/scan"
)

func TestVerdictsAreReadAsTheyAreSpelled(t *testing.T) {
	for want := scan.Opens; want <= scan.Unreadable; want++ {
		text, err := want.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var got scan.Verdict
		if err := got.UnmarshalText(text); err != nil || got != want {
			t.Errorf("%s is read as %s: %v", text, got, err)
		}
	}
	if err := new(scan.Verdict).UnmarshalText([]byte("fine")); err == nil {
		t.Error("fine is a verdict")
	}
}
