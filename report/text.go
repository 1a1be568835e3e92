package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// cleanShown is how many files without findings are listed before they are only
// counted: a tree holds thousands, and none of them needs attention.
const cleanShown = 20

// textWriter writes the report for people.
type textWriter struct {
	opt   Options
	w     *bufio.Writer
	paint palette
	total totals
	aside asides
	// matrix is what several versions of dsh make of the files.
	matrix matrix
	clean  int
	begun  bool
	group  bool // the last file took more than one line
}

// NewText returns a Writer for people: the findings of each file under its
// verdict, and a line of totals.
func NewText(w io.Writer, opt Options) Writer {
	return &textWriter{opt: opt, w: bufio.NewWriter(w), paint: newPalette(opt.Color)}
}

// File implements [Writer]. An input that could not be read is only counted:
// what happened to it is an error, and stands on standard error.
func (t *textWriter) File(f *File) error {
	t.total.add(f)
	t.aside.addFile(f)
	t.matrix.add(f)
	switch {
	case f.Result == nil || f.Aside.Excluded != "":
		return nil
	case clean(f):
		t.cleanFile(f)
	default:
		t.fileWithFindings(f)
	}
	// Every file is written out, so that a long run shows how far it is.
	return t.w.Flush()
}

// clean reports whether one line says everything about a file.
func clean(f *File) bool {
	r := f.Result
	return len(r.Findings)+len(f.Known)+f.Omitted.Sum() == 0 && len(f.Readings) < 2 &&
		(r.Projection || r.StoreRefuses || r.Reading.Verdict == scan.Opens)
}

func (t *textWriter) cleanFile(f *File) {
	t.clean++
	if t.clean > cleanShown+1 {
		return
	}
	t.separate(false)
	if t.clean > cleanShown {
		fmt.Fprintln(t.w, t.lang().Text("further logs without findings are only counted"))
		return
	}
	fmt.Fprintf(t.w, "%s: %s\n", escape.Line(f.Path), t.verdict(f))
}

func (t *textWriter) fileWithFindings(f *File) {
	t.separate(true)
	path := escape.Line(f.Path)
	fmt.Fprintf(t.w, "%s: %s\n", t.paint.bold.Sprint(path), t.verdict(f))
	width := placeWidth(path, slices.Concat(f.Result.Findings, f.Known))
	remedies := map[*rules.Rule]bool{}
	for i := range f.Result.Findings {
		t.finding(path, width, &f.Result.Findings[i], false)
		t.answers(&f.Result.Findings[i], remedies)
	}
	for i := range f.Known {
		t.finding(path, width, &f.Known[i], true)
	}
	l := t.lang()
	if n := f.Aside.Known - len(f.Known); n > 0 {
		t.say("known: %v", l.Count(int64(n), "finding"))
	}
	if n := f.Omitted.Sum(); n > 0 {
		t.say("not in the report this was read from: %v", l.Count(int64(n), "finding"))
	}
	if refusal := f.Result.Reading.Refusal(); refusal != nil && !f.Result.Projection && !f.Result.StoreRefuses {
		t.say("%v says: %v", reader(f), quoted(refusal.Text))
	}
	t.otherReaders(f)
	if next := nextCommand(f); next != "" {
		t.say("next: %v", t.paint.bold.Sprint(next))
	}
}

func (t *textWriter) lang() *lang.Printer { return t.opt.Lang }

// say writes a line about a file or a directory.
func (t *textWriter) say(format string, args ...any) {
	fmt.Fprintf(t.w, "  %s\n", t.lang().Textf(format, args...))
}

// otherReaders says what further versions of dsh make of the file.
func (t *textWriter) otherReaders(f *File) {
	for _, other := range f.Readings[min(1, len(f.Readings)):] {
		r := *f.Result
		r.Reading, r.StoreRefuses = other.Reading, other.StoreRefuses
		says := verdictInWords(t.lang(), "dsh "+other.Version.Name, &r)
		if refusal := other.Refusal(); refusal != nil && !other.StoreRefuses {
			says = t.lang().Textf("%v: %v", says, quoted(refusal.Text))
		}
		fmt.Fprintf(t.w, "  %s\n", says)
	}
}

// separate writes an empty line between files of which one has more than a line.
func (t *textWriter) separate(group bool) {
	if t.begun && (group || t.group) {
		fmt.Fprintln(t.w)
	}
	t.begun, t.group = true, group
}

// finding writes a finding, which a baseline knows or does not.
func (t *textWriter) finding(path string, width int, f *rules.Finding, known bool) {
	fmt.Fprintf(t.w, "  %s  %s  %s  %s\n", columns.Left(place(path, f.Place), width), t.severity(f.Severity),
		t.message(f, known), t.ruleName(f))
	for i := range f.Related {
		r := &f.Related[i]
		fmt.Fprintf(t.w, "      %s: %s%s\n", place(path, r.Place), t.line(r.Message), offset(t.lang(), r.Place))
	}
}

// message returns what a finding says.
func (t *textWriter) message(f *rules.Finding, known bool) string {
	text := t.line(f.Message) + offset(t.lang(), f.Place) + consequences(t.lang(), f)
	if known {
		return t.lang().Textf("known: %v", text)
	}
	return text
}

// line returns words about a log as one line.
func (t *textWriter) line(message string) string { return escape.Line(t.lang().Text(message)) }

func (t *textWriter) ruleName(f *rules.Finding) string {
	return t.paint.faint.Sprintf("[%s %s]", f.Rule.ID, f.Rule.Name)
}

// answers writes what newer versions of dsh say about a finding, and once for each
// rule what can be done about it.
func (t *textWriter) answers(f *rules.Finding, remedies map[*rules.Rule]bool) {
	for _, a := range f.Answers {
		fmt.Fprintf(t.w, "      %s\n", answerInWords(t.lang(), &a))
	}
	if f.Rule.Remedy != "" && !remedies[f.Rule] {
		remedies[f.Rule] = true
		fmt.Fprintf(t.w, "      %s\n", t.lang().Textf("repair: %v", t.lang().Text(f.Rule.Remedy)))
	}
}

func consequences(l *lang.Printer, f *rules.Finding) string {
	if f.Consequences == 0 {
		return ""
	}
	return l.Textf(" (and %d more of the same cause)", f.Consequences)
}

// place returns where something is in a form that terminals and editors follow.
func place(path string, p scan.Place) string {
	switch {
	case p.Table != "":
		return path + ": " + rowPlace(p)
	case p.Line == 0:
		return path
	}
	return fmt.Sprintf("%s:%d", path, p.Line)
}

// rowPlace names a row in a database.
func rowPlace(p scan.Place) string {
	if p.Table != scan.EventsTable || p.Key == scan.NoKey {
		return p.Table
	}
	return fmt.Sprintf("%s seq %d", p.Table, p.Key)
}

// offset says where in the file a thing is that lies on no line.
func offset(l *lang.Printer, p scan.Place) string {
	if p.Line > 0 || p.Table != "" || p.FileOff == 0 {
		return ""
	}
	return l.Textf(" (byte %d)", p.FileOff)
}

// placeWidth returns the width of the column of places.
func placeWidth(path string, findings []rules.Finding) (width int) {
	for i := range findings {
		width = max(width, columns.Width(place(path, findings[i].Place)))
	}
	return width
}

// quoted returns dsh's message as it appears on a user's screen, in quotes.
func quoted(text string) string {
	return escape.Line(strings.TrimSpace(text))
}

// Close implements [Writer].
func (t *textWriter) Close() error {
	t.separate(true)
	if t.matrix.write(t.w, t.lang()) {
		fmt.Fprintln(t.w)
	}
	fmt.Fprintln(t.w, t.total.text(t.lang()))
	for _, line := range t.aside.lines(t.opt) {
		fmt.Fprintln(t.w, line)
	}
	if t.total.counts != (Counts{}) {
		fmt.Fprintln(t.w, t.lang().Textf("%v says what a finding means and what to do", t.paint.bold.Sprint("turnlint explain RULE")))
	}
	return t.w.Flush()
}

// palette holds the colours of a report. They are values of its own, because the
// package's global switch looks at standard output only.
type palette struct {
	bold, faint, red, yellow, cyan, green *color.Color
}

func newPalette(on bool) palette {
	c := func(attribute color.Attribute) *color.Color {
		c := color.New(attribute)
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return c
	}
	return palette{c(color.Bold), c(color.Faint), c(color.FgRed), c(color.FgYellow), c(color.FgCyan), c(color.FgGreen)}
}

// severity returns the word for s, padded to the longest one.
func (t *textWriter) severity(s rules.Severity) string {
	width := 0
	for _, other := range []rules.Severity{rules.Note, rules.Warning, rules.Error} {
		width = max(width, columns.Width(t.lang().Text(other.String())))
	}
	by := [...]*color.Color{rules.Note: t.paint.cyan, rules.Warning: t.paint.yellow, rules.Error: t.paint.red}[s]
	return by.Sprint(columns.Left(t.lang().Text(s.String()), width))
}

func (t *textWriter) verdict(f *File) string {
	r, by := f.Result, t.paint.red
	switch {
	case r.Projection:
		by = t.paint.cyan
	case r.Reading.Verdict == scan.Opens:
		by = t.paint.green
	case r.Reading.Verdict == scan.Recovers:
		by = t.paint.yellow
	}
	return by.Sprint(verdictInWords(t.lang(), reader(f), r))
}
