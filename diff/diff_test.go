package diff_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/diff"
)

// words is a log whose events are words like "3start=text"; a ~ at the end says that
// the log has the event mended, a ! that it is made up. The first word is the header.
type words []string

func logOf(text string) words { return strings.Fields(text) }

func (w words) Header() []byte { return []byte(w[0]) }
func (w words) Err() error     { return nil }

func (w words) Events() iter.Seq[diff.Event] {
	return func(yield func(diff.Event) bool) {
		for _, word := range w[1:] {
			word, mended := strings.CutSuffix(word, "~")
			word, madeUp := strings.CutSuffix(word, "!")
			var e diff.Event
			name, text, _ := strings.Cut(word, "=")
			if _, err := fmt.Sscanf(name, "%d%s", &e.Seq, &e.Type); err != nil {
				panic(err)
			}
			e.Text, _ = json.Marshal(name + text)
			e.Mended, e.MadeUp = mended, madeUp
			if !yield(e) {
				return
			}
		}
	}
}

func TestEveryEventIsKeptDroppedRewrittenOrSynthesised(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       diff.Counts
		changes    string
	}{
		{"the same log", "h 0start 1end", "h 0start 1end", diff.Counts{Kept: 2}, ""},
		{"no events", "h", "h", diff.Counts{}, ""},
		{"an end is dropped", "h 0start 1end", "h 0start", diff.Counts{Kept: 1, Dropped: 1}, "-1end"},
		{"an end is made up", "h 0start", "h 0start 1end", diff.Counts{Kept: 1, Synthesised: 1}, "+1end"},
		{"another text under the same name", "h 0start 1user=a 2end", "h 0start 1user=b 2end", diff.Counts{Kept: 3, Rewritten: 1}, "~1user"},
		{"another type at the same seq", "h 0start 1step", "h 0start 1end", diff.Counts{Kept: 1, Dropped: 1, Synthesised: 1}, "-1step +1end"},
		{"the same text, mended", "h 0note=a~ 1end", "h 0note=a 1end", diff.Counts{Kept: 2, Rewritten: 1}, "~0note"},
		{"a second copy is dropped", "h 0start 1end 0start 1end 2start", "h 0start 1end 2start", diff.Counts{Kept: 3, Dropped: 2}, "-0start -1end"},
		{
			"of two events with one name the first is rewritten",
			"h 0user=a 0user=b 1end", "h 0user=c 1end",
			diff.Counts{Kept: 2, Dropped: 1, Rewritten: 1},
			"-0user ~0user",
		},
		{
			"a made-up event takes the place of another",
			"h 0start 1step/end=a 2turn/end=b", "h 0start 1step/end=c 2turn/end=d!",
			diff.Counts{Kept: 1, Dropped: 2, Synthesised: 2},
			"-1step/end -2turn/end +1step/end +2turn/end",
		},
		{"an event that moves", "h 0a 1b 2c", "h 2c 0a 1b", diff.Counts{Kept: 2, Dropped: 1, Synthesised: 1}, "+2c -2c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := diff.Compare(logOf(tt.a), logOf(tt.b))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, d.Counts); diff != "" {
				t.Errorf("counts (-want +got):\n%s", diff)
			}
			if got := changes(d); got != tt.changes {
				t.Errorf("changes %q, want %q", got, tt.changes)
			}
			if d.Same() != (tt.changes == "") {
				t.Errorf("same: %t", d.Same())
			}
		})
	}
}

// changes returns the changes as words: - dropped, ~ rewritten, + synthesised.
func changes(d *diff.Diff) string {
	var all []string
	for c := range d.Changes(false) {
		switch {
		case c.A == nil:
			all = append(all, fmt.Sprintf("+%d%s", c.B.Seq, c.B.Type))
		case c.B == nil:
			all = append(all, fmt.Sprintf("-%d%s", c.A.Seq, c.A.Type))
		default:
			all = append(all, fmt.Sprintf("~%d%s", c.B.Seq, c.B.Type))
		}
	}
	return strings.Join(all, " ")
}

func TestAnotherHeaderIsADifference(t *testing.T) {
	d, err := diff.Compare(logOf("one 0start"), logOf("two 0start"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := d.Write(&out, "a", "b", true); err != nil {
		t.Fatal(err)
	}
	want := "--- a\n+++ b\n-header one\n+header two\n"
	if diff := cmp.Diff(want, out.String()); d.Same() || diff != "" {
		t.Errorf("same: %t; (-want +got):\n%s", d.Same(), diff)
	}
}

func TestAnEventWithoutSeqHasNoNumber(t *testing.T) {
	d, err := diff.Compare(logOf("h"), logOf("h -1note"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := d.Write(&out, "a", "b", false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("--- a\n+++ b\n@@ -0,0 +1 @@\n+- note\n", out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// unreadable is a log that cannot be read to its end.
type unreadable struct{ words }

var errRead = errors.New("input/output error")

func (unreadable) Err() error { return errRead }

func TestALogThatCannotBeReadIsAnError(t *testing.T) {
	if _, err := diff.Compare(logOf("h 0start"), unreadable{logOf("h 0start")}); !errors.Is(err, errRead) {
		t.Errorf("error %v", err)
	}
}
