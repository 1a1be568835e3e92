package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// sessionJSON is a row of the list. Members without a value are absent: a number
// that is not known, the verdict where header and tail tell nothing wrong.
type sessionJSON struct {
	Project       string           `json:"project"`
	Session       string           `json:"session"`
	Path          string           `json:"path"` // of the log that dsh chooses
	Generation    int64            `json:"generation"`
	Encoding      string           `json:"encoding"`
	Bytes         int64            `json:"bytes"`
	Generations   []generationJSON `json:"generations"` // the lowest first
	Events        *int64           `json:"events,omitempty"`
	Turns         *int64           `json:"turns,omitempty"`
	LastActivity  *int64           `json:"lastActivity,omitempty"` // epoch ms
	InUse         bool             `json:"inUse,omitempty"`
	Verdict       *scan.Verdict    `json:"verdict,omitempty"`
	ReaderMessage json.RawMessage  `json:"readerMessage,omitempty"`
	Error         string           `json:"error,omitempty"` // why the log could not be read
	Hides         string           `json:"hides,omitempty"` // name of a sound log of an earlier generation
}

type generationJSON struct {
	Generation int64  `json:"generation"`
	Encoding   string `json:"encoding"`
	Bytes      int64  `json:"bytes"`
}

func (l *listing) writeJSON() error {
	return writeStoreJSON(l.c.App.Writer, l.store, func(yield func(any) bool) {
		for _, r := range l.rows {
			if !yield(r.json()) {
				return
			}
		}
	})
}

// writeStoreJSON prints one document, with a session a line.
func writeStoreJSON(out io.Writer, about *rules.StoreResult, sessions iter.Seq[any]) error {
	w := bufio.NewWriter(out)
	head, err := marshal(report.NewStoreJSON(&report.Store{StoreResult: about}))
	if err != nil {
		return err
	}
	w.Write(bytes.TrimSuffix(head, []byte("}")))
	w.WriteString(`,"sessions":[`)
	lead := "\n"
	for s := range sessions {
		line, err := marshal(s)
		if err != nil {
			return err
		}
		w.WriteString(lead)
		w.Write(line)
		lead = ",\n"
	}
	w.WriteString("\n]}\n")
	return w.Flush()
}

// marshal returns JSON without the escapes that HTML would need.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	err := encode(&b, v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func (r *storeRow) json() *sessionJSON {
	winner := r.Winner()
	j := &sessionJSON{
		Project: escape.UTF8(r.Project()), Session: escape.UTF8(r.Session()), Path: escape.UTF8(winner.Path),
		Generation: winner.Generation, Encoding: winner.Encoding().String(), Bytes: r.Size(),
		InUse: r.InUse, Verdict: r.verdict, Error: escape.UTF8(r.problem), Hides: escape.UTF8(r.hides),
	}
	for i, log := range r.Logs {
		j.Generations = append(j.Generations, generationJSON{log.Generation, log.Encoding().String(), r.Sizes[i]})
	}
	if r.events >= 0 {
		j.Events = &r.events
	}
	if r.turns >= 0 {
		j.Turns = &r.turns
	}
	if r.Tail.Events > 0 {
		j.LastActivity = &r.Tail.Time
	}
	if r.message != "" {
		j.ReaderMessage = jsjson.AppendQuoted(nil, r.message)
	}
	return j
}
