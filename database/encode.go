package database

import (
	"errors"
	"fmt"
	"sort"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// compressFrom is the length of data, in bytes, from which dsh's writer compresses it,
// if that makes it smaller (docs/format.md §10.3).
const compressFrom = 4096

// Encoder makes rows of the records of a log, as dsh's own writer would
// (docs/format.md §10.3).
type Encoder struct {
	zstd *zstd.Encoder
	part scan.Record // of a run
	text []byte      // of part
}

// NewEncoder returns an encoder whose output depends on its input alone.
func NewEncoder() (*Encoder, error) {
	z, err := zstd.NewWriter(nil,
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderCRC(false),
		zstd.WithAllLitEntropyCompression(true)) // as libzstd does: text without repetitions gets smaller too
	return &Encoder{zstd: z}, err
}

// Append appends the rows of a record that is an event or a packed row. A packed row
// with too few members for a database becomes events, and one with too many several
// rows. It returns an error for an event that no database can hold.
func (e *Encoder) Append(dst []Row, r *scan.Record) ([]Row, error) {
	switch r.Kind {
	case scan.Event:
		return e.event(dst, &r.Event)
	case scan.Row:
		return e.run(dst, r)
	}
	return dst, errors.New("it is no event")
}

func (e *Encoder) event(dst []Row, event *session.Event) ([]Row, error) {
	name := event.Type.Text()
	switch {
	case !event.ValidEnvelope():
		return dst, errors.New("its envelope does not fit the columns of a database")
	case name == "" || !utf8.ValidString(name):
		return dst, fmt.Errorf("no database can hold its type %q", name)
	}
	seq, _ := event.Seq.SafeInt()
	time, _ := event.Time.SafeInt()
	row := Row{Seq: newInteger(seq), Type: newText(name), Time: newInteger(time), Data: e.data(event.Data.Raw())}
	if event.Sources.Exists() {
		list, err := encodeSources(nil, event.Sources)
		if err != nil {
			return dst, err
		}
		row.Sources = Value{Class: Blob, Bytes: list}
	}
	if event.Surface.Exists() {
		row.SurfaceOp = newText(string(event.Surface.Raw()))
	}
	if event.Ignorable.Exists() {
		row.Ignorable = newInteger(1)
	}
	return append(dst, row), nil
}

// data returns a JSON text as dsh stores it. Bytes that are not UTF-8 pass in a TEXT
// only, where they read as in a log.
func (e *Encoder) data(json []byte) Value {
	if len(json) >= compressFrom && utf8.Valid(json) {
		if frame := e.zstd.EncodeAll(json, nil); len(frame) < len(json) {
			return Value{Class: Blob, Bytes: frame}
		}
	}
	return newText(string(json))
}

// run appends the rows of a packed row, each with the most members that fit.
func (e *Encoder) run(dst []Row, r *scan.Record) ([]Row, error) {
	if fitsRow(r) {
		return append(dst, e.packed(r)), nil
	}
	for first := 0; first < r.Row.Count; {
		n := e.fitting(&r.Row, first)
		if n < minMembers {
			n = 1
		}
		part, err := e.cut(&r.Row, first, n)
		switch {
		case err != nil:
		case n > 1:
			dst = append(dst, e.packed(part))
		default:
			dst, err = e.single(dst, &part.Row)
		}
		if err != nil {
			return dst, err
		}
		first += n
	}
	return dst, nil
}

// fitsRow reports whether a packed row of a log can be one of a database.
func fitsRow(r *scan.Record) bool {
	return r.Row.Count >= minMembers && r.Row.Count <= maxMembers && len(r.Doc.Get("data").Raw()) <= maxPacked
}

func (e *Encoder) packed(r *scan.Record) Row {
	return Row{
		Seq: newInteger(r.Row.Seq0), Type: newText(r.Doc.Get("type").Text()), Time: newInteger(r.Row.Time0),
		Data: e.data(r.Doc.Get("data").Raw()), Ignorable: newInteger(0),
	}
}

// fitting returns how many members from first on fit into one row.
func (e *Encoder) fitting(run *session.Chunks, first int) int {
	most := min(run.Count-first, maxMembers)
	return sort.Search(most, func(n int) bool {
		part, err := e.cut(run, first, n+1)
		return err != nil || len(part.Doc.Get("data").Raw()) > maxPacked
	})
}

// cut returns the row of a part of a run. It is valid until the next one.
func (e *Encoder) cut(run *session.Chunks, first, count int) (*scan.Record, error) {
	e.text = run.AppendPart(e.text[:0], first, count)
	if e.part.Reparse(e.text); e.part.Kind != scan.Row {
		return nil, errors.New("its packed row cannot be cut")
	}
	return &e.part, nil
}

// single appends the one member of a run as an event.
func (e *Encoder) single(dst []Row, run *session.Chunks) ([]Row, error) {
	var member scan.Record
	for json := range run.Events() {
		member.Reparse(json)
	}
	return e.event(dst, &member.Event)
}

func newInteger(n int64) Value { return Value{Class: Integer, Int: n} }

func newText(s string) Value { return Value{Class: Text, Bytes: []byte(s)} }
