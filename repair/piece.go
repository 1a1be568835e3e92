package repair

import (
	"io"
	"iter"

	"github.com/turnlint/turnlint/scan"
)

// piece is a part of the decoded text: a record that can be kept, or bytes that
// are none. The pieces of a log cover its text without a gap.
type piece struct {
	// record has the text of a complete line, padding and damage left out. It is
	// valid until the next piece.
	record *scan.Record
	span   Span
	header bool
	junk   string // why the piece is no record, "" for a record
	// clean says that the record is a whole line as it stands, LF included.
	clean bool
}

// source is a damaged log that can be read as pieces, any number of times with
// the same result.
type source struct {
	src      io.ReaderAt
	size     int64 // bytes of the file
	encoding scan.Encoding
	// generation of the log, as which its header and events are read.
	generation int64
	// salvage says that reading goes on behind damaged frames, where dsh stops.
	salvage bool
	onFrame func(scan.FrameInfo) // gets the frames of a zstd log, may be nil
	editor  *editor              // changes the pieces; nil changes none
	err     error                // that ended pieces early
}

// records yields the lines of the log.
func (s *source) records() iter.Seq[*scan.Record] {
	return func(yield func(*scan.Record) bool) {
		r, err := scan.NewReader(s.src, s.size, scan.Options{Encoding: s.encoding, Salvage: s.salvage, Frame: s.onFrame})
		if err != nil {
			s.err = err
			return
		}
		for record := range r.Records() {
			if !yield(record) {
				return
			}
		}
		s.err = r.Err()
	}
}

// pieces yields the pieces of the log in order.
func (s *source) pieces() iter.Seq[*piece] {
	return func(yield func(*piece) bool) {
		if s.editor != nil {
			s.editor.rewind()
		}
		c := cutter{generation: s.generation, yield: func(p *piece) bool {
			s.adapt(p)
			if s.editor != nil {
				s.editor.edit(p)
			}
			return yield(p)
		}}
		for record := range s.records() {
			if !c.line(record) {
				return
			}
		}
		c.flush()
	}
}
