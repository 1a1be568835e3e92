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
}

// result is what apply --format json prints of one log.
type result struct {
	Path      repair.Path  `json:"path"`
	Published bool         `json:"published"`
	Target    repair.Path  `json:"target,omitempty"`
	Manifest  repair.Path  `json:"manifest,omitempty"`
	Error     string       `json:"error,omitempty"`
	Plan      *repair.Plan `json:"plan"`
}

func newResult(name string, out *repair.Outcome, err error) *result {
	r := &result{
		Path: repair.Path(name), Published: out.Published,
		Target: repair.Path(out.Target), Manifest: repair.Path(out.Manifest), Plan: out.Plan,
	}
	if err != nil {
		r.Error = err.Error()
	}
	return r
}

// jsonWriter writes one document with an array of which each element is written
// as it comes.
type jsonWriter struct {
	w      io.Writer
	member string // name of the array
	some   bool
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
	j.some = true
	return `{"schemaVersion":1,"` + j.member + "\":[\n"
}

func (j *jsonWriter) end() {
	if !j.some {
		io.WriteString(j.w, j.head())
	}
	io.WriteString(j.w, "]}\n")
}
