package database

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// eventColumns are the columns of an event behind the id of its session, in the order
// of the table.
const eventColumns = "session_id, seq, type, time, data, source_event_seqs, surface_op, ignorable"

// columns returns the values of the row in the order of eventColumns.
func (r *Row) columns() []*Value {
	return []*Value{&r.Seq, &r.Type, &r.Time, &r.Data, &r.Sources, &r.SurfaceOp, &r.Ignorable}
}

// InsertStatement returns the SQL statement that stores the row of a session again,
// byte for byte, without its semicolon.
func (r *Row) InsertStatement(id string) string {
	session := newText(id)
	values := []string{session.Literal()}
	for _, v := range r.columns() {
		values = append(values, v.Literal())
	}
	return "INSERT INTO events (" + eventColumns + ") VALUES (" + strings.Join(values, ", ") + ")"
}

// arg returns the value as an argument of a statement.
func (v *Value) arg() any {
	switch v.Class {
	case Integer:
		return v.Int
	case Real:
		return v.Real
	case Text:
		return string(v.Bytes)
	case Blob:
		return append([]byte{}, v.Bytes...) // nil would be NULL
	}
	return nil
}

// Literal returns the value as an SQL literal of its storage class, byte for byte.
func (v *Value) Literal() string {
	switch v.Class {
	case Integer:
		return strconv.FormatInt(v.Int, 10)
	case Real:
		return strconv.FormatFloat(v.Real, 'e', -1, 64)
	case Text:
		if s := string(v.Bytes); utf8.ValidString(s) && !strings.Contains(s, "\x00") {
			return "'" + strings.ReplaceAll(s, "'", "''") + "'"
		}
		return fmt.Sprintf("CAST(X'%X' AS TEXT)", v.Bytes)
	case Blob:
		return fmt.Sprintf("X'%X'", v.Bytes)
	}
	return "NULL"
}

// Print returns the SHA-256, in lower-case hex, of all that the database stores of the
// session: its header row and its events, each column with its storage class.
func (s *Session) Print() (string, error) {
	h := sha256.New()
	if s.Header != nil {
		for i := range s.Header.columns {
			hashValue(h, &s.Header.columns[i])
		}
	}
	return s.sumRows(h)
}

// PrintRows is [Session.Print] for the events only.
func (s *Session) PrintRows() (string, error) { return s.sumRows(sha256.New()) }

// sumRows adds the events to a hash and returns its sum.
func (s *Session) sumRows(h hash.Hash) (string, error) {
	for row, err := range s.Rows() {
		if err != nil {
			return "", err
		}
		for _, v := range row.columns() {
			hashValue(h, v)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hashValue hashes a value so that no two lists of values hash the same bytes.
func hashValue(h hash.Hash, v *Value) {
	n := v.Int
	switch v.Class {
	case Real:
		n = int64(math.Float64bits(v.Real))
	case Text, Blob:
		n = int64(len(v.Bytes))
	}
	h.Write(binary.BigEndian.AppendUint64([]byte{byte(v.Class)}, uint64(n)))
	h.Write(v.Bytes)
}
