//go:build !gofuzz

package fuzz

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// plain texts of a log of two turns, in the batches of its writer.
var algebraBatches = []string{
	`{"type":"session","version":0,"id":"s","createdAt":1783950000000,"cwd":"/work","delegationDepth":0}` + "\n",
	`{"type":"turn/start","seq":0,"time":10,"data":{"turn":1}}` + "\n" +
		`{"type":"turn/end","seq":1,"time":20,"data":{"turn":1,"reason":{"kind":"completed"}}}` + "\n",
	`{"type":"turn/start","seq":2,"time":30,"data":{"turn":2}}` + "\n",
	`{"type":"turn/end","seq":3,"time":40,"data":{"turn":2,"reason":{"kind":"completed"}}}` + "\n",
}

func framesOf(batches ...string) (all [][]byte) {
	for _, b := range batches {
		all = append(all, compress([]byte(b)))
	}
	return all
}

// TestFrameAlgebra takes a log apart into frames and puts it together in other ways.
// Below the turns nothing tells that a whole frame is missing or doubled.
func TestFrameAlgebra(t *testing.T) {
	whole := strings.Join(algebraBatches[1:], "")
	half := len(algebraBatches[1]) - 30
	edit := func(do func([][]byte) [][]byte) []byte { return bytes.Join(do(framesOf(algebraBatches...)), nil) }
	tests := map[string]struct {
		log     []byte
		verdict string
	}{
		"as it was written":               {edit(func(f [][]byte) [][]byte { return f }), "opens"},
		"without its last frame":          {edit(func(f [][]byte) [][]byte { return f[:3] }), "recovers"},
		"without a frame in the middle":   {edit(func(f [][]byte) [][]byte { return slices.Delete(f, 1, 2) }), "damaged"},
		"without its header":              {edit(func(f [][]byte) [][]byte { return f[1:] }), "damaged"},
		"a frame twice":                   {edit(func(f [][]byte) [][]byte { return slices.Insert(f, 2, f[1]) }), "damaged"},
		"the header twice":                {edit(func(f [][]byte) [][]byte { return slices.Insert(f, 1, f[0]) }), "damaged"},
		"the last frame twice":            {edit(func(f [][]byte) [][]byte { return append(f, f[3]) }), "damaged"},
		"two frames swapped":              {edit(func(f [][]byte) [][]byte { f[1], f[2] = f[2], f[1]; return f }), "damaged"},
		"all batches in one frame":        {bytes.Join(framesOf(algebraBatches[0], whole), nil), "opens"},
		"the header with the events":      {bytes.Join(framesOf(algebraBatches[0]+whole), nil), "damaged"},
		"the header in two frames":        {bytes.Join(framesOf(algebraBatches[0][:40], algebraBatches[0][40:], whole), nil), "damaged"},
		"a frame for each half of a line": {bytes.Join(framesOf(algebraBatches[0], whole[:half], whole[half:]), nil), "opens"},
		"an empty frame in the middle":    {bytes.Join(framesOf(algebraBatches[0], algebraBatches[1], "", algebraBatches[2], algebraBatches[3]), nil), "opens"},
		"an empty frame first":            {bytes.Join(framesOf("", algebraBatches[0], whole), nil), "damaged"},
		"a skippable frame":               {edit(func(f [][]byte) [][]byte { return slices.Insert(f, 1, skippable) }), "damaged"},
		"zeros behind the last frame":     {edit(func(f [][]byte) [][]byte { return append(f, make([]byte, 100)) }), "damaged"},
		"three bytes behind it":           {edit(func(f [][]byte) [][]byte { return append(f, []byte("abc")) }), "recovers"},
		"without checksums":               {unchecked(t, algebraBatches...), "opens"},
		"in raw blocks":                   {bytes.Join([][]byte{store([]byte(algebraBatches[0])), store([]byte(whole))}, nil), "opens"},
		"with a dictionary":               {edit(func(f [][]byte) [][]byte { f[1] = withDictionary(f[1]); return f }), "damaged"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if err := CheckScanner(test.log); err != nil {
				t.Error(err)
			}
			if err := CheckFix(test.log); err != nil {
				t.Error(err)
			}
			result, err := lint(test.log)
			if err != nil {
				t.Fatal(err)
			}
			if got := result.Reading.Verdict.String(); got != test.verdict {
				t.Errorf("verdict %s, want %s: %v", got, test.verdict, result.Reading.Refusal())
			}
		})
	}
}

// skippable is a frame that every decoder passes over (RFC 8878 §3.1.2).
var skippable = append(binary.LittleEndian.AppendUint32(nil, 0x184D2A50), 3, 0, 0, 0, 'a', 'b', 'c')

func unchecked(t *testing.T, batches ...string) (log []byte) {
	t.Helper()
	e, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range batches {
		log = e.EncodeAll([]byte(b), log)
	}
	return log
}

// withDictionary gives a frame a dictionary id of one byte (RFC 8878 §3.1.1.1.3).
func withDictionary(frame []byte) []byte {
	at := 6 // behind magic, descriptor and window
	if frame[4]&0x20 != 0 {
		at = 5 // a single segment has no window
	}
	frame = slices.Insert(bytes.Clone(frame), at, 7)
	frame[4] |= 1
	return frame
}
