package report

import (
	"fmt"
	"io"

	"github.com/turnlint/turnlint/rules"
)

// gitLabIssue is an element of a Code Quality report (GitLab Docs, "Code Quality
// report format").
type gitLabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitLabLocation `json:"location"`
}

type gitLabLocation struct {
	Path  string `json:"path"`
	Lines struct {
		Begin int `json:"begin"`
	} `json:"lines"`
}

// gitLabSeverities leave blocker to inputs that could not be read.
var gitLabSeverities = [...]string{rules.Note: "info", rules.Warning: "minor", rules.Error: "critical"}

type gitLabWriter struct {
	lines
	comma string // what goes before the next element
}

// NewGitLab returns a Writer of a GitLab Code Quality report.
func NewGitLab(w io.Writer) Writer {
	g := &gitLabWriter{lines: newLines(w)}
	fmt.Fprintln(g.w, "[")
	return g
}

// Store implements [Writer].
func (w *gitLabWriter) Store(s *Store) error { return w.annotations(annotateStore(s)) }

// File implements [Writer].
func (w *gitLabWriter) File(f *File) error { return w.annotations(annotate(f)) }

func (w *gitLabWriter) annotations(all []annotation) error {
	for i := range all {
		w.w.WriteString(w.comma)
		w.comma = ","
		if err := w.enc.Encode(newGitLabIssue(&all[i])); err != nil {
			return err
		}
	}
	return w.w.Flush()
}

func newGitLabIssue(a *annotation) *gitLabIssue {
	issue := &gitLabIssue{
		Description: a.text, CheckName: a.title(), Severity: gitLabSeverities[a.severity],
		// GitLab shows one of several issues with a fingerprint, and copies of a log
		// share theirs.
		Fingerprint: digest(a.fingerprint, a.path),
		Location:    gitLabLocation{Path: slashed(a.path)},
	}
	if a.unread {
		issue.Severity = "blocker"
	}
	issue.Location.Lines.Begin = max(a.line, 1)
	return issue
}

// Close implements [Writer].
func (w *gitLabWriter) Close() error {
	fmt.Fprintln(w.w, "]")
	return w.w.Flush()
}
