package main

import (
	"encoding/json"
	"io"

	"github.com/turnlint/turnlint/repair"
)

// planDocument is what plan --format json prints.
type planDocument struct {
	SchemaVersion int           `json:"schemaVersion"`
	Plans         []repair.Plan `json:"plans"`
	Moves         []repair.Move `json:"moves,omitempty"`
}

// result is what apply --format json prints of one log.
type result struct {
	Path      repair.Path `json:"path"`
	Published bool        `json:"published"`
	Target    repair.Path `json:"target,omitempty"`
	Manifest  repair.Path `json:"manifest,omitempty"`
	Sidecar   repair.Path `json:"sidecar,omitempty"`
	Error     string      `json:"error,omitempty"`
	// StillRefused is why newer versions of dsh refuse a log that was mended for them.
	StillRefused []string     `json:"stillRefused,omitempty"`
	Plan         *repair.Plan `json:"plan"`
	Move         *repair.Move `json:"move,omitempty"`
}

func newResult(name string, out *repair.Outcome, err error) *result {
	r := &result{
		Path: repair.Path(name), Published: out.Published,
		Target: repair.Path(out.Target), Manifest: repair.Path(out.Manifest), Plan: out.Plan, Move: out.Move,
	}
	r.Sidecar = repair.Path(out.Sidecar)
	if out.Plan != nil {
		r.StillRefused = out.Plan.StillRefused()
	}
	if err != nil {
		r.Error = err.Error()
	}
	return r
}

// jsonWriter writes one document with arrays of which each element is written as it
// comes.
type jsonWriter struct {
	w      io.Writer
	member string // name of the array
	opened bool   // the document has begun
	some   bool   // the array has begun
}

func (j *jsonWriter) add(v any) {
	lead := ",\n"
	if !j.some {
		lead = j.head()
	}
	io.WriteString(j.w, lead)
	enc := json.NewEncoder(j.w)
	enc.SetEscapeHTML(false)
	enc.Encode(v)
}

func (j *jsonWriter) head() string {
	lead := ","
	if !j.opened {
		lead = `{"schemaVersion":1,`
	}
	j.opened, j.some = true, true
	return lead + `"` + j.member + "\":[\n"
}

// next ends the array and goes on with another one.
func (j *jsonWriter) next(member string) {
	j.endArray()
	j.member, j.some = member, false
}

func (j *jsonWriter) endArray() {
	if !j.some {
		io.WriteString(j.w, j.head())
	}
	io.WriteString(j.w, "]")
}

func (j *jsonWriter) end() {
	j.endArray()
	io.WriteString(j.w, "}\n")
}
