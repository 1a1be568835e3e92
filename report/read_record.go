package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// file is the inverse of newSummary and newFinding.
func (s *summary) file(all []finding) (*File, error) {
	result, err := s.result()
	if err != nil {
		return nil, err
	}
	f := &File{
		Path: s.Path, Result: result, Unprocessed: s.Unprocessed,
		Aside: Aside{Regraded: s.Regraded, Hidden: s.Hidden, Known: s.Known, Excluded: s.Excluded},
	}
	for _, other := range s.Readers {
		version, err := scan.ReaderNamed(other.Version)
		if err != nil {
			return nil, err
		}
		reading, err := newReading(other.Verdict, other.ReaderMessage)
		if err != nil {
			return nil, err
		}
		f.Readings = append(f.Readings, Reading{Version: version, Reading: reading, StoreRefuses: other.StoreRefuses, Unfound: other.Unfound})
	}
	counts := Counts{s.Errors, s.Warnings, s.Notes}
	result.Findings, f.Known, f.Omitted, err = sorted(all, counts, s.Omitted, false)
	return f, err
}

func (s *summary) result() (*rules.Result, error) {
	encoding, err := scan.ParseEncoding(s.Encoding)
	if err != nil {
		return nil, err
	}
	reading, err := newReading(s.Verdict, s.ReaderMessage)
	if err != nil {
		return nil, err
	}
	reading.Dropped, reading.Bricks, reading.Spent = s.Dropped, s.Bricks, s.Spent
	if s.Session != "" {
		reading.Header = &session.Header{ID: s.Session, CreatedAt: s.CreatedAt, Version: math.NaN()}
		if s.Format != nil {
			reading.Header.Version = *s.Format
		}
	}
	container := &scan.Container{Encoding: encoding, Size: s.Bytes}
	container.Hidden.Frames = s.HiddenFrames
	return &rules.Result{
		Container: container, Reading: reading, Events: s.Events, Turns: s.Turns, Dialect: s.Dialect,
		Projection: s.Projection, StoreRefuses: s.StoreRefuses,
	}, nil
}

// store is the inverse of newStoreSummary and newFinding.
func (s *storeSummary) store(all []finding) (*Store, error) {
	refusal, err := newRefusal(s.ReaderMessage)
	if err != nil {
		return nil, err
	}
	st := &Store{
		StoreResult: &rules.StoreResult{Path: s.Path, Projects: s.Projects, Sessions: s.Sessions, Lists: s.Lists, Refusal: refusal, Database: s.Database, New: s.New, Unprocessed: s.Unprocessed},
		Aside:       Aside{Regraded: s.Regraded, Hidden: s.Hidden, Known: s.Known},
	}
	counts := Counts{s.Errors, s.Warnings, s.Notes}
	st.Findings, st.Known, st.Omitted, err = sorted(all, counts, s.Omitted, true)
	return st, err
}

func newReading(verdict scan.Verdict, message json.RawMessage) (*scan.Reading, error) {
	refusal, err := newRefusal(message)
	if err != nil {
		return nil, err
	}
	return &scan.Reading{Verdict: verdict, Scan: scan.ScanResult{Refusal: refusal}}, nil
}

// newRefusal is the inverse of readerMessage. It reads the text itself, because
// encoding/json would replace the lone surrogates in it.
func newRefusal(message json.RawMessage) (*session.Refusal, error) {
	if message == nil {
		return nil, nil
	}
	var doc jsjson.Doc
	if err := doc.Parse(message); err != nil || !doc.Root.Is(jsjson.String) {
		return nil, errors.New("not a report of turnlint: the message of the reader is no string")
	}
	return session.Refuse(doc.Root.Text()), nil
}

// sorted separates what is listed about one subject into new and known findings,
// and returns how many are counted, but not listed: omitted at most.
func sorted(all []finding, counts Counts, omitted int, inStore bool) (fresh, known []rules.Finding, missing Counts, err error) {
	for i := range all {
		f, err := all[i].finding(inStore)
		if err != nil {
			return nil, nil, Counts{}, err
		}
		if all[i].Known {
			known = append(known, f)
		} else {
			fresh = append(fresh, f)
		}
	}
	missing = counts.minus(Count(fresh))
	if min(missing.Errors, missing.Warnings, missing.Notes) < 0 || missing.Sum() != omitted {
		return nil, nil, Counts{}, errMiscounted
	}
	return fresh, known, missing, nil
}

// finding is the inverse of newFinding.
func (j *finding) finding(inStore bool) (f rules.Finding, err error) {
	rule := rules.ByID(j.Rule)
	if rule == nil || rule.Name != j.Name {
		return f, fmt.Errorf("unknown rule %q %q: another version of turnlint wrote the report", j.Rule, j.Name)
	}
	severity, err := rules.ParseSeverity(j.Severity)
	if err != nil {
		return f, err
	}
	f = rules.Finding{
		Rule: rule, Place: newPlace(j.Line, j.storedRow, j.Frame, j.PlainOffset, j.FileOffset, j.Length), Seq: j.Seq, Turn: j.Turn,
		Class: j.Class, Severity: severity, Reader: j.Reader, Dialect: j.Dialect, Message: j.Message, Consequences: j.Consequences,
	}
	if inStore {
		f.Path = j.Path
	}
	for _, a := range j.Answers {
		refusal, err := newRefusal(a.ReaderMessage)
		if err != nil {
			return f, err
		}
		answer := rules.Answer{Versions: a.Versions}
		if refusal != nil {
			answer.Text = refusal.Text
		}
		f.Answers = append(f.Answers, answer)
	}
	for i := range j.Related {
		r := &j.Related[i]
		if r.Path != "" {
			f.Others = append(f.Others, rules.Other{Path: r.Path, Message: r.Message})
			continue
		}
		f.Related = append(f.Related, rules.Related{
			Place: newPlace(r.Line, r.storedRow, r.Frame, r.PlainOffset, r.FileOffset, r.Length), Message: r.Message,
		})
	}
	return f, nil
}

// newPlace is the inverse of lineOf, rowOf and offsets.
func newPlace(line int, row storedRow, frame int, plain, file, length *int64) scan.Place {
	p := scan.Place{Line: line, Frame: frame, Table: row.Table}
	if p.Table != "" {
		p.Key = scan.NoKey
	}
	if row.Row != nil {
		p.Key = *row.Row
	}
	for _, member := range []struct{ to, from *int64 }{{&p.PlainOff, plain}, {&p.FileOff, file}, {&p.Len, length}} {
		if member.from != nil {
			*member.to = *member.from
		}
	}
	return p
}
