package biglog

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Framing is how a log is stored.
type Framing string

// The framings. The header has a frame of its own in each, as dsh wants it.
const (
	Plain   Framing = "plain"   // uncompressed
	One     Framing = "one"     // one zstd frame for all events
	Batches Framing = "batches" // a zstd frame for each 200 ms batch, as dsh writes them
)

// Framings are all framings.
var Framings = []Framing{Plain, One, Batches}

// framer writes text in a framing.
type framer struct {
	out     io.Writer
	framing Framing
	text    bytes.Buffer // of the current batch
	packed  []byte
	encoder *zstd.Encoder
	begun   bool // the frame of the events
}

// window is that of the frames that dsh writes, in bytes.
const window = 2 << 20

// maxBuffered is the text, in bytes, that is written at a time.
const maxBuffered = 256 << 10

func newFramer(w io.Writer, framing Framing) (*framer, error) {
	f := &framer{out: w, framing: framing}
	switch framing {
	case Plain:
		return f, nil
	case One, Batches:
		var err error
		f.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true), zstd.WithWindowSize(window))
		return f, err
	}
	return nil, fmt.Errorf("framing %q: want one of %q", framing, Framings)
}

func (f *framer) write(line []byte) error {
	f.text.Write(line)
	if f.text.Len() < maxBuffered || f.framing == Batches {
		return nil
	}
	return f.pass()
}

// flush ends a batch.
func (f *framer) flush() error {
	switch {
	case f.framing == Plain || f.begun:
		return nil
	case f.framing == One: // behind the header
		err := f.frame()
		f.encoder.Reset(f.out)
		f.begun = true
		return err
	}
	return f.frame()
}

// pass hands over what is buffered.
func (f *framer) pass() error {
	defer f.text.Reset()
	if f.begun {
		_, err := f.encoder.Write(f.text.Bytes())
		return err
	}
	_, err := f.out.Write(f.text.Bytes())
	return err
}

// frame writes what is buffered as a frame.
func (f *framer) frame() error {
	if f.text.Len() == 0 {
		return nil
	}
	f.packed = f.encoder.EncodeAll(f.text.Bytes(), f.packed[:0])
	f.text.Reset()
	_, err := f.out.Write(f.packed)
	return err
}

func (f *framer) close() error {
	if f.framing == Batches {
		return f.frame()
	}
	if err := f.pass(); err != nil || !f.begun {
		return err
	}
	return f.encoder.Close()
}
