package repair_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/repair"
)

// diffOf returns the diff of the repair of an image.
func diffOf(t *testing.T, image []byte, opt repair.Options, texts bool) string {
	t.Helper()
	p := plan(t, image, opt)
	repaired := writeUnverified(t, p, image)
	var out strings.Builder
	d, err := p.Diff(bytes.NewReader(image), bytes.NewReader(repaired), int64(len(repaired)))
	must(t, err)
	must(t, d.Write(&out, "before", "after", texts))
	return out.String()
}

func TestDiffShowsWhatTheRepairDoesToTheEvents(t *testing.T) {
	tests := []struct {
		name, image string
		opt         repair.Options
		texts       bool
		want        string
	}{
		{"a log that needs no repair has none", text(header, start1, end1), repair.Options{}, false, ""},
		{"closers are added", text(header, start1, end1, start2), repair.Options{}, false, `--- before
+++ after
@@ -1,3 +1,4 @@
 0 turn/start
 1 turn/end
 2 turn/start
+3 turn/end
`},
		{"events that dsh drops leave", text(header, start1, end1, start2) + step2, repair.Options{LikeDsh: true}, false, `--- before
+++ after
@@ -1,4 +1,4 @@
 0 turn/start
 1 turn/end
 2 turn/start
-3 step/start
+3 turn/end
`},
		{"texts are shown on request", text(header, start1), repair.Options{}, true, `--- before
+++ after
@@ -1 +1,2 @@
 0 turn/start {"type":"turn/start","seq":0,"time":10,"data":{"turn":1}}
+1 turn/end {"type":"turn/end","seq":1,"time":10,"data":{"turn":1,"reason":{"kind":"interrupted"}}}
`},
		{"the context is short", text(header, start1, end1, start2, step2, stepEnd2) + "{", repair.Options{}, false, `--- before
+++ after
@@ -3,3 +3,4 @@
 2 turn/start
 3 step/start
 4 step/end
+5 turn/end
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, diffOf(t, []byte(tt.image), tt.opt, tt.texts)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestDiffEscapesControlCharacters(t *testing.T) {
	const open = `{"type":"turn/start","seq":0,"time":10,"data":{"turn":1,"x":"\u009b"}}`
	const hostile = "{\"type\":\"note\u009b2J\",\"seq\":1,\"time\":30,\"ignorable\":true,\"data\":{\"text\":\"\u202e\"}}"
	got := diffOf(t, []byte(text(header, open, hostile)), repair.Options{}, true)
	if strings.ContainsAny(got, "\u009b\u202e\x1b") || !strings.Contains(got, `note\u009b2J`) {
		t.Errorf("the diff is %q", got)
	}
}
