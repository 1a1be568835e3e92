package repair_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

// plan plans the repair of an image without a name.
func plan(t *testing.T, image []byte, opt repair.Options) *repair.Plan {
	t.Helper()
	p, err := repair.NewPlan(bytes.NewReader(image), int64(len(image)), "", opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// write returns the repaired image, which must pass its own verification.
func write(t *testing.T, p *repair.Plan, image []byte) []byte {
	t.Helper()
	out := writeUnverified(t, p, image)
	if err := p.Verify(bytes.NewReader(out), int64(len(out))); err != nil {
		t.Errorf("repaired log: %v", err)
	}
	return out
}

func writeUnverified(t *testing.T, p *repair.Plan, image []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := p.Write(&out, bytes.NewReader(image)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// read returns what dsh's reader makes of an image.
func read(t *testing.T, image []byte, encoding scan.Encoding) *scan.Reading {
	t.Helper()
	r, err := scan.NewReader(bytes.NewReader(image), int64(len(image)), scan.Options{Encoding: encoding})
	if err != nil {
		t.Fatal(err)
	}
	m := scan.NewModel(scan.ModelOptions{Digests: true})
	for record := range r.Records() {
		m.Add(record)
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return m.Reading(r.Container())
}

// lines returns the lines of the decoded text, those in and behind damaged frames
// included, without LF.
func lines(t *testing.T, image []byte) []string {
	t.Helper()
	r, err := scan.NewReader(mended(t, image), int64(len(image)), scan.Options{Salvage: true})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for record := range r.Records() {
		all = append(all, string(record.Text))
	}
	return all
}

// mended returns the image with damaged sizes of frames put right.
func mended(t *testing.T, image []byte) *scan.Mended {
	t.Helper()
	flips, err := scan.FindFlips(bytes.NewReader(image), int64(len(image)))
	if err != nil {
		t.Fatal(err)
	}
	return &scan.Mended{Src: bytes.NewReader(image), Flips: flips}
}

func sha(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// testLog reads a file of testdata.
func testLog(t *testing.T, name string) []byte {
	t.Helper()
	image, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return image
}

// text joins lines, each with its LF.
func text(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// A log whose first turn is closed, and whose second is open.
const (
	header    = `{"type":"session","version":0,"id":"s","createdAt":1783950000000,"cwd":"/work","delegationDepth":0}`
	start1    = `{"type":"turn/start","seq":0,"time":10,"data":{"turn":1}}`
	end1      = `{"type":"turn/end","seq":1,"time":20,"data":{"turn":1,"reason":{"kind":"completed"}}}`
	start2    = `{"type":"turn/start","seq":2,"time":30,"data":{"turn":2}}`
	step2     = `{"type":"step/start","seq":3,"time":40,"data":{"turn":2,"step":1}}`
	stepEnd2  = `{"type":"step/end","seq":4,"time":50,"data":{"turn":2,"step":1}}`
	end2      = `{"type":"turn/end","seq":5,"time":60,"data":{"turn":2,"reason":{"kind":"completed"}}}`
	typed2    = `{"type":"todo/note","seq":2,"time":30,"data":{"text":"one\ntwo\nthree"},"ignorable":true}`
	closedAt3 = `{"type":"turn/end","seq":3,"time":30,"data":{"turn":2,"reason":{"kind":"interrupted"}}}`
	closedAt4 = `{"type":"step/end","seq":4,"time":40,"data":{"turn":2,"step":1}}`
	closedAt5 = `{"type":"turn/end","seq":5,"time":40,"data":{"turn":2,"reason":{"kind":"interrupted"}}}`
	closedAt6 = `{"type":"turn/end","seq":5,"time":50,"data":{"turn":2,"reason":{"kind":"interrupted"}}}`
)

// frame returns a zstd frame with the given text.
func frame(t *testing.T, text string) []byte {
	t.Helper()
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
	if err != nil {
		t.Fatal(err)
	}
	return enc.EncodeAll([]byte(text), nil)
}

// tornFrame returns the start of a frame with one raw block, which is cut behind
// the given text: what dsh recovers of it (docs/format.md §1.5).
func tornFrame(text string) []byte {
	n := len(text) + 100
	block := n<<3 | 1
	head := []byte{0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x58, byte(block), byte(block >> 8), byte(block >> 16)}
	return append(head, text...)
}
