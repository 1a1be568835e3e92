package repair

import (
	"bufio"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/scan"
)

// Write writes the repaired log. src is the log that p was made from. The same
// plan gives the same bytes every time.
func (p *Plan) Write(w io.Writer, src io.ReaderAt) error {
	out := bufio.NewWriter(w)
	if _, err := io.CopyN(out, io.NewSectionReader(src, 0, p.Size), p.Keep); err != nil {
		return err
	}
	if len(p.Again)+len(p.Closers) > 0 {
		if err := p.writeBatch(out, src); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeBatch writes what follows the kept bytes: in a zstd log as one frame, as
// dsh does (docs/format.md §5.1).
func (p *Plan) writeBatch(w io.Writer, src io.ReaderAt) error {
	if p.Options.Encoding == scan.Plain {
		return p.writeLines(w, src)
	}
	frame, err := newFrame(w)
	if err != nil {
		return err
	}
	if err := p.writeLines(frame, src); err != nil {
		frame.Close()
		return err
	}
	// Without a flush the encoder knows the content size when it writes the frame
	// header, and declares it; dsh's frames do not.
	if err := frame.Flush(); err != nil {
		return err
	}
	return frame.Close()
}

// newFrame returns an encoder whose frames start like those of dsh: checksum
// flag, window descriptor 0x58. One goroutine and fixed settings make its output
// depend on its input alone.
func newFrame(w io.Writer) (*zstd.Encoder, error) {
	return zstd.NewWriter(w,
		zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderLevel(zstd.SpeedDefault),
		zstd.WithWindowSize(2<<20),
		zstd.WithEncoderCRC(true),
		zstd.WithSingleSegment(false))
}

func (p *Plan) writeLines(w io.Writer, src io.ReaderAt) error {
	if err := p.writeAgain(w, src); err != nil {
		return err
	}
	for _, text := range p.Closers {
		if err := writeLine(w, text); err != nil {
			return err
		}
	}
	return nil
}

// writeAgain copies the lines of p.Again. It reads the log once more for them, so
// that they need no memory.
func (p *Plan) writeAgain(w io.Writer, src io.ReaderAt) error {
	if len(p.Again) == 0 {
		return nil
	}
	r, err := scan.NewReader(src, p.Size, scan.Options{Encoding: p.Options.Encoding})
	if err != nil {
		return err
	}
	spans := p.Again
	for record := range r.Records() {
		if len(spans) > 0 && record.PlainOff >= spans[0].end() {
			spans = spans[1:]
		}
		if len(spans) == 0 {
			break
		}
		if record.PlainOff < spans[0].PlainOff {
			continue
		}
		if err := writeLine(w, record.Text); err != nil {
			return err
		}
	}
	return r.Err()
}

// writeLine ends the line with LF, which the last one of a log may lack.
func writeLine(w io.Writer, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return err
	}
	_, err := w.Write([]byte{'\n'})
	return err
}
