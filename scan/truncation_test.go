package scan_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/turnlint/turnlint/internal/corpus"
	"github.com/turnlint/turnlint/scan"
)

// maxTruncated bounds the logs that are cut at every byte.
const maxTruncated = 8 << 10

func TestEveryTruncationOfTheCorpusGivesAPrefix(t *testing.T) {
	logs, err := corpus.Load(filepath.FromSlash("../testdata/corpus"))
	if err != nil {
		t.Fatal(err)
	}
	cuts := 0
	for i, log := range logs {
		if len(log.Data) > maxTruncated {
			continue
		}
		from := commonPrefix(log.Data, logs[:i])
		cuts += len(log.Data) - from
		t.Run(log.Path, func(t *testing.T) {
			t.Parallel()
			checkTruncations(t, log.Data, from)
		})
	}
	t.Logf("truncations: %d", cuts)
}

// commonPrefix returns how many bytes log shares with one of the others. Many
// logs are one log with different damage, and equal bytes read equally.
func commonPrefix(log []byte, others []corpus.Log) (longest int) {
	for _, other := range others {
		n := 0
		for n < min(len(log), len(other.Data)) && log[n] == other.Data[n] {
			n++
		}
		longest = max(longest, n)
	}
	return longest
}

// checkTruncations cuts log to each length from the given one on, or to some of
// them in a short run.
func checkTruncations(t *testing.T, log []byte, from int) {
	encoding, err := scan.Detect(bytes.NewReader(log), int64(len(log)))
	if err != nil {
		t.Fatal(err)
	}
	whole := accept(t, log, encoding)
	step := 1
	if testing.Short() {
		step = 11
	}
	for n := from; n < len(log); n += step {
		cut := accept(t, log[:n], encoding)
		switch {
		case len(cut.records) > len(whole.records):
			t.Errorf("cut to %d bytes: %d records accepted, of %d", n, len(cut.records), len(whole.records))
		case cut.reading.Scan.Committed > int64(n):
			t.Errorf("cut to %d bytes: %d bytes committed", n, cut.reading.Scan.Committed)
		case cut.reading.Verdict == scan.Opens && len(cut.records) < len(whole.records) && !cut.atBoundary(log[:n]):
			t.Errorf("cut to %d bytes: opens with %d of %d records", n, len(cut.records), len(whole.records))
		}
		for i := range min(len(cut.records), len(whole.records)) {
			if cut.records[i] != whole.records[i] {
				t.Errorf("cut to %d bytes: record %d is %q, want %q", n, i+1, cut.records[i], whole.records[i])
			}
		}
		if t.Failed() {
			return
		}
	}
}

// accepted is what the model took of a log.
type accepted struct {
	records   []string // the header included
	reading   *scan.Reading
	container *scan.Container
}

func accept(t *testing.T, log []byte, encoding scan.Encoding) (a accepted) {
	t.Helper()
	r, err := scan.NewReader(bytes.NewReader(log), int64(len(log)), scan.Options{Encoding: encoding})
	if err != nil {
		t.Fatal(err)
	}
	m := scan.NewModel(scan.ModelOptions{})
	for record := range r.Records() {
		if m.Add(record) {
			a.records = append(a.records, string(record.Text))
		}
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	a.container = r.Container()
	a.reading = m.Reading(a.container)
	return a
}

// atBoundary reports whether the file ends where a writer could have ended it.
func (a *accepted) atBoundary(log []byte) bool {
	if a.container.Encoding == scan.Zstd {
		return a.container.Torn == nil
	}
	return bytes.HasSuffix(log, []byte("\n"))
}
