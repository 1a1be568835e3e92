package report

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/rules"
)

// What GitHub takes of a SARIF file (GitHub Docs, "SARIF support for code
// scanning"). There is one run in a report, so its limit of 20 is no matter.
const (
	maxResults   = 25_000     // in a run; it rejects the file otherwise
	shownResults = 5_000      // of them, the most severe
	maxGzipped   = 10_000_000 // bytes of the file after gzip
)

// sarifWriter keeps the results that may be in the report, and an artifact for
// every input, until the end.
type sarifWriter struct {
	opt       Options
	w         io.Writer
	artifacts []sarifArtifact
	results   [rules.Error + 1][]sarifResult // by severity, at most maxResults each
	total     Counts                         // of all results
	known     bool                           // a baseline knows some of them
}

// sarifArtifact is an input or a sessions directory.
type sarifArtifact struct {
	path     string
	summary  any
	problems []string // what no rule is about
	fresh    int      // findings that no baseline knows
	// omitted is the member of the summary that says how many of those are no
	// results; before is what it was before the limits applied.
	omitted *int
	before  int
}

// sarifResult is a finding.
type sarifResult struct {
	*finding
	rule        *rules.Rule
	order       int    // among all results
	path        string // any bytes
	artifact    int    // index of the file or the sessions directory
	store       string // path of the sessions directory, "" for a file
	fingerprint string
}

// NewSARIF returns a Writer of SARIF 2.1.0 with one run. Positions are bytes in
// the decoded text. All findings of a run are counted in it, but where GitHub
// would refuse the file only the most severe ones are results.
func NewSARIF(w io.Writer, opt Options) Writer { return &sarifWriter{opt: opt, w: w} }

// Store implements [Writer].
func (w *sarifWriter) Store(s *Store) error {
	summary := newStoreSummary(s, 0)
	w.artifacts = append(w.artifacts, sarifArtifact{
		path: s.Path, summary: summary, fresh: len(s.Findings), omitted: &summary.Omitted, before: summary.Omitted,
	})
	prints := storeFingerprints(s)
	for f, known := range freshAndKnown(s.Findings, s.Known) {
		w.add(f, sarifResult{path: f.Path, store: s.Path, fingerprint: prints.next(f)}, known)
	}
	w.total = w.total.plus(s.Omitted)
	return nil
}

// File implements [Writer].
func (w *sarifWriter) File(f *File) error {
	a := sarifArtifact{path: f.Path, summary: newSummary(f, 0)}
	if summary, ok := a.summary.(*summary); ok {
		a.fresh, a.omitted, a.before = len(f.Result.Findings), &summary.Omitted, summary.Omitted
	}
	for _, said := range annotate(f) {
		if said.rule == nil {
			a.problems = append(a.problems, said.text)
		}
	}
	w.artifacts = append(w.artifacts, a)
	if f.Result == nil {
		return nil
	}
	prints := fileFingerprints(f)
	for finding, known := range freshAndKnown(f.Result.Findings, f.Known) {
		w.add(finding, sarifResult{path: f.Path, fingerprint: prints.next(finding)}, known)
	}
	w.total = w.total.plus(f.Omitted)
	return nil
}

// add keeps a result unless there are enough that are as severe.
func (w *sarifWriter) add(f *rules.Finding, r sarifResult, known bool) {
	r.order, r.artifact = w.total.Sum(), len(w.artifacts)-1
	w.total.add(f.Severity)
	w.known = w.known || known
	same := &w.results[f.Severity]
	if len(*same) == maxResults {
		return
	}
	r.finding, r.rule = newFinding(r.path, f), f.Rule
	r.Known = known
	*same = append(*same, r)
}

// Close implements [Writer].
func (w *sarifWriter) Close() error {
	results := w.mostSevere(maxResults)
	for {
		text, err := json.Marshal(w.report(results))
		if err != nil {
			return err
		}
		text = escape.JSON(text)
		size, err := gzipped(text)
		if err != nil {
			return err
		}
		if size <= maxGzipped || len(results) == 0 {
			w.warnOfLimits(len(results), size)
			_, err = w.w.Write(append(text, '\n'))
			return err
		}
		// A little less than what should fit, because not all results are alike.
		fits := float64(len(results)) * maxGzipped / float64(size)
		results = w.mostSevere(int(math.Floor(fits * 0.95)))
	}
}

// mostSevere returns at most n results, in the order in which they came.
func (w *sarifWriter) mostSevere(n int) []sarifResult {
	all := slices.Concat(w.results[rules.Error], w.results[rules.Warning], w.results[rules.Note])
	all = all[:min(n, len(all))]
	slices.SortFunc(all, func(a, b sarifResult) int { return cmp.Compare(a.order, b.order) })
	return all
}

// gzipped returns how many bytes a text has when it is compressed, or all of
// them if those are few enough.
func gzipped(text []byte) (size int64, err error) {
	if len(text) <= maxGzipped {
		return int64(len(text)), nil
	}
	var n byteCounter
	z := gzip.NewWriter(&n)
	if _, err := z.Write(text); err != nil {
		return 0, err
	}
	return int64(n), z.Close()
}

type byteCounter int64

// Write implements [io.Writer].
func (n *byteCounter) Write(p []byte) (int, error) {
	*n += byteCounter(len(p))
	return len(p), nil
}

// limits says what GitHub's limits do to a report with so many results, "" for
// nothing.
func (w *sarifWriter) limits(kept int) string {
	switch total := w.total.Sum(); {
	case kept < total:
		return fmt.Sprintf("only the %d most severe of %d findings are in the report, and GitHub shows no more than %d of them, "+
			"because it takes at most %d results and %d MB", kept, total, shownResults, maxResults, maxGzipped/1_000_000)
	case kept > shownResults:
		return fmt.Sprintf("GitHub shows only the %d most severe of %d findings", shownResults, total)
	}
	return ""
}

func (w *sarifWriter) warnOfLimits(kept int, size int64) {
	if limits := w.limits(kept); limits != "" {
		w.opt.warn("sarif: %s", limits)
	}
	if size > maxGzipped {
		w.opt.warn("sarif: GitHub takes at most %d MB, and the list of %s alone is more: check fewer at a time",
			maxGzipped/1_000_000, words.Count(len(w.artifacts), "input"))
	}
}
