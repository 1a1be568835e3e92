package repair

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/turnlint/turnlint/scan"
)

// applied repairs a log in a new directory.
func applied(t *testing.T, image []byte, compressed bool, opt Options) (*Outcome, *Committer) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, nameOf(compressed))
	if err := os.WriteFile(path, image, 0o600); err != nil {
		t.Fatalf("%v", err)
	}
	c := &Committer{FS: Disk{}, StateDir: filepath.Join(dir, "state"), AssumeStopped: true}
	out, err := c.Apply(t.Context(), path, opt)
	if err != nil || out.Plan.Action != Repair {
		t.Fatalf("%v; %+v", err, out)
	}
	return out, c
}

// readEdits reads what lost+found says of the edits of a repair.
func readEdits(t failer, manifest string) []editRecord {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(manifest), lostFoundName, editsName))
	if err != nil {
		t.Fatalf("%v", err)
	}
	return parseEdits(t, text)
}

func parseEdits(t failer, text []byte) (all []editRecord) {
	t.Helper()
	for line := range bytes.Lines(text) {
		var e editRecord
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, e)
	}
	return all
}

// takeBack undoes edits of a repaired record, which are in the order of their places.
func takeBack(record string, edits []editRecord) string {
	var b strings.Builder
	done := 0 // of record
	shift := 0
	for _, e := range edits {
		at := e.At + shift
		b.WriteString(record[done:at] + string(e.Before))
		done = at + len(e.After)
		shift += len(e.After) - len(e.Before)
	}
	b.WriteString(record[done:])
	return b.String()
}

// linesOf returns the lines of a log with their offsets in the decoded text.
func linesOf(t failer, image []byte) (texts []string, offs []int64) {
	t.Helper()
	r, err := scan.NewReader(bytes.NewReader(image), int64(len(image)), scan.Options{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	for record := range r.Records() {
		texts = append(texts, string(record.Text))
		offs = append(offs, record.PlainOff)
	}
	return texts, offs
}

// spaced draws white space before and behind a line, and in it where no string is.
func spaced(t *rapid.T, line string) string {
	space := func() string { return rapid.SampledFrom([]string{"", "", "", " ", "\t "}).Draw(t, "space") }
	line = strings.ReplaceAll(line, `,"`, space()+`,`+space()+`"`)
	return space() + line + space() + rapid.SampledFrom([]string{"", "\r"}).Draw(t, "end")
}

func TestEditsAreTheOnlyDifferenceOfARepairedLog(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := healthy(3)
		compressed := rapid.Bool().Draw(rt, "compressed")
		for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(editDamages)-1), 1, 4, rapid.ID[int]).Draw(rt, "damages") {
			b = editDamages[i].lines(b, rapid.IntRange(0, 20).Draw(rt, "place"))
		}
		for i := range b[1:] {
			for j := range b[1+i] {
				b[1+i][j] = spaced(rt, b[1+i][j])
			}
		}
		image := render(b, compressed)
		p := planFor(rt, image, nameOf(compressed), everything())
		if p.Action != Repair || p.Ledger.Dropped > 0 {
			rt.Fatalf("%s, %d events dropped: %s", p.Action, p.Ledger.Dropped, p.Reason)
		}
		var list bytes.Buffer
		if err := p.writeEdits(&list, bytes.NewReader(image)); err != nil {
			rt.Fatalf("%v", err)
		}
		edits := parseEdits(rt, list.Bytes())
		before, offs := linesOf(rt, image)
		after, _ := linesOf(rt, imageOf(rt, p, image))
		for i := range after {
			own := slices.DeleteFunc(slices.Clone(edits), func(e editRecord) bool { return e.PlainOff != offs[i] })
			after[i] = takeBack(after[i], own)
		}
		if diff := cmp.Diff(before, after); diff != "" {
			rt.Errorf("the log with its edits taken back (-want +got):\n%s", diff)
		}
	})
}

func TestWhatEditsTakeAwayLiesInLostAndFound(t *testing.T) {
	b := healthy(1)
	i, j := b.find(0, `"type":"user/message"`)
	b = b.with(i, j, strings.Replace(b[i][j], `{`, "{\"\xFF\": [ \"<\xFE\" ],", 1))
	i, j = b.find(0, `"type":"step/start"`)
	b = b.with(i, j, strings.Replace(b[i][j], `,"data"`, `.25,"data"`, 1))
	image := render(b, true)
	out, c := applied(t, image, true, Options{Allow: []Permission{"move-member=user/message:\uFFFD", "round-time=step/start"}})
	texts, offs := linesOf(t, image)
	at := func(k int, text string) (int64, int) { return offs[k], strings.Index(texts[k], text) }
	moved, cut := slices.IndexFunc(texts, func(s string) bool { return strings.Contains(s, "\xFF") }), slices.IndexFunc(texts, func(s string) bool { return strings.Contains(s, ".25") })
	movedOff, movedAt := at(moved, "\"\xFF\"")
	cutOff, cutAt := at(cut, "1783950000028.25")
	want := []editRecord{
		{movedOff, movedAt, "\uFFFD", "move-member=user/message:\uFFFD", "\"\xFF\": [ \"<\xFE\" ],", ""},
		{cutOff, cutAt, "time", "round-time=step/start", "1783950000028.25", "1783950000028"},
	}
	if diff := cmp.Diff(want, readEdits(t, out.Manifest)); diff != "" {
		t.Errorf("edits (-want +got):\n%s", diff)
	}
	if _, err := c.Undo(t.Context(), out.Target); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(out.Target); err != nil || !bytes.Equal(got, image) {
		t.Errorf("the undone log is not the damaged one: %v", err)
	}
}

func TestARepairWithoutEditsHasNoListOfThem(t *testing.T) {
	out, _ := applied(t, append(render(healthy(1), false), `{"ty`...), false, Options{})
	if _, err := os.Stat(filepath.Join(filepath.Dir(out.Manifest), lostFoundName, editsName)); !os.IsNotExist(err) {
		t.Errorf("the list: %v", err)
	}
}
