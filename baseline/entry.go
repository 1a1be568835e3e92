// Package baseline keeps the findings that a project knows of and lives with, so
// that only new ones fail its checks.
package baseline

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// Entry is a known finding. Its identity survives that a log is moved, renamed,
// compressed or appended to. Findings beyond the number that a check lists for one
// rule and log are known as one.
type Entry struct {
	// Fingerprint is the SHA-256 of session, rule and place as lower-case hex.
	Fingerprint string `json:"fingerprint"`
	// Session is the id in the log's header, "" where none could be read.
	Session string `json:"session"`
	Rule    string `json:"rule"` // id
	Name    string `json:"name"` // of the rule
	// Place is what the finding is about: "seq 12", or what there is where no
	// event is: "header", "frame 3", "line in frame 3", "line", "file", or "path P"
	// in a sessions directory.
	Place string `json:"place"`
	// Count is how many findings have this fingerprint; 0 means 1.
	Count int `json:"count,omitempty"`

	seq int64
}

// Subject is what findings are about.
type Subject struct {
	session string // "" for none
	root    string // the sessions directory; "" for a log
}

// Log returns the log that a check was about, which it knows by the id in its
// header.
func Log(r *rules.Result) Subject {
	if r.Reading.Header == nil {
		return Subject{}
	}
	return Session(r.Reading.Header.ID)
}

// Session returns the log of the session with an id.
func Session(id string) Subject { return Subject{session: escape.UTF8(id)} }

// Store returns the sessions directory that a check was about. What is wrong in
// it is known by its path below.
func Store(s *rules.StoreResult) Subject { return Subject{root: s.Path} }

// Fingerprint returns the [Entry.Fingerprint] of a finding about the subject.
func (s Subject) Fingerprint(f *rules.Finding) string { return s.entry(f).Fingerprint }

func (s Subject) entry(f *rules.Finding) Entry {
	e := Entry{Session: s.session, Rule: f.Rule.ID, Name: f.Rule.Name, Place: place(f), seq: -1}
	if s.root != "" {
		e.Place = s.below(f.Path)
	}
	if f.Seq != nil {
		e.seq = *f.Seq
	}
	hash := sha256.Sum256(fmt.Appendf(nil, "%q %s %s", e.Session, e.Rule, e.Place))
	e.Fingerprint = hex.EncodeToString(hash[:])
	return e
}

// place leaves out lines and offsets, because those change when a log is
// recompressed or repaired in front.
func place(f *rules.Finding) string {
	p := f.Place
	switch {
	case f.Seq != nil:
		return fmt.Sprintf("seq %d", *f.Seq)
	case p.Line == 1, p.Table == scan.SessionsTable:
		return "header"
	case p.Line > 0 && p.Frame > 0:
		return fmt.Sprintf("line in frame %d", p.Frame)
	case p.Line > 0, p.Table != "":
		return "line"
	case p.Frame > 0:
		return fmt.Sprintf("frame %d", p.Frame)
	}
	return "file"
}

// below returns where a path lies in the sessions directory.
func (s Subject) below(path string) string {
	rel, err := filepath.Rel(s.root, path)
	if err != nil {
		rel = path
	}
	return "path " + escape.UTF8(filepath.ToSlash(rel))
}

// String names the finding for people, on one line.
func (e *Entry) String() string {
	text := e.Rule + " " + e.Name + " at " + e.Place
	if e.Session != "" {
		text += " of session " + e.Session
	}
	return escape.Line(text)
}

// occurrences returns how many findings the entry stands for.
func (e *Entry) occurrences() int { return max(e.Count, 1) }

// compare orders entries for people: by session, then by rule and place.
func compare(a, b *Entry) int {
	return cmp.Or(
		cmp.Compare(a.Session, b.Session),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.seq, b.seq),
		cmp.Compare(a.Place, b.Place))
}
