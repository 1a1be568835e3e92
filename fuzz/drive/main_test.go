package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// driven judges n logs of a seed.
func driven(t *testing.T, n int, seed uint64) *driver {
	t.Helper()
	recipes, err := readFolder(filepath.Join("..", "corpus", "recipes"))
	if err != nil {
		t.Fatal(err)
	}
	d := &driver{n: n, deep: 100, seed: seed, found: t.TempDir(), outcomes: make(map[string]int)}
	if err := d.drive(newMutator(recipes, seed)); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestASeedDrawsTheSameLogs(t *testing.T) {
	once, twice, other := driven(t, 1000, 1), driven(t, 1000, 1), driven(t, 1000, 2)
	if diff := cmp.Diff(once.outcomes, twice.outcomes); diff != "" {
		t.Errorf("the outcomes differ:\n%s", diff)
	}
	if cmp.Equal(once.outcomes, other.outcomes) {
		t.Error("another seed draws the same logs")
	}
	if once.deeper != 10 {
		t.Errorf("%d logs go deeper, want 10", once.deeper)
	}
}

// TestDrawnLogsGetFarIntoTheReaders looks at how many of them end early.
func TestDrawnLogsGetFarIntoTheReaders(t *testing.T) {
	const n = 2000
	d := driven(t, n, 3)
	for outcome, least := range map[string]int{
		"read": n / 20, "read, behind it a torn tail": n / 10, "refused: corrupt session log: seq gap in committed region at line ": n / 20,
		"refused: corrupt session log: unparsable committed event at line ": n / 50, "refused: corrupt Zstandard session log: frame at byte ": n / 100,
	} {
		if d.outcomes[outcome] < least {
			t.Errorf("%q is the outcome of %d logs of %d, want at least %d", outcome, d.outcomes[outcome], n, least)
		}
	}
}

func TestALogOnWhichACheckFailsBecomesASeedOfItsTarget(t *testing.T) {
	d := &driver{found: t.TempDir()}
	recipe := []byte("\x00{\"a\"\n\xFF")
	failure := errors.New("they differ")
	err := d.keep("FuzzScanner", recipe, failure)
	names, _ := filepath.Glob(filepath.Join(d.found, "FuzzScanner", "*"))
	if !errors.Is(err, failure) || len(names) != 1 || !strings.Contains(err.Error(), names[0]) {
		t.Fatalf("error %v, files %q", err, names)
	}
	text, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", recipe); string(text) != want {
		t.Errorf("the seed is %q, want %q", text, want)
	}
}
