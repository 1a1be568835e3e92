package database

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// Row is a row of the table events, as SQLite stores it: an event, or a run of
// chunks in one (docs/format.md §10.3).
type Row struct {
	Seq, Type, Time, Data, Sources, SurfaceOp, Ignorable Value
}

// The limits of a packed row (docs/format.md §10.3).
const (
	minMembers = 3
	maxMembers = 1024
	maxPacked  = 1 << 20 // bytes of its data
)

const (
	packedTooLong = "data of a packed row over 1 MiB"
	// overLimit is no fault of the row, but of ours.
	overLimit = "data over the limit"
)

// refusal returns what dsh says of columns that it does not even decode, or nil.
func (r *Row) refusal() *session.Refusal {
	for _, v := range []*Value{&r.Seq, &r.Type, &r.Time, &r.Data, &r.Sources, &r.SurfaceOp, &r.Ignorable} {
		if !v.safe() {
			return unsafe(v.Int)
		}
	}
	seq, seqOK := r.Seq.safeInt()
	_, timeOK := r.Time.safeInt()
	mark, markOK := r.Ignorable.safeInt()
	switch {
	case !seqOK:
		return session.Refuse("stored seq must be a safe integer")
	case seq < 0:
		return session.Refuse("stored seq must be non-negative")
	case r.Type.Class != Text:
		return session.Refuse("stored type must be a string")
	case len(r.Type.Bytes) == 0:
		return session.Refuse("stored type must not be empty")
	case !timeOK:
		return session.Refuse("stored time must be a safe integer")
	case r.Data.Class != Text && r.Data.Class != Blob:
		return session.Refuse("stored data must be a string or blob")
	case r.Sources.Class != Blob && r.Sources.Class != Null:
		return session.Refuse("stored source_event_seqs must be a blob or null")
	case r.SurfaceOp.Class != Text && r.SurfaceOp.Class != Null:
		return session.Refuse("stored surface_op must be a string or null")
	case r.Ignorable.Class != Null && (!markOK || mark != 0 && mark != 1):
		return session.Refuse("stored event ignorable must be 0, 1, or null")
	}
	return nil
}

// packed reports whether the row holds several events.
func (r *Row) packed() bool {
	mark, ok := r.Ignorable.safeInt()
	return ok && mark == 0
}

// tooLong reports whether some value of the row was not read.
func (r *Row) tooLong() bool {
	return r.Data.TooLong || r.Sources.TooLong || r.SurfaceOp.TooLong || r.Type.TooLong
}

// decoder turns rows into records. Its buffers hold one row.
type decoder struct {
	zstd   scan.BlobDecoder
	limit  int64 // bytes of decoded data
	plain  []byte
	text   []byte
	stored scan.Stored
}

// decode makes record that of the row, in its place.
func (d *decoder) decode(r *Row, record *scan.Record) {
	record.Kind, record.Text, record.Len, record.Syntax = scan.Undecodable, nil, 0, nil
	record.Terminated = true
	d.stored = scan.Stored{}
	record.Stored = &d.stored
	if r.tooLong() {
		record.Kind = scan.TooLong
		return
	}
	if record.Stored.Refusal = r.refusal(); record.Stored.Refusal != nil {
		record.Stored.Content = d.holdsContent(r)
		return
	}
	data, fault := d.data(r)
	switch {
	case fault == overLimit:
		record.Kind = scan.TooLong
		return
	case fault == "" && r.packed():
		fault = d.decodePacked(r, data, record)
	case fault == "":
		fault = d.decodeEvent(r, data, record)
	}
	if record.Stored.Fault = fault; fault != "" {
		record.Kind = scan.Undecodable
		record.Stored.Content = d.holdsContent(r)
	}
}

// holdsContent reports whether a row that does not decode has a type, and JSON for data.
func (d *decoder) holdsContent(r *Row) bool {
	if r.Type.Class != Text || len(r.Type.Bytes) == 0 || r.Data.Class != Text && r.Data.Class != Blob {
		return false
	}
	data, fault := d.data(r)
	return fault == "" && jsjson.Valid(data)
}

// data returns the JSON text of the column data, or why there is none.
func (d *decoder) data(r *Row) (text []byte, fault string) {
	if r.Data.Class == Text {
		return r.Data.Bytes, ""
	}
	limit := d.limit
	if r.packed() {
		limit = maxPacked
	}
	var err error
	if d.plain, err = d.zstd.Decode(d.plain[:0], r.Data.Bytes, limit); err != nil {
		switch {
		case err != scan.ErrBlobTooLong:
			return nil, "data does not decompress"
		case r.packed():
			return nil, packedTooLong
		}
		return nil, overLimit
	}
	if !utf8.Valid(d.plain) {
		return nil, "compressed data is not valid UTF-8"
	}
	return bytes.TrimPrefix(d.plain, []byte("\uFEFF")), ""
}

func (d *decoder) decodeEvent(r *Row, data []byte, record *scan.Record) (fault string) {
	d.open(r, "seq", "time", data)
	if r.Sources.Class == Blob {
		d.text = append(d.text, `,"sourceEventSeqs":`...)
		var err error
		if d.text, err = appendSources(d.text, r.Sources.Bytes); err != nil {
			return err.Error()
		}
	}
	if r.SurfaceOp.Class == Text {
		if !jsjson.Valid(r.SurfaceOp.Bytes) {
			return "surface_op is no JSON"
		}
		d.text = append(append(d.text, `,"surfaceOp":`...), r.SurfaceOp.Bytes...)
	}
	if r.Ignorable.Class != Null {
		d.text = append(d.text, `,"ignorable":true`...)
	}
	d.text = append(d.text, '}')
	record.ReadEvent(d.text)
	if !holdsData(&record.Doc, data) {
		return "data is no JSON"
	}
	return ""
}

func (d *decoder) decodePacked(r *Row, data []byte, record *scan.Record) (fault string) {
	switch {
	case r.Sources.Class != Null:
		return "a packed row with source_event_seqs"
	case r.SurfaceOp.Class != Null:
		return "a packed row with a surface_op"
	case len(data) > maxPacked || jsjson.ReplacedLen(data) > maxPacked:
		return packedTooLong
	}
	d.open(r, "seq0", "time0", data)
	d.text = append(d.text, '}')
	record.Reread(d.text)
	record.Len = int64(len(d.text))
	switch {
	case !holdsData(&record.Doc, data):
		return "data is no JSON"
	case record.Kind != scan.Row:
		return "no packed row, although ignorable is 0"
	case record.Row.Count < minMembers || record.Row.Count > maxMembers:
		return fmt.Sprintf("a packed row of %d members", record.Row.Count)
	}
	return ""
}

// open begins the text of the row as a line of a log.
func (d *decoder) open(r *Row, seqKey, timeKey string, data []byte) {
	seq, _ := r.Seq.safeInt()
	time, _ := r.Time.safeInt()
	d.text = append(d.text[:0], `{"type":`...)
	d.text = jsjson.AppendQuoted(d.text, jsjson.Decode(r.Type.Bytes))
	d.text = appendInt(append(append(append(d.text, `,"`...), seqKey...), `":`...), seq)
	d.text = appendInt(append(append(append(d.text, `,"`...), timeKey...), `":`...), time)
	d.text = append(append(d.text, `,"data":`...), data...)
}

// holdsData reports whether the data of a document is exactly the JSON text of the
// column. Its text could otherwise pass for other members.
func holdsData(doc *jsjson.Doc, column []byte) bool {
	return doc.Root.Kind == jsjson.Object && len(doc.Get("data").Raw()) == len(bytes.Trim(column, " \t\r\n"))
}

func appendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }
