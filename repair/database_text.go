package repair

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// The repair of a session in a database is planned as that of the plain log that its
// rows would be, one line a row, and carried out on the rows whose lines change.

// undecodable is the line of a row that dsh does not decode. It is no JSON, and
// nothing can be found in it.
const undecodable = "row that does not decode"

// rowLine returns the line of a record out of a database, without LF. It is valid until
// the next record.
func rowLine(r *scan.Record) []byte {
	if r.Text == nil || r.Kind == scan.Undecodable || r.Kind == scan.TooLong {
		return []byte(undecodable)
	}
	// Outside of strings, where JSON takes no line feed, one is white space.
	return bytes.ReplaceAll(r.Text, []byte{'\n'}, []byte{' '})
}

// tooLong says why a row was not read.
const tooLong = "a value that is too long to be read"

// errRow wraps why a session has no text.
var errRow = errors.New("its rows would be no log")

// checkRow refuses a row that a log cannot hold, or that was not read to its end, so that
// it could not be kept.
func checkRow(r *scan.Record) error {
	if r.Kind == scan.TooLong {
		return fmt.Errorf("%w: that with seq %d has %s", errRow, r.Key, tooLong)
	}
	if r.Kind == scan.Event && session.ChunkKindOf(r.Event.Type) != session.NoChunks {
		return fmt.Errorf("%w: that with seq %d is an event of the type %q, which a log has for packed rows", errRow, r.Key, r.Event.Type.Text())
	}
	return nil
}

// writeText writes the plain log that the rows of a session would be.
func writeText(w io.Writer, s *database.Session) error {
	r := s.Reader()
	for record := range r.Records() {
		if err := checkRow(record); err != nil {
			return err
		}
		if err := writeLine(w, rowLine(record)); err != nil {
			return err
		}
	}
	return r.Err()
}

// spool is a private temporary file, which has no name where the system allows that.
type spool struct {
	*os.File
	size int64
}

// newSpool returns a spool with what write gives it.
func newSpool(write func(io.Writer) error) (*spool, error) {
	f, err := os.CreateTemp("", "turnfix-")
	if err != nil {
		return nil, err
	}
	s := &spool{File: f}
	w := bufio.NewWriter(f)
	if err = write(w); err == nil {
		err = w.Flush()
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	s.size, err = f.Seek(0, io.SeekCurrent)
	return s, err
}

// reader returns a reader of the plain log in the spool.
func (s *spool) reader() (*scan.Reader, error) {
	return scan.NewReader(s, s.size, scan.Options{Encoding: scan.Plain})
}

// Close removes the file.
func (s *spool) Close() error {
	if s == nil {
		return nil
	}
	err := s.File.Close()
	os.Remove(s.Name())
	return err
}
