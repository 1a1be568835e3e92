//go:build !gofuzz

package fuzz

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// TestWhatChangesNoEventChangesNoVerdict writes sound logs in other ways that mean the
// same, or adds what is sound.
func TestWhatChangesNoEventChangesNoVerdict(t *testing.T) {
	logs := 0
	for _, log := range corpusLogs(t) {
		if log.Expect.Verdict != "opens" || log.Expect.Events == 0 {
			continue
		}
		text := plaintext(t, log.Data)
		want, err := lint(text)
		if err != nil || want.Reading.Generation > 0 || want.Projection {
			continue
		}
		logs++
		for name, other := range sameEvents(t, text) {
			got, err := lint(other)
			if err != nil {
				t.Fatal(err)
			}
			if got.Reading.Verdict != scan.Opens || got.Reading.Scan.Digest != want.Reading.Scan.Digest {
				t.Errorf("%s, %s: it %s with the events %.8s, want %.8s: %v", log.Path, name, got.Reading.Verdict, got.Reading.Scan.Digest, want.Reading.Scan.Digest, got.Reading.Refusal())
			}
		}
		checkCutTurns(t, log.Path, text)
		longer, err := lint(withTurn(text, want.Reading.Scan.Events, want.Turns))
		if err != nil {
			t.Fatal(err)
		}
		if longer.Reading.Verdict != scan.Opens || longer.Reading.Scan.Events != want.Reading.Scan.Events+2 {
			t.Errorf("%s, with another turn: it %s with %d events", log.Path, longer.Reading.Verdict, longer.Reading.Scan.Events)
		}
	}
	if logs < 5 {
		t.Errorf("%d logs, want at least 5", logs)
	}
}

// checkCutTurns cuts a sound plain log behind each turn, where nothing of it is open.
func checkCutTurns(t *testing.T, name string, text []byte) {
	t.Helper()
	var r scan.Record
	events, end := int64(-1), 0 // the header is none
	for line := range bytes.Lines(text) {
		r.Reparse(bytes.TrimSuffix(line, []byte("\n")))
		events += r.Events()
		end += len(line)
		if r.Kind != scan.Event || r.Event.Kind != session.TurnEnd {
			continue
		}
		cut, err := lint(text[:end])
		if err != nil {
			t.Fatal(err)
		}
		if cut.Reading.Verdict != scan.Opens || cut.Reading.Scan.Events != events {
			t.Errorf("%s, cut behind event %d: it %s with %d events: %v", name, events, cut.Reading.Verdict, cut.Reading.Scan.Events, cut.Reading.Refusal())
		}
	}
}

// sameEvents returns logs that tell the events of a plain one.
func sameEvents(t *testing.T, text []byte) map[string][]byte {
	t.Helper()
	header, rest, _ := bytes.Cut(text, []byte("\n"))
	header = append(bytes.Clone(header), '\n')
	inFrames := func(level zstd.EncoderLevel, parts ...[]byte) (log []byte) {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderCRC(true))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			log = e.EncodeAll(p, log)
		}
		return log
	}
	lines := [][]byte{header}
	for line := range bytes.Lines(rest) {
		lines = append(lines, line)
	}
	return map[string][]byte{
		"as one frame":                   inFrames(zstd.SpeedDefault, header, rest),
		"compressed as much as possible": inFrames(zstd.SpeedBestCompression, header, rest),
		"a frame for each line":          inFrames(zstd.SpeedFastest, lines...),
		"with carriage returns":          bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")),
		"with rows unpacked":             unpacked(lines),
	}
}

// unpacked writes the members of packed rows as events.
func unpacked(lines [][]byte) (text []byte) {
	var r scan.Record
	for i, line := range lines {
		r.Reparse(bytes.TrimSuffix(line, []byte("\n")))
		if i == 0 || r.Kind != scan.Row {
			text = append(text, line...)
			continue
		}
		for member := range r.Row.Events() {
			text = append(append(text, member...), '\n')
		}
	}
	return text
}

// withTurn appends an empty turn to a plain log of so many events and turns.
func withTurn(text []byte, events, turns int64) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `{"type":"turn/start","seq":%d,"time":1783960000000,"data":{"turn":%d}}`+"\n", events, turns+1)
	fmt.Fprintf(&b, `{"type":"turn/end","seq":%d,"time":1783960000000,"data":{"turn":%d,"reason":{"kind":"completed"}}}`+"\n", events+1, turns+1)
	return append(bytes.Clone(text), b.String()...)
}
