package scan

import (
	"errors"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// Place says where a record lies.
type Place struct {
	Line     int   // from 1; the header is line 1, so dsh's own numbers are one less
	PlainOff int64 // byte offset of the record in the decoded text
	FileOff  int64 // in a plain log the same as PlainOff, else the file offset of the frame it starts in
	Frame    int   // frame it starts in, from 1; 0 in a plain log
	Len      int64 // bytes of decoded text without LF

	// Table is that of a row in a database, "" of a line. The rows of a session count
	// as the lines of the log that they would be, the header being line 1.
	Table string
	Key   int64 // column seq of a row of [EventsTable], or NoKey
}

// NoKey is the key of a row of which nobody can say it.
const NoKey = -1

// Kind says what a record holds.
type Kind uint8

// The kinds of records (docs/format.md §3.3).
const (
	Undecodable Kind = iota // no JSON text, or a malformed packed row
	Header                  // the first record, whatever it holds
	Event                   // a JSON object; its members may be wrong
	Row                     // a valid packed row
	Scalar                  // any other JSON value but null
	Null                    // null, on which dsh crashes
	TooLong                 // over the cap on lines: not read
)

// Record is one line of a log. The Reader reuses it: it is valid until the next.
type Record struct {
	Place
	Kind       Kind
	Text       []byte // without LF; nil for TooLong
	Terminated bool   // ends in LF; dsh never looks at a last line that does not
	LastFrame  int    // frame of its last byte, LF included; 0 in a plain log
	Torn       bool   // its last byte lies in the torn frame
	AfterGap   bool   // text before it is missing, because a frame did not decode

	Doc    jsjson.Doc          // parsed text; of use when Syntax is nil
	Syntax *jsjson.SyntaxError // why the text is no JSON; nil also for a malformed row
	Event  session.Event       // for Event; for Row no more than [session.Event.ReadRow] tells
	Row    session.Chunks      // for Row

	Stored *Stored // of a row in a database; nil for a line
}

// set makes r the record of a line; number counts from 1.
func (r *Record) set(l *line, number int) {
	r.Line, r.PlainOff, r.FileOff, r.Frame, r.Len = number, l.off, l.off, l.start.frame, l.len
	if r.Frame > 0 {
		r.FileOff = l.start.fileOff
	}
	r.Text, r.Terminated, r.AfterGap = l.text, l.terminated, l.afterGap
	r.LastFrame, r.Torn = l.end.frame, l.end.torn
	switch {
	case l.tooLong:
		r.Kind, r.Syntax = TooLong, nil
	case number == 1:
		r.Kind = Header
		r.Reread(r.Text)
	default:
		r.Kind = Event
		r.Reread(r.Text)
	}
}

// Reparse gives r another text, as a complete line behind the header. Its place
// stays.
func (r *Record) Reparse(text []byte) {
	r.Text, r.Len, r.Terminated, r.Syntax = text, int64(len(text)), true, nil
	r.Kind = r.classify()
}

// Reread takes text, without LF, in place of that of the record, whose place
// stays what it is in the log. A record behind the header gets the kind of text.
func (r *Record) Reread(text []byte) {
	r.Text, r.Syntax = text, nil
	if r.Kind == Header {
		r.parse()
		return
	}
	r.Kind = r.classify()
}

func (r *Record) parse() bool {
	err := r.Doc.Parse(r.Text)
	return err == nil || !errors.As(err, &r.Syntax)
}

func (r *Record) classify() Kind {
	if !r.parse() {
		return Undecodable
	}
	switch r.Doc.Root.Kind {
	case jsjson.Null:
		return Null
	case jsjson.Object:
		if tag := session.SoundRow(r.Doc.Root); tag != session.NoChunks && r.Row.Read(tag, &r.Doc) {
			r.Event.ReadRow(r.Doc.Root)
			return Row
		}
		r.Event.Read(r.Doc.Root)
		if r.Event.Kind != session.Unknown {
			return Event
		}
		tag := session.ChunkKindOf(r.Event.Type)
		if tag == session.NoChunks {
			return Event
		}
		if r.Row.Read(tag, &r.Doc) {
			return Row
		}
		return Undecodable
	}
	return Scalar
}

// Events returns the number of events that dsh decodes from the record: the
// members of a row, and one for every other value but null.
func (r *Record) Events() int64 {
	switch r.Kind {
	case Event, Scalar:
		return 1
	case Row:
		return int64(r.Row.Count)
	}
	return 0
}

// Seq returns the seq of the record's first event, as a safe integer.
func (r *Record) Seq() (seq int64, ok bool) {
	switch r.Kind {
	case Event:
		return r.Event.SeqNumber()
	case Row:
		return r.Row.Seq0, true
	}
	return 0, false
}

// IsEvent reports whether the record is an event or row that a writer could
// have meant: it has a type. What seq it has, if any, is another matter.
func (r *Record) IsEvent() bool {
	return r.Kind == Row || r.Kind == Event && r.Event.Type.NonEmptyString()
}
