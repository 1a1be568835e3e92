package repair

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/scan"
)

// Write writes the repaired log. src is the log that p was made from. The same
// plan gives the same bytes every time.
func (p *Plan) Write(w io.Writer, src io.ReaderAt) error {
	out := bufio.NewWriter(w)
	text := p.openText(src)
	defer text.close()
	var err error
	if p.NewHeader != "" {
		err = p.writeBatch(out, text, nil, []json.RawMessage{json.RawMessage(p.NewHeader)})
	}
	if err == nil {
		err = text.copy(out, Range{0, p.Keep})
	}
	for i := 0; i < len(p.Parts) && err == nil; i++ {
		part := &p.Parts[i]
		if part.Copy != nil {
			err = text.copy(out, *part.Copy)
			continue
		}
		var closers []json.RawMessage
		if i == len(p.Parts)-1 {
			closers = p.Closers
		}
		err = p.writeBatch(out, text, part.Lines, closers)
	}
	if n := len(p.Parts); err == nil && len(p.Closers) > 0 && (n == 0 || p.Parts[n-1].Copy != nil) {
		err = p.writeBatch(out, text, nil, p.Closers)
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// writeBatch writes lines: in a zstd log as one frame, as dsh does
// (docs/format.md §5.1).
func (p *Plan) writeBatch(w io.Writer, text *textReader, lines []Span, closers []json.RawMessage) error {
	if p.written() == scan.Plain {
		return writeLines(w, text, lines, closers)
	}
	frame, err := newFrame(w)
	if err != nil {
		return err
	}
	if err := writeLines(frame, text, lines, closers); err != nil {
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

func writeLines(w io.Writer, text *textReader, lines []Span, closers []json.RawMessage) error {
	for i := range lines {
		if err := text.write(w, &lines[i]); err != nil {
			return err
		}
	}
	for _, closer := range closers {
		if err := writeLine(w, closer); err != nil {
			return err
		}
	}
	return nil
}

func writeLine(w io.Writer, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return err
	}
	_, err := w.Write([]byte{'\n'})
	return err
}
