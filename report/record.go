package report

import (
	"cmp"
	"encoding/json"
	"iter"
	"math"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// schemaVersion is the version of the JSON reports, which docs/schema describes.
// It grows when a member changes its meaning or goes away, not when one is added.
const schemaVersion = 1

// The kinds of records.
const (
	kindFinding = "finding"
	kindFile    = "file"
	kindStore   = "store"
)

// finding is a finding in the JSON formats. Offsets are in bytes.
type finding struct {
	Kind     string      `json:"kind"`
	Rule     string      `json:"rule"`
	Name     string      `json:"name"`
	Class    rules.Class `json:"class"`
	Severity string      `json:"severity"`
	Path     string      `json:"path"`
	Line     int         `json:"line,omitempty"`
	storedRow
	Seq          *int64          `json:"seq,omitempty"`
	Turn         *int64          `json:"turn,omitempty"`
	Dialect      string          `json:"dialect,omitempty"`
	Frame        int             `json:"frame,omitempty"`
	PlainOffset  *int64          `json:"plainOffset,omitempty"`
	FileOffset   *int64          `json:"fileOffset,omitempty"`
	Length       *int64          `json:"length,omitempty"`
	Authority    rules.Authority `json:"authority"`
	Reader       rules.Reaction  `json:"reader"`
	Fix          rules.Fix       `json:"fix"`
	Message      string          `json:"message"`
	Answers      []answer        `json:"answers,omitempty"`
	Remedy       string          `json:"remedy,omitempty"`
	Known        bool            `json:"known,omitempty"` // by the baseline
	Consequences int             `json:"consequences,omitempty"`
	Related      []related       `json:"related,omitempty"`
}

// storedRow is a row in a database, in place of a line in a file.
type storedRow struct {
	Table string `json:"table,omitempty"`
	Row   *int64 `json:"row,omitempty"` // column seq; absent for the row of a session
}

// answer is what newer versions of dsh say about a finding, in the JSON formats.
type answer struct {
	Versions      []string        `json:"versions"`
	ReaderMessage json.RawMessage `json:"readerMessage,omitempty"`
}

// related is a place, or another file, that explains a finding, in the JSON formats.
type related struct {
	Path string `json:"path,omitempty"` // only of another file
	Line int    `json:"line,omitempty"`
	storedRow
	Frame       int    `json:"frame,omitempty"`
	PlainOffset *int64 `json:"plainOffset,omitempty"`
	FileOffset  *int64 `json:"fileOffset,omitempty"`
	Length      *int64 `json:"length,omitempty"`
	Message     string `json:"message"`
}

// summary is a file that was read, in the JSON formats.
type summary struct {
	Kind          string          `json:"kind"`
	SchemaVersion int             `json:"schemaVersion,omitempty"` // in NDJSON, which has no other place for it
	Path          string          `json:"path"`
	Session       string          `json:"session,omitempty"`   // id
	CreatedAt     int64           `json:"createdAt,omitempty"` // of the session, epoch ms
	Encoding      string          `json:"encoding"`
	Format        *float64        `json:"format,omitempty"`
	Dialect       string          `json:"dialect,omitempty"`
	Projection    bool            `json:"projection,omitempty"`
	Bytes         int64           `json:"bytes"`
	Events        int64           `json:"events"`
	Turns         int64           `json:"turns"`
	Verdict       scan.Verdict    `json:"verdict"`
	ReaderMessage json.RawMessage `json:"readerMessage,omitempty"`
	Dropped       int64           `json:"dropped,omitempty"`      // complete events that dsh would not read
	HiddenFrames  int             `json:"hiddenFrames,omitempty"` // intact frames that dsh would not read
	Bricks        bool            `json:"bricks,omitempty"`       // dsh could not read its own closers
	Spent         bool            `json:"spent,omitempty"`        // dsh could not read the session after its repair
	StoreRefuses  bool            `json:"storeRefuses,omitempty"`
	Unprocessed   bool            `json:"unprocessed,omitempty"` // some of it was not looked at
	Errors        int             `json:"errors"`
	Warnings      int             `json:"warnings"`
	Notes         int             `json:"notes"`
	Omitted       int             `json:"omitted,omitempty"` // of these, how many are not in the report
	Regraded      int             `json:"regraded,omitempty"`
	Hidden        int             `json:"hidden,omitempty"`
	Known         int             `json:"known,omitempty"`
	Excluded      string          `json:"excluded,omitempty"` // why
	Readers       []reading       `json:"readers,omitempty"`
}

// reading is what one of several readers makes of a file, in the JSON formats.
type reading struct {
	Version       string          `json:"version"`
	Verdict       scan.Verdict    `json:"verdict"`
	ReaderMessage json.RawMessage `json:"readerMessage,omitempty"`
	StoreRefuses  bool            `json:"storeRefuses,omitempty"`
	Unfound       bool            `json:"unfound,omitempty"` // it fails, and no finding says so
}

// unread is an input that could not be read, in the JSON formats.
type unread struct {
	Kind          string       `json:"kind"`
	SchemaVersion int          `json:"schemaVersion,omitempty"`
	Path          string       `json:"path"`
	Verdict       scan.Verdict `json:"verdict"`
	Error         string       `json:"error"`
}

// storeSummary is a sessions directory in the JSON formats.
type storeSummary struct {
	Kind          string          `json:"kind"`
	SchemaVersion int             `json:"schemaVersion,omitempty"`
	Path          string          `json:"path"`
	Projects      int64           `json:"projects"`
	Sessions      int64           `json:"sessions"`
	Lists         bool            `json:"lists"`                 // dsh can list the sessions
	Database      bool            `json:"database,omitempty"`    // it is a session database
	New           bool            `json:"new,omitempty"`         // of which dsh makes a new store
	Unprocessed   bool            `json:"unprocessed,omitempty"` // its sessions were not looked at
	ReaderMessage json.RawMessage `json:"readerMessage,omitempty"`
	Errors        int             `json:"errors"`
	Warnings      int             `json:"warnings"`
	Notes         int             `json:"notes"`
	Omitted       int             `json:"omitted,omitempty"`
	Regraded      int             `json:"regraded,omitempty"`
	Hidden        int             `json:"hidden,omitempty"`
	Known         int             `json:"known,omitempty"`
}

func newFinding(path string, f *rules.Finding) *finding {
	j := &finding{
		Kind: kindFinding, Rule: f.Rule.ID, Name: f.Rule.Name, Class: f.Class, Severity: f.Severity.String(),
		Path: escape.UTF8(cmp.Or(f.Path, path)), Line: lineOf(&f.Place), storedRow: rowOf(&f.Place), Seq: f.Seq, Turn: f.Turn, Dialect: f.Dialect, Frame: f.Place.Frame,
		Authority: f.Rule.Authority, Reader: f.Reader, Fix: f.Rule.Fix, Message: escape.UTF8(f.Message), Consequences: f.Consequences,
		Remedy: f.Rule.Remedy,
	}
	j.PlainOffset, j.FileOffset, j.Length = offsets(&f.Place)
	for i := range f.Answers {
		j.Answers = append(j.Answers, newAnswer(&f.Answers[i]))
	}
	for i := range f.Related {
		r := &f.Related[i]
		place := related{Line: lineOf(&r.Place), storedRow: rowOf(&r.Place), Frame: r.Place.Frame, Message: escape.UTF8(r.Message)}
		place.PlainOffset, place.FileOffset, place.Length = offsets(&r.Place)
		j.Related = append(j.Related, place)
	}
	for _, other := range f.Others {
		j.Related = append(j.Related, related{Path: escape.UTF8(other.Path), Message: escape.UTF8(other.Message)})
	}
	return j
}

func newAnswer(a *rules.Answer) answer {
	if a.Text == "" {
		return answer{Versions: a.Versions}
	}
	return answer{a.Versions, jsjson.AppendQuoted(nil, a.Text)}
}

// lineOf returns the line of a place, 0 for a row in a database.
func lineOf(p *scan.Place) int {
	if p.Table != "" {
		return 0
	}
	return p.Line
}

func rowOf(p *scan.Place) storedRow {
	r := storedRow{Table: p.Table}
	if p.Table == scan.EventsTable && p.Key != scan.NoKey {
		r.Row = &p.Key
	}
	return r
}

// offsets returns those that a place has: only a line has a place in the text,
// and what is about the whole file, or a row in a database, has none at all.
func offsets(p *scan.Place) (plain, file, length *int64) {
	if p.Table != "" {
		return nil, nil, nil
	}
	if p.Line > 0 {
		plain, length = &p.PlainOff, &p.Len
	}
	if p.Line > 0 || p.Frame > 0 || p.FileOff > 0 {
		file = &p.FileOff
	}
	return plain, file, length
}

// findings yields the findings of a file.
func findings(f *File) iter.Seq[*finding] {
	if f.Result == nil {
		return func(func(*finding) bool) {}
	}
	return listed(f.Path, f.Result.Findings, f.Known)
}

// listed yields new findings, then known ones.
func listed(path string, fresh, known []rules.Finding) iter.Seq[*finding] {
	return func(yield func(*finding) bool) {
		for i := range fresh {
			if !yield(newFinding(path, &fresh[i])) {
				return
			}
		}
		for i := range known {
			j := newFinding(path, &known[i])
			j.Known = true
			if !yield(j) {
				return
			}
		}
	}
}

// newSummary returns the summary of a file, or what there is to say of an input
// that could not be read. version is that of the schema, 0 for none.
func newSummary(f *File, version int) any {
	path := escape.UTF8(f.Path)
	if f.Result == nil {
		return &unread{kindFile, version, path, scan.Unreadable, escape.UTF8(f.Problem)}
	}
	r, counts := f.Result, f.Counts()
	s := &summary{
		Kind: kindFile, SchemaVersion: version, Path: path, Session: sessionOf(r.Reading),
		Encoding: r.Container.Encoding.String(), Dialect: r.Dialect, Projection: r.Projection,
		Bytes: r.Container.Size, Events: r.Events, Turns: r.Turns, Verdict: r.Reading.Verdict, ReaderMessage: readerMessage(r.Reading),
		Dropped: r.Reading.Dropped, HiddenFrames: r.Container.Hidden.Frames, Bricks: r.Reading.Bricks, Spent: r.Reading.Spent, StoreRefuses: r.StoreRefuses,
		Unprocessed: f.Unprocessed,
		Errors:      counts.Errors, Warnings: counts.Warnings, Notes: counts.Notes, Omitted: f.Omitted.Sum(),
		Regraded: f.Aside.Regraded, Hidden: f.Aside.Hidden, Known: f.Aside.Known, Excluded: escape.UTF8(f.Aside.Excluded),
	}
	for _, other := range f.Readings {
		s.Readers = append(s.Readers, reading{other.Version.Name, other.Verdict, readerMessage(other.Reading), other.StoreRefuses, other.Unfound})
	}
	if s.Session != "" {
		s.CreatedAt = r.Reading.Header.CreatedAt
	}
	if h := r.Reading.Header; h != nil && h.ID != "" && !math.IsNaN(h.Version) && !math.IsInf(h.Version, 0) {
		s.Format = &h.Version
	}
	return s
}

// maxSession is the longest session id that reports name, in bytes. A longer one
// cannot be the name of a session's directory (docs/format.md §7.1).
const maxSession = 255

// sessionOf returns the id of the session in valid UTF-8, "" when there is none
// or none that could be one.
func sessionOf(r *scan.Reading) string {
	if r.Header == nil || len(r.Header.ID) > maxSession {
		return ""
	}
	return escape.UTF8(r.Header.ID)
}

// readerMessage returns dsh's refusal as a JSON string, nil without one.
func readerMessage(r *scan.Reading) json.RawMessage {
	if refusal := r.Refusal(); refusal != nil {
		return jsjson.AppendQuoted(nil, refusal.Text)
	}
	return nil
}

func newStoreSummary(s *Store, version int) *storeSummary {
	counts := s.Counts()
	j := &storeSummary{
		Kind: kindStore, SchemaVersion: version, Path: escape.UTF8(s.Path), Projects: s.Projects, Sessions: s.Sessions, Lists: s.Lists,
		Database: s.Database, New: s.New, Unprocessed: s.Unprocessed,
		Errors: counts.Errors, Warnings: counts.Warnings, Notes: counts.Notes, Omitted: s.Omitted.Sum(),
		Regraded: s.Aside.Regraded, Hidden: s.Aside.Hidden, Known: s.Aside.Known,
	}
	if s.Refusal != nil {
		j.ReaderMessage = jsjson.AppendQuoted(nil, s.Refusal.Text)
	}
	return j
}
