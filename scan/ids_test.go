package scan

import (
	"strings"
	"testing"
)

func TestMessageIDsAreThoseOfTheirSeqs(t *testing.T) {
	var ids messageIDs
	long := strings.Repeat("é", pageLen) // in three pages
	ids.add(3, "a")
	ids.add(4, long)
	ids.add(9, "ccc")
	for seq, want := range map[int64]string{0: "", 3: "a", 4: long, 5: "", 9: "ccc", 10: ""} {
		if got := ids.of(seq); got != want {
			t.Errorf("seq %d: %.20q, want %.20q", seq, got, want)
		}
	}
}
