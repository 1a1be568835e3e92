package upgrade

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// recovery is how a decoder of stored rows deals with a bad one. It remembers the
// first, drops what follows, and gives up when a turn/end is among that: then a
// turn that was committed is damaged, and the end of the log is not merely torn
// (docs/generations.md §4.1).
type recovery struct {
	strict  bool // give up at the first bad row
	noJSON  bool // the bad row is no JSON text: rows behind it are not decoded
	issue   *Refusal
	dropped int64 // rows
}

// bad takes a row that is no row of its generation.
func (r *recovery) bad(issue *Refusal) error {
	if r.issue == nil {
		r.issue = issue
	}
	r.dropped++
	if r.strict {
		return r.issue
	}
	return nil
}

// behind takes a row at or behind a bad one.
func (r *recovery) behind(turnEnd bool) error {
	r.dropped++
	if turnEnd || r.strict && !r.noJSON {
		return r.issue
	}
	return nil
}

// unreadable takes a row that is no JSON text. Not the decoder finds it but the
// reader of the file, which is never strict.
func (r *recovery) unreadable(issue *Refusal) error {
	if r.issue == nil {
		r.issue, r.noJSON = issue, true
	}
	r.dropped++
	return nil
}

// isTurnEnd tells whether a row that is not decoded is a turn/end.
func isTurnEnd(v jsjson.Value) bool { return v.Get("type").EqualText("turn/end") }

func (r *recovery) droppedRows() int64 { return r.dropped }

// corrupt returns a refusal of the container or of the text in it.
func corrupt(text string) *Refusal {
	return fromSource(*session.Refuse(text))
}

// malformed returns a refusal of a row or header.
func malformed(text string) *Refusal {
	return fromSource(session.Refusal{Class: session.ClassFormat, Text: text})
}

// fromSource returns a refusal of the file itself.
func fromSource(r session.Refusal) *Refusal {
	return &Refusal{Refusal: r, From: Source, Row: -1, Detail: r.Text}
}
