package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/rules"
)

// maxAnnotations is how many annotations of each kind GitHub shows for a step;
// it ignores further ones (GitHub Docs, "Workflow commands" and its limits).
const maxAnnotations = 10

// gitHubKinds are the workflow commands for the severities.
var gitHubKinds = [...]string{rules.Note: "notice", rules.Warning: "warning", rules.Error: "error"}

type gitHubWriter struct {
	opt    Options
	w      *bufio.Writer
	counts Counts // of annotations
}

// NewGitHub returns a Writer of workflow commands, with which a step of GitHub
// Actions annotates files. Everything is a command, so that no text from a log can
// begin a line and become one.
func NewGitHub(w io.Writer, opt Options) Writer {
	return &gitHubWriter{opt: opt, w: bufio.NewWriter(w)}
}

// Store implements [Writer].
func (w *gitHubWriter) Store(s *Store) error { return w.annotations(annotateStore(s)) }

// File implements [Writer].
func (w *gitHubWriter) File(f *File) error { return w.annotations(annotate(f)) }

func (w *gitHubWriter) annotations(all []annotation) error {
	for i := range all {
		a := &all[i]
		w.counts.add(a.severity)
		fmt.Fprintf(w.w, "::%s %s::%s\n", gitHubKinds[a.severity], a.gitHubProperties(), gitHubData.Replace(a.text))
	}
	return w.w.Flush()
}

// gitHubProperties returns where the annotation belongs and its title.
func (a *annotation) gitHubProperties() string {
	properties := []string{"file=" + gitHubProperty.Replace(slashed(a.path))}
	if a.line > 0 {
		properties = append(properties, "line="+strconv.Itoa(a.line))
	}
	return strings.Join(append(properties, "title="+gitHubProperty.Replace(a.title())), ",")
}

// The escapes of workflow commands (actions/toolkit, command.ts).
var (
	gitHubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	gitHubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// Close implements [Writer].
func (w *gitHubWriter) Close() error {
	for _, kind := range []struct {
		name  string
		count int
	}{{"error", w.counts.Errors}, {"warning", w.counts.Warnings}, {"notice", w.counts.Notes}} {
		if kind.count > maxAnnotations {
			line := fmt.Sprintf("GitHub shows %d of the %s of this step", maxAnnotations, words.Count(kind.count, kind.name))
			fmt.Fprintln(w.w, line)
			w.opt.warn("github: %s", line)
		}
	}
	return w.w.Flush()
}
