package scan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/turnlint/turnlint/session"
)

// Verdict answers the first question: will dsh open this log? (docs/format.md §8)
type Verdict uint8

// The verdicts, from best to worst.
const (
	Opens        Verdict = iota // dsh opens it as it is
	Recovers                    // dsh closes or trims it on load and loses nothing complete
	Loses                       // dsh opens it, but drops events that are completely on disk
	Incompatible                // dsh refuses it although it is intact
	Damaged                     // dsh refuses it, and bytes or order are damaged
	Unreadable                  // it could not be read, or is no log
)

var verdictNames = [...]string{"opens", "recovers", "loses", "incompatible", "damaged", "unreadable"}

// String returns the verdict as the reports spell it.
func (v Verdict) String() string { return verdictNames[v] }

// MarshalText implements encoding.TextMarshaler.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (v *Verdict) UnmarshalText(name []byte) error {
	i := slices.Index(verdictNames[:], string(name))
	if i < 0 {
		return fmt.Errorf("unknown verdict %q", name)
	}
	*v = Verdict(i)
	return nil
}

// Reading is what dsh's reader makes of a log.
type Reading struct {
	Verdict Verdict
	// Unread is true when a line that dsh would read was too long for the Reader,
	// so that Scan and Load say nothing.
	Unread bool
	Header *session.Header // as far as it could be read; nil without a header record
	// HeaderRefusal is why dsh gets no further than the header of a session in a
	// database. Of a log, this is among the refusals of the Scan.
	HeaderRefusal *session.Refusal
	// Generation is the format of the reader whose answers these are. Logs of a
	// later one than [session.Newest] come from a fork: only what all formats have
	// in common is judged (docs/generations.md §1.3).
	Generation int64
	Scan       ScanResult
	Load       LoadResult
	// Closers are the events that dsh would append to the log, as JSON texts
	// without LF. They are none where dsh refuses the log.
	Closers [][]byte
	// Bricks is true when dsh would refuse the closers after writing them
	// (docs/format.md §5.2).
	Bricks bool
	// Spent is true when dsh would repair a session in a database that has been written
	// as often as it can count, and then not read it again (docs/format.md §10.5).
	Spent bool
	// Violation is the first broken relation of docs/format.md §6.3, which dsh
	// checks in development only.
	Violation *Violation
	// RefusedAt is the place of the row for which a reader of a format from v2 on
	// refuses the log, nil when it does not or not for one row.
	RefusedAt *Place
	// Dropped counts complete events on disk that dsh would not read.
	Dropped int64
}

// Refusal returns why dsh does not open the log, or nil when it does.
func (r *Reading) Refusal() *session.Refusal {
	return cmp.Or(r.HeaderRefusal, r.Scan.Refusal, r.Load.Refusal)
}

// ScanResult is the outcome of the physical read: container, header, sequence.
// On a refusal the other members are of no meaning.
type ScanResult struct {
	Refusal *session.Refusal
	Events  int64  // accepted events, members of rows counted
	Digest  string // SHA-256 of their canonical texts joined with LF; only if asked for
	// Committed is the length in bytes to which a repair truncates the file, or
	// all of it: behind the last accepted record of a plain log, before the torn
	// frame of a zstd log.
	Committed int64
	Torn      bool // Committed is short of the file's end
	// TornFrom is the seq from which a repair deletes the rows of a session in a
	// database, nil when it deletes none. Committed is of no meaning there.
	TornFrom  *int64
	Recovered int64 // accepted events that lie in a torn frame
}

// LoadResult is the outcome of normalising, validating and closing what the
// scan accepted.
type LoadResult struct {
	Refusal *session.Refusal
	// Faults are those of the end of the log; see [Model.Faults] for the others.
	Faults []Fault
	Events int64 // with closers
	Digest string
}

// Violation is a broken relation and the event that breaks it.
type Violation struct {
	session.Violation
	Index int64 // position of the event, from 0, which is its seq after a scan
}
