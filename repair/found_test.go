package repair

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLogsThatWereFoundKeepTheInvariants repairs the logs with which a search has once
// broken an invariant; the directory of each says what it is.
func TestLogsThatWereFoundKeepTheInvariants(t *testing.T) {
	paths, err := filepath.Glob(filepath.FromSlash("testdata/found/*/session.jsonl*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no logs: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			image, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			checkInvariants(t, image, filepath.Base(path))
		})
	}
}
