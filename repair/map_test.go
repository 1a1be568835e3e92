package repair_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/repair"
)

// mapOf returns the damage map of an image.
func mapOf(t *testing.T, image []byte) *repair.Map {
	t.Helper()
	m, err := repair.NewMap(bytes.NewReader(image), plan(t, image, repair.Options{}))
	must(t, err)
	return m
}

// rangesOf returns the ranges of a map as text, one a line.
func rangesOf(m *repair.Map) string {
	var b strings.Builder
	for _, r := range m.Ranges {
		fmt.Fprintf(&b, "%d+%d %s %d-%d\n", r.FileOff, r.Len, r.Status, r.First, r.Last)
	}
	return b.String()
}

func TestTheMapOfAPlainLogSaysWhichLinesAreDamaged(t *testing.T) {
	const blank = ""
	tests := []struct {
		name, image, want string
	}{
		{"an empty file has no ranges", "", ""},
		{"a good log", text(header, start1, end1), "0+100 header 1-1\n100+144 good 2-3\n"},
		{"a partial line is torn", text(header, start1, end1) + "{", "0+100 header 1-1\n100+144 good 2-3\n244+1 torn 4-4\n"},
		{
			"a line that is none is damaged", text(header, start1, "{", end1),
			"0+100 header 1-1\n100+58 good 2-2\n158+2 damaged 3-3\n160+86 good 4-4\n",
		},
		{
			"NUL bytes are foreign", text(header, start1, "\x00\x00"+end1),
			"0+100 header 1-1\n100+58 good 2-2\n158+88 foreign 3-3\n",
		},
		{
			"a repeated event is damaged", text(header, start1, start1, end1),
			"0+100 header 1-1\n100+58 good 2-2\n158+58 damaged 3-3\n216+86 good 4-4\n",
		},
		{
			"a blank line is damaged", text(header, start1, blank, end1),
			"0+100 header 1-1\n100+58 good 2-2\n158+1 damaged 3-3\n159+86 good 4-4\n",
		},
		{"a file that is no log", "PNG\n", "0+4 foreign 1-1\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, rangesOf(mapOf(t, []byte(tt.image)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheMapOfAZstdLogSaysWhichFramesAreDamaged(t *testing.T) {
	head, first, second := frame(t, text(header)), frame(t, text(start1, end1)), frame(t, text(start2))
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	// A frame whose only block claims the frames behind it.
	swallowing := tornFrame("")
	broken := bytes.Clone(first)
	broken[len(broken)-1] ^= 1 // of the checksum
	tests := []struct {
		name  string
		image []byte
		want  string // N is a frame of the case: its length
	}{
		{"a good log", join(head, first, second), "header 1-1, good 2-3"},
		{"a torn frame", join(head, first, tornFrame(text(start2))), "header 1-1, good 2-2, torn 3-3"},
		{"a frame that is cut in its header", join(head, first, []byte("\x28\xB5")), "header 1-1, good 2-2, torn 0-0"},
		{"a checksum that differs", join(head, broken, second), "header 1-1, damaged 2-2, good 3-3"},
		{"bytes behind the frames", join(head, first, []byte("text")), "header 1-1, good 2-2, foreign 0-0"},
		{"NUL bytes between frames", join(head, make([]byte, 9), first), "header 1-1, foreign 0-0, hidden 2-2"},
		{"frames behind a damaged size", join(head, swallowing, first, second), "header 1-1, damaged 2-2, hidden 3-4"},
		{"everything in one frame", frame(t, text(header, start1, end1)), "good 1-1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := mapOf(t, tt.image)
			var got []string
			for _, r := range m.Ranges {
				got = append(got, fmt.Sprintf("%s %d-%d", r.Status, r.First, r.Last))
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			checkCovers(t, m, int64(len(tt.image)))
		})
	}
}

// checkCovers checks that the ranges cover the file without gap or overlap, and
// that neighbours differ.
func checkCovers(t *testing.T, m *repair.Map, size int64) {
	t.Helper()
	end := int64(0)
	for i, r := range m.Ranges {
		if r.FileOff != end || r.Len <= 0 {
			t.Errorf("range %d is %d bytes at %d, want some at %d", i, r.Len, r.FileOff, end)
		}
		if i > 0 && r.Status == m.Ranges[i-1].Status {
			t.Errorf("ranges %d and %d are both %s", i-1, i, r.Status)
		}
		end = r.FileOff + r.Len
	}
	if end != size {
		t.Errorf("the ranges end at %d of %d bytes", end, size)
	}
}

func TestMapsOfDamagedCasesCoverThemAndHoldNoContent(t *testing.T) {
	for _, c := range vectortest.Cases(t) {
		t.Run(c.Name, func(t *testing.T) {
			image := readFile(t, c.Log)
			m := mapOf(t, image)
			checkCovers(t, m, int64(len(image)))
			out, err := json.Marshal(m)
			must(t, err)
			for _, content := range []string{`"type"`, "turn/", "session-0", "demo"} {
				if bytes.Contains(out, []byte(content)) {
					t.Errorf("the map has %q: %s", content, out)
				}
			}
		})
	}
}

func FuzzMap(f *testing.F) {
	for _, seed := range []string{text(header, start1, end1), text(header, start1) + "{", "", "\x28\xb5\x2f\xfd", "\x00\n\n\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, image []byte) { checkCovers(t, mapOf(t, image), int64(len(image))) })
}
