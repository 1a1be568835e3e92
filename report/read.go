package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Report is a report that was read back: what the Writer got that wrote it, as
// far as any Writer can tell.
type Report struct {
	Stores []*Store
	Files  []*File
	// Version is that of the turnlint that wrote it, "" where the format does not say.
	Version string
}

// Read reads a report that turnlint wrote as json, ndjson or sarif. Its error is
// one line that does not name the file. Of a SARIF report without all findings,
// the others are in Omitted.
func Read(text []byte) (*Report, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, errors.New("not a report: it is empty")
	}
	records := json.NewDecoder(bytes.NewReader(text))
	var first struct {
		Kind          string            `json:"kind"`
		SchemaVersion *int              `json:"schemaVersion"`
		Findings      []finding         `json:"findings"`
		Files         []json.RawMessage `json:"files"`
		Stores        []json.RawMessage `json:"stores"`
		Runs          []sarifRunIn      `json:"runs"`
	}
	if err := records.Decode(&first); err != nil {
		return nil, unreadable(err)
	}
	if first.Kind != "" {
		return readNDJSON(text)
	}
	switch isJSON := first.SchemaVersion != nil && first.Files != nil; {
	case !isJSON && first.Runs == nil:
		return nil, errors.New("not a report of turnlint in json, ndjson or sarif")
	case records.More():
		return nil, errors.New("not a report: more follows the end of the document")
	case !isJSON:
		return readSARIF(first.Runs)
	}
	if err := checkVersion(*first.SchemaVersion); err != nil {
		return nil, err
	}
	return readJSON(first.Findings, first.Stores, first.Files)
}

// unreadable explains an error of encoding/json.
func unreadable(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the report is cut short")
	}
	return fmt.Errorf("not a report: %w", err)
}

func checkVersion(version int) error {
	if version != schemaVersion {
		return fmt.Errorf("a report of schema version %d, want version %d", version, schemaVersion)
	}
	return nil
}

// readNDJSON reads a report in which findings come before what they are about.
func readNDJSON(text []byte) (*Report, error) {
	r := &Report{}
	var pending []finding
	records := json.NewDecoder(bytes.NewReader(text))
	for {
		var raw json.RawMessage
		err := records.Decode(&raw)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, unreadable(err)
		}
		if pending, err = r.record(raw, pending); err != nil {
			return nil, err
		}
	}
	if len(pending) > 0 {
		return nil, errors.New("the report is cut short: findings without the summary of their file")
	}
	return r, nil
}

// record takes the next record of NDJSON, and returns the findings that are
// still to be summed up.
func (r *Report) record(raw json.RawMessage, pending []finding) ([]finding, error) {
	var head struct {
		Kind          string `json:"kind"`
		SchemaVersion int    `json:"schemaVersion"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return nil, unreadable(err)
	}
	if head.Kind == kindFinding {
		var f finding
		err := json.Unmarshal(raw, &f)
		return append(pending, f), err
	}
	if err := checkVersion(head.SchemaVersion); err != nil {
		return nil, err
	}
	return nil, r.subject(head.Kind, raw, func(*tally) []finding { return pending })
}

// readJSON reads a report in which all findings come in the order of what they
// are about, first sessions directories and then files.
func readJSON(all []finding, stores, files []json.RawMessage) (*Report, error) {
	take := func(t *tally) (taken []finding) {
		n := min(max(t.Errors+t.Warnings+t.Notes-t.Omitted, 0), len(all)) // what is missing is found by the counts
		for end := n + t.Known; n < min(end, len(all)) && all[n].Known && (t.Kind == kindStore || all[n].Path == t.Path); {
			n++ // which are listed only if the user asked for that
		}
		taken, all = all[:n], all[n:]
		return taken
	}
	r := &Report{}
	for _, raw := range stores {
		if err := r.subject(kindStore, raw, take); err != nil {
			return nil, err
		}
	}
	for _, raw := range files {
		if err := r.subject(kindFile, raw, take); err != nil {
			return nil, err
		}
	}
	if len(all) > 0 {
		return nil, errMiscounted
	}
	return r, nil
}

var errMiscounted = errors.New("not a report as turnlint writes it: the findings are not those that its summaries count")

// subject takes the summary of a file or a sessions directory; take returns the
// findings about it.
func (r *Report) subject(kind string, raw json.RawMessage, take func(*tally) []finding) error {
	var t tally
	if err := json.Unmarshal(raw, &t); err != nil {
		return unreadable(err)
	}
	switch {
	case kind == kindStore:
		var s storeSummary
		if err := json.Unmarshal(raw, &s); err != nil {
			return unreadable(err)
		}
		store, err := s.store(take(&t))
		r.Stores = append(r.Stores, store)
		return err
	case kind == kindFile && t.Error != nil:
		r.Files = append(r.Files, &File{Path: t.Path, Problem: *t.Error})
		return nil
	case kind == kindFile:
		var s summary
		if err := json.Unmarshal(raw, &s); err != nil {
			return unreadable(err)
		}
		file, err := s.file(take(&t))
		r.Files = append(r.Files, file)
		return err
	}
	return fmt.Errorf("not a report of turnlint: a record of kind %q", kind)
}

// tally is what the summaries have in common.
type tally struct {
	Kind     string  `json:"kind"`
	Path     string  `json:"path"`
	Error    *string `json:"error"` // of an input that could not be read
	Errors   int     `json:"errors"`
	Warnings int     `json:"warnings"`
	Notes    int     `json:"notes"`
	Omitted  int     `json:"omitted"`
	Known    int     `json:"known"`
}
