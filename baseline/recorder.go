package baseline

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/turnlint/turnlint/rules"
)

// version is the version of the file. It grows when what a fingerprint is made
// of changes, because older entries then match nothing.
const version = 1

// Recorder collects the findings of a run for a new baseline. The zero value is
// ready to use.
type Recorder struct {
	entries map[string]*Entry // by fingerprint
}

// Add records the findings about one subject.
func (rec *Recorder) Add(subject Subject, findings []rules.Finding) {
	if rec.entries == nil {
		rec.entries = make(map[string]*Entry)
	}
	for i := range findings {
		e := subject.entry(&findings[i])
		if known := rec.entries[e.Fingerprint]; known != nil {
			known.Count = known.occurrences() + 1
			continue
		}
		rec.entries[e.Fingerprint] = &e
	}
}

// Write writes the baseline as JSON with one entry a line, in an order that
// depends on the entries only, so that differences of two baselines can be read.
func (rec *Recorder) Write(to io.Writer) error {
	entries := make([]*Entry, 0, len(rec.entries))
	for _, e := range rec.entries {
		entries = append(entries, e)
	}
	slices.SortFunc(entries, compare)
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "{\"version\":%d,\"findings\":[", version)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i, e := range entries {
		if i > 0 {
			w.WriteByte(',')
		} else {
			w.WriteByte('\n')
		}
		if err := enc.Encode(e); err != nil {
			return err
		}
	}
	fmt.Fprintln(w, "]}")
	return w.Flush()
}
