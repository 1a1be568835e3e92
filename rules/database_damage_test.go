package rules_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/rules"
)

// TestNoDamageOfADatabaseIsAnError damages a database byte by byte: whatever comes of
// it is a finding or a refusal, and nothing that dsh refuses is without one.
func TestNoDamageOfADatabaseIsAnError(t *testing.T) {
	image, err := os.ReadFile(filepath.Join("..", "testdata", "database", "sessions.db"))
	if err != nil {
		t.Fatal(err)
	}
	step := 13
	if testing.Short() {
		step = 211
	}
	for off := 0; off < len(image); off += step {
		damaged := bytes.Clone(image)
		damaged[off] ^= byte(1) << (off % 8)
		checkDamaged(t, damaged, off)
	}
	for size := 0; size < len(image); size += 5 * step {
		checkDamaged(t, image[:size], size)
	}
}

func checkDamaged(t *testing.T, image []byte, off int) {
	t.Helper()
	d, err := database.OpenImage(t.Context(), bytes.NewReader(image), int64(len(image)), database.Options{})
	if err != nil {
		t.Fatalf("byte %d: %v", off, err)
	}
	defer d.Close()
	store, err := rules.CheckDatabase(t.Context(), d, "damaged.db")
	if err != nil {
		t.Fatalf("byte %d: %v", off, err)
	}
	if !store.Lists && !hasError(store.Findings) {
		t.Errorf("byte %d: dsh lists no session, and no finding says so", off)
	}
	if d.Refusal != nil || d.New {
		return
	}
	for s, err := range d.Sessions() {
		if err != nil {
			t.Fatalf("byte %d: %v", off, err)
		}
		r, err := rules.CheckSession(s, rules.Options{})
		if err != nil {
			t.Fatalf("byte %d: %v", off, err)
		}
		if r.Reading.Refusal() != nil && !hasError(r.Findings) {
			t.Errorf("byte %d: %q is refused, and no finding says so: %s", off, s.ID, r.Reading.Refusal().Text)
		}
	}
}
