package upgrade

import (
	"errors"
	"fmt"
	"io"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// decoder turns the rows of a stored log into events, and emits them.
type decoder interface {
	// row takes the row with an index from 0. The value stays valid.
	row(index int, v jsjson.Value) error
	// unreadable takes a row that is no JSON text.
	unreadable(issue *Refusal) error
	// finish takes the end of the log and returns its cut.
	finish() (cut int64, err error)
	// droppedRows counts the rows that led to no event.
	droppedRows() int64
}

// decoders are the decoders by generation.
var decoders = [...]func(h *Header, strict bool, emit Emit) decoder{
	0: newRowDecoder,
	1: newRowDecoder,
	2: newLaterRows(2),
	3: newLaterRows(3),
}

// sourceLog reads a stored log as a harness does that is about to migrate it.
type sourceLog struct {
	version int // by the name of the file
	reader  *scan.Reader
	open    func(*Header) decoder // makes the decoder once the header is read
	refs    *refusals

	decoder  decoder
	rows     int
	header   bool // there was a first line
	complete bool // the text of the complete frames ends with a line
	stopped  bool // a refusal ended the reading
	frame    int  // in which the row of the first refusal ends

	torn          bool       // bytes of the file led to no event
	dropped       int64      // rows that led to no event, as the decoder counts them
	droppedEvents int64      // complete events in them
	firstDropped  scan.Place // of the first of them
}

func newSource(src io.ReaderAt, size int64, version int, opt *Options, refs *refusals, open func(*Header) decoder) (*sourceLog, error) {
	reader, err := scan.NewReader(src, size, scan.Options{Encoding: opt.Encoding, MaxLine: opt.MaxLine})
	if err != nil {
		return nil, err
	}
	return &sourceLog{version: version, reader: reader, open: open, refs: refs, complete: true}, nil
}

// read reads the log to its end, or to a refusal that ends the reading.
func (s *sourceLog) read() error {
	gap := false // a frame did not decode: the refusal is that of the frame
	for r := range s.reader.Records() {
		gap = gap || r.AfterGap
		if !r.Torn {
			s.complete = r.Terminated
		} else if r.Frame != r.LastFrame {
			s.complete = false
		}
		switch {
		case gap || s.stopped:
		case r.Terminated:
			s.take(r)
		default:
			s.drop(r)
		}
	}
	if err := s.reader.Err(); err != nil {
		return err
	}
	s.torn = s.torn || s.reader.Container().Torn != nil
	s.checkContainer()
	return nil
}

func (s *sourceLog) take(r *scan.Record) {
	found := s.refs.count > 0
	refusal := s.record(r)
	if s.decoder != nil && s.decoder.droppedRows() > s.dropped {
		s.dropped = s.decoder.droppedRows()
		s.drop(r)
	}
	if refusal != nil {
		s.stopped = true
		if refusal.From == Source {
			refusal.Place = s.culprit(r)
		}
		_ = s.refs.add(refusal)
	}
	if !found && s.refs.count > 0 {
		s.frame = r.LastFrame
	}
}

// drop takes a row that leads to no event.
func (s *sourceLog) drop(r *scan.Record) {
	if !s.torn {
		s.torn, s.firstDropped = true, r.Place
	}
	if r.IsEvent() {
		s.droppedEvents += r.Events()
	}
}

// culprit returns the place of the row for which the log is refused at r: the
// first bad one.
func (s *sourceLog) culprit(r *scan.Record) scan.Place {
	if s.torn {
		return s.firstDropped
	}
	return r.Place
}

// checkContainer finds out whether the container of the text is refused before
// any row.
func (s *sourceLog) checkContainer() {
	var rows *session.Refusal
	if first := s.refs.first(); first != nil {
		rows = &first.Refusal
	}
	refusal := s.reader.Container().MigrationRefusal(rows, s.frame, s.header, s.complete)
	if refusal != nil && refusal != rows {
		s.stopped = true
		s.refs.precede(fromSource(*refusal))
	}
}

// record takes a complete line.
func (s *sourceLog) record(r *scan.Record) *Refusal {
	if r.Line == 1 {
		return s.readHeader(r)
	}
	index := s.rows
	s.rows++
	if r.Kind == scan.TooLong || r.Syntax != nil {
		return asRefusal(s.decoder.unreadable(corrupt(fmt.Sprintf("corrupt session log: row %d is not valid JSON", index+1))))
	}
	if r.Doc.Depth > maxDepth {
		return s.tooDeep()
	}
	root := r.Doc.Root.Clone()
	return asRefusal(s.decoder.row(index, root))
}

// maxDepth bounds the nesting of a row. dsh has no bound of its own: it runs out
// of stack a few thousand levels down, at the latest when it writes the new log.
const maxDepth = 4000

func (s *sourceLog) tooDeep() *Refusal {
	return (&link{from: s.version}).name(refuse("Maximum call stack size exceeded"), -1)
}

// asRefusal returns the refusal that an error is: all errors of decoders and
// links are.
func asRefusal(err error) *Refusal {
	r, _ := errors.AsType[*Refusal](err)
	return r
}

func (s *sourceLog) readHeader(r *scan.Record) *Refusal {
	s.header = true
	h, refusal := session.ParseMigrated(r.Text, int64(s.version))
	if refusal != nil {
		return fromSource(*refusal)
	}
	s.decoder = s.open(newHeader(h, ObjectOf(r.Doc.Root.Clone())))
	return nil
}

// newHeader returns what the edges need to know of a header.
func newHeader(h *session.Header, fields Object) *Header {
	header := &Header{ID: h.ID, Parent: h.ParentSession.Exists(), Seeded: h.Seeded, Cut: noCut, Fields: fields}
	if cut, ok := count(h.SeedLength); ok {
		header.Cut, header.Seeded = cut, true
	}
	return header
}
