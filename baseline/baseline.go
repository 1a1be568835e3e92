package baseline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/smallfile"
	"github.com/turnlint/turnlint/rules"
)

// maxSize bounds the bytes of a baseline. An entry takes about 200 of them.
const maxSize = 64 << 20

// Baseline is what a project knows. It counts down: of findings that are alike,
// as many are known as there were when it was written.
type Baseline struct {
	entries  map[string]*known // by fingerprint
	sessions map[string]bool   // of the entries; true once its log has been checked
}

type known struct {
	Entry
	left int // occurrences that have not been met yet
}

// Error is something that is wrong with a baseline file.
type Error struct {
	File string
	What string // what is wrong
	Hint string // what to do about it
}

// Error returns the file and what is wrong as one printable line.
func (e *Error) Error() string { return escape.Line(e.File + ": " + e.What) }

// Load reads a baseline. Every error is an [*Error].
func Load(name string) (*Baseline, error) {
	text, err := smallfile.Read(name, maxSize)
	if err != nil {
		return nil, &Error{name, err.Error(), "turnlint --write-baseline FILE writes a baseline"}
	}
	return parse(name, text)
}

func parse(name string, text []byte) (*Baseline, error) {
	var file struct {
		Version  *int     `json:"version"`
		Findings *[]Entry `json:"findings"`
	}
	const anew = "write it anew with --write-baseline"
	err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &file)
	switch {
	case err != nil:
		return nil, &Error{name, "not a baseline: " + err.Error(), anew}
	case file.Version == nil || file.Findings == nil && *file.Version == version:
		return nil, &Error{name, "not a baseline: version or findings are missing", anew}
	case *file.Version != version:
		return nil, &Error{
			name, fmt.Sprintf("a baseline of version %d, want version %d", *file.Version, version),
			"use the turnlint that wrote it, or " + anew,
		}
	}
	b := &Baseline{make(map[string]*known), make(map[string]bool)}
	for i, e := range *file.Findings {
		if len(e.Fingerprint) != 64 || e.Count < 0 || b.entries[e.Fingerprint] != nil {
			return nil, &Error{name, fmt.Sprintf("finding %d is not as turnlint writes it", i+1), anew}
		}
		e.seq = seqOf(e.Place)
		b.entries[e.Fingerprint] = &known{e, e.occurrences()}
		b.sessions[e.Session] = false
	}
	return b, nil
}

// seqOf returns the seq in a place, -1 for none.
func seqOf(place string) int64 {
	digits, ok := strings.CutPrefix(place, "seq ")
	seq, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil {
		return -1
	}
	return seq
}

// Sift separates the findings about one subject into new and known ones, and
// notes that the known ones have occurred.
func (b *Baseline) Sift(subject Subject, findings []rules.Finding) (fresh, old []rules.Finding) {
	if _, ok := b.sessions[subject.session]; ok {
		b.sessions[subject.session] = true
	}
	for i := range findings {
		e := subject.entry(&findings[i])
		if k := b.entries[e.Fingerprint]; k != nil && k.left > 0 {
			k.left--
			old = append(old, findings[i])
			continue
		}
		fresh = append(fresh, findings[i])
	}
	return fresh, old
}

// Gone returns, after the last log, the entries that have not occurred, sorted:
// those of logs that were checked, and those of logs that were not.
func (b *Baseline) Gone() (gone, unchecked []*Entry) {
	for _, k := range b.entries {
		switch {
		case k.left == 0:
		case b.sessions[k.Session]:
			gone = append(gone, &k.Entry)
		default:
			unchecked = append(unchecked, &k.Entry)
		}
	}
	slices.SortFunc(gone, compare)
	slices.SortFunc(unchecked, compare)
	return gone, unchecked
}
