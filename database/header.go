package database

import (
	"fmt"
	"iter"
	"regexp"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// Header is a row of the table sessions.
type Header struct {
	// ID as stored; any bytes.
	ID string
	// Line is what the row would be as the header line of a log, without LF.
	Line []byte
	// Header is that line, as far as it could be read.
	Header *session.Header
	// Incarnation is a UUID, new for each session that is written.
	Incarnation string
	Revision    int64 // writes so far
	// Refusal is what dsh says of the row, nil when it takes it. A row that it refuses
	// makes the listing of all sessions fail.
	Refusal *session.Refusal
	// Damaged says that the Refusal is of SQLite, which cannot read the row.
	Damaged bool

	columns [numHeaderColumns]Value
}

// The columns of a header in the order of the table.
const (
	colID = iota
	colVersion
	colCreatedAt
	colCWD
	colParent
	colSeedLength
	colOrigin
	colDepth
	colPreset
	colIncarnation
	colRevision
	numHeaderColumns
)

var headerColumns = [numHeaderColumns]string{
	"id", "version", "created_at", "cwd", "parent_session", "seed_length", "origin", "delegation_depth", "agent_preset", "incarnation", "revision",
}

// Headers yields the headers of the sessions in the order in which they were stored.
// Damage of the table ends them with a header that has only a Refusal. Any other
// error ends them as one.
func (d *Database) Headers() iter.Seq2[*Header, error] {
	return d.headers("SELECT " + columnList(headerColumns[:]) + " FROM sessions ORDER BY rowid")
}

func (d *Database) headers(query string, args ...any) iter.Seq2[*Header, error] {
	return func(yield func(*Header, error) bool) {
		values := make([]Value, numHeaderColumns)
		for err := range d.query(values, query, args...) {
			if refusal, other := RefusalOf(err); refusal != nil {
				yield(&Header{Header: new(session.Header), Refusal: &refusal.Refusal, Damaged: true}, nil)
				return
			} else if other != nil {
				yield(nil, other)
				return
			}
			if !yield(newHeader([numHeaderColumns]Value(values)), nil) {
				return
			}
		}
	}
}

// lookUp returns the header of the session with an id, nil when there is none.
func (d *Database) lookUp(id string) (found *Header, err error) {
	for h, err := range d.headers("SELECT "+columnList(headerColumns[:])+" FROM sessions WHERE id = ?", id) {
		return h, err
	}
	return nil, nil
}

func newHeader(columns [numHeaderColumns]Value) *Header {
	h := &Header{columns: columns, Incarnation: jsjson.Decode(columns[colIncarnation].Bytes)}
	h.ID = string(columns[colID].Bytes)
	h.Revision, _ = columns[colRevision].safeInt()
	h.Refusal = h.refusal()
	h.Line = h.line()
	version, _ := columns[colVersion].safeInt()
	h.Header, _ = session.ParseFirst(h.Line, version)
	return h
}

// uuid is what dsh takes for one: versions 1 to 8 of RFC 9562.
var uuid = regexp.MustCompile(`^(?i:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$`)

// refusal returns what dsh says of the columns, or nil (docs/format.md §10.2).
func (h *Header) refusal() *session.Refusal {
	for i := range h.columns {
		if v := &h.columns[i]; !v.safe() {
			return unsafe(v.Int)
		}
	}
	for i := range h.columns {
		if h.columns[i].TooLong {
			return session.Refuse(fmt.Sprintf("stored %s is too long to be read", headerColumns[i]))
		}
	}
	c := &h.columns
	if cwd := &c[colCWD]; cwd.Class != Null {
		if cwd.Class != Text {
			return session.Refuse("stored cwd must be a string or null")
		}
		if !session.IsAbsolute(string(cwd.Bytes)) {
			return session.Refuse("stored session cwd must be absolute")
		}
	}
	if origin := &c[colOrigin]; origin.Class == Text && string(origin.Bytes) != "subagent" {
		return session.Refuse("stored session origin must be subagent or null")
	}
	for _, check := range headerChecks {
		if fault := check.fault(&c[check.column]); fault != "" {
			return session.Refuse("stored " + headerColumns[check.column] + " " + fault)
		}
	}
	if !uuid.Match(c[colIncarnation].Bytes) {
		return session.Refuse("stored session incarnation must be a UUID")
	}
	return nil
}

var headerChecks = []struct {
	column int
	fault  func(*Value) string
}{
	{colVersion, integerFault},
	{colID, textFault},
	{colCreatedAt, countFault},
	{colParent, optionalTextFault},
	{colSeedLength, optionalCountFault},
	{colOrigin, optionalTextFault},
	{colDepth, optionalCountFault},
	{colPreset, optionalTextFault},
	{colIncarnation, textFault},
	{colRevision, countFault},
}

func integerFault(v *Value) string {
	if _, ok := v.safeInt(); !ok {
		return "must be a safe integer"
	}
	return ""
}

func countFault(v *Value) string {
	if fault := integerFault(v); fault != "" {
		return fault
	}
	if n, _ := v.safeInt(); n < 0 {
		return "must be non-negative"
	}
	return ""
}

func optionalCountFault(v *Value) string {
	switch fault := countFault(v); {
	case v.Class == Null, fault == "":
		return ""
	default:
		return fault + " or null"
	}
}

func textFault(v *Value) string {
	switch {
	case v.Class != Text:
		return "must be a string"
	case len(v.Bytes) == 0:
		return "must not be empty"
	}
	return ""
}

func optionalTextFault(v *Value) string {
	if v.Class != Text && v.Class != Null {
		return "must be a string or null"
	}
	return ""
}

// line returns the row as the header line of a log, in which the depth is not
// optional.
func (h *Header) line() []byte {
	line := []byte(`{"type":"session"`)
	number := func(key string, v *Value) {
		if n, ok := v.safeInt(); ok {
			line = appendInt(append(append(append(line, `,"`...), key...), `":`...), n)
		}
	}
	text := func(key string, v *Value) {
		if v.Class == Text {
			line = jsjson.AppendQuoted(append(append(append(line, `,"`...), key...), `":`...), jsjson.Decode(v.Bytes))
		}
	}
	c := &h.columns
	number("version", &c[colVersion])
	text("id", &c[colID])
	number("createdAt", &c[colCreatedAt])
	number("seedLength", &c[colSeedLength])
	text("cwd", &c[colCWD])
	text("parentSession", &c[colParent])
	text("origin", &c[colOrigin])
	depth := c[colDepth]
	if depth.Class == Null {
		depth = Value{Class: Integer}
	}
	number("delegationDepth", &depth)
	text("agentPreset", &c[colPreset])
	return append(line, '}')
}
