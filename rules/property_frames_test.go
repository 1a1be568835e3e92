package rules_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"github.com/turnlint/turnlint/rules"
)

// lineFlaws are edits that break a rule by what one line says, whatever stands around
// it.
var lineFlaws = []illegal{
	{rule: rules.NegativeZero, edit: substitute(`"data":{`, `"data":{"x":-0,`)},
	{rule: rules.NumberOverflow, edit: substitute(`"data":{`, `"data":{"x":1e400,`)},
	{rule: rules.DuplicateKey, edit: substitute(`"data":{`, `"data":{"x":1,"x":2,`)},
	{rule: rules.LoneSurrogate, edit: substitute(`"data":{`, `"data":{"x":"\ud800",`)},
}

// framedLog draws a legal log in frames of a few lines, with flaws in some lines.
func framedLog(t *rapid.T, e *zstd.Encoder) (frames [][]byte) {
	lines := legalLog(t, allDialects[len(allDialects)-1])
	for i := 1; i < len(lines); i++ {
		if rapid.IntRange(0, 3).Draw(t, "flaw") == 0 {
			lines[i] = rapid.SampledFrom(lineFlaws).Draw(t, "which").edit(lines[i])
		}
	}
	for n := 1; len(lines) > 0; n = min(len(lines), rapid.IntRange(1, 4).Draw(t, "lines")) {
		frames = append(frames, e.EncodeAll([]byte(strings.Join(lines[:n], "")), nil))
		lines = lines[n:]
	}
	return frames
}

// flawsOf lists the findings of lineFlaws in a log that lie outside of some bytes of it.
func flawsOf(t *rapid.T, log []byte, from, to int) (places []string) {
	r, err := rules.Check(bytes.NewReader(log), int64(len(log)), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		isFlaw := slices.ContainsFunc(lineFlaws, func(l illegal) bool { return l.rule == f.Rule })
		if at := int(f.Place.FileOff); isFlaw && (at < from || at >= to) {
			places = append(places, f.Rule.Name+" "+f.Message)
		}
	}
	return places
}

// TestADamagedFrameChangesNoFindingOutsideOfIt damages the checksum of one frame.
func TestADamagedFrameChangesNoFindingOutsideOfIt(t *testing.T) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	rapid.Check(t, func(t *rapid.T) {
		frames := framedLog(t, e)
		log := bytes.Join(frames, nil)
		n := rapid.IntRange(1, len(frames)-1).Draw(t, "frame")
		from := len(bytes.Join(frames[:n], nil))
		to := from + len(frames[n])
		want := flawsOf(t, log, from, to)
		seen += len(want)
		log[to-1] ^= 1
		if got := flawsOf(t, log, from, to); !slices.Equal(got, want) {
			t.Fatalf("with frame %d of %d damaged:\n%q\nwant\n%q", n+1, len(frames), got, want)
		}
	})
	if seen == 0 {
		t.Error("no log had a finding outside of its damaged frame")
	}
}
