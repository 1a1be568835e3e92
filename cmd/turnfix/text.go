package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/fatih/color"

	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/session"
)

// palette is the colours of the words that say how it went.
type palette struct{ good, work, bad *color.Color }

func newPalette(on bool) palette {
	p := palette{color.New(color.FgGreen), color.New(color.FgYellow), color.New(color.FgRed)}
	for _, c := range []*color.Color{p.good, p.work, p.bad} {
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
	}
	return p
}

// textWriter prints reports for people.
type textWriter struct {
	w     io.Writer
	paint palette
	lang  *lang.Printer
	quiet bool
	// stateDir is the value of --state-dir, which undo has to be told again.
	stateDir string
}

// printable returns text as one line without control characters.
func printable(text string) string { return escape.Line(text) }

// line prints one fact about an input, in the language of the user.
func (t *textWriter) line(name, what string) {
	fmt.Fprintf(t.w, "%s: %s\n", printable(name), what)
}

// status prints what becomes of an input, in colour, and what more there is to say of it in
// the language of the user.
func (t *textWriter) status(name string, paint *color.Color, what, more string) {
	t.line(name, t.lang.Textf("%v, %v", paint.Sprint(t.lang.Text(what)), more))
}

// labelWidth is the columns of the labels of details.
const labelWidth = 10

// detail prints what the label says about the input of the last line. The text is in the
// language of the user.
func (t *textWriter) detail(label, text string) {
	fmt.Fprintf(t.w, "  %s %s\n", columns.Left(t.lang.Text(label), labelWidth), printable(text))
}

// step is a detail about a part of a repair, with the level of doing so.
func (t *textWriter) step(label, text string, level repair.Level) {
	text += " [" + t.lang.Text(string(level)) + "]"
	t.detail(label, text)
}

func (t *textWriter) events(n int64) string { return t.lang.Count(n, "event") }

// plan prints what would be done. command is the one that does it.
func (t *textWriter) plan(name string, p *repair.Plan, command string) {
	switch p.Action {
	case repair.Refuse:
		t.refusal(name, p)
	case repair.Nothing:
		if !t.quiet {
			t.nothing(name)
		}
	case repair.Repair:
		if !t.quiet {
			t.status(name, t.paint.work, "to be repaired", t.lang.Text(prospect(p)))
			t.ledger(p)
			t.detail("next", command)
		}
	}
}

func (t *textWriter) refused() string {
	return t.paint.bad.Sprint(t.lang.Word("refused", "turnfix"))
}

func (t *textWriter) nothing(name string) {
	t.status(name, t.paint.good, "nothing to do", t.lang.Text("dsh opens it as it is"))
}

// prospect says what dsh would make of the log.
func prospect(p *repair.Plan) string {
	switch p.Verdict {
	case "loses":
		return "do not open it in dsh: that would drop complete events"
	case "recovers":
		return "dsh would recover it and lose nothing that is complete"
	}
	return "dsh refuses it as it is"
}

// outcome prints what was done.
func (t *textWriter) outcome(name string, out *repair.Outcome) {
	p := out.Plan
	switch {
	case p.Action == repair.Refuse:
		t.refusal(name, p)
	case t.quiet:
	case p.Action == repair.Nothing && out.Published:
		t.nothing(name)
		t.detail("copy", out.Target)
	case p.Action == repair.Nothing:
		t.nothing(name)
	case p.Mends():
		t.mended(name, out)
	default:
		t.status(name, t.paint.good, "repaired", t.lang.Text(achievement(p)))
		t.ledger(p)
		t.destination(name, out)
	}
}

// achievement says what a repair has come to.
func achievement(p *repair.Plan) string {
	if p.Reader == "" {
		return "its container is sound now, and nothing else was looked at in a log of a fork generation"
	}
	return "dsh opens it now"
}

// mended prints what became of a log for an upgrade, and how to put it in place:
// turnfix does not change logs of earlier generations.
func (t *textWriter) mended(name string, out *repair.Outcome) {
	t.status(name, t.paint.good, "mended", t.lang.Text("in a copy, for newer versions of dsh"))
	t.ledger(out.Plan)
	for _, text := range out.Plan.StillRefused() {
		t.detail("still", text)
	}
	t.detail("copy", out.Target)
	t.detail("edits", t.lang.Textf("%v, with all that was taken out", out.Sidecar))
	t.detail("in place", t.lang.Textf("end dsh, rename %v to a name outside of the sessions directory and keep it, then move the copy to its place", name))
}

func (t *textWriter) destination(name string, out *repair.Outcome) {
	if out.Manifest == "" {
		t.detail("copy", out.Target)
		return
	}
	t.undoWith(name, out)
}

// undoWith prints where the backup is and the command that goes back.
func (t *textWriter) undoWith(name string, out *repair.Outcome) {
	t.detail("backup", out.Manifest)
	state := ""
	if t.stateDir != "" {
		state = "--state-dir " + escape.ShellArg(t.stateDir) + " "
	}
	t.detail("undo", "turnfix undo "+state+escape.ShellArg(name))
}

// ledger prints what happens to events and bytes, each with the level of doing so.
func (t *textWriter) ledger(p *repair.Plan) {
	l := t.lang
	t.detail("verdict", l.Textf("%v; after the repair %v", l.Text(p.Verdict), l.Text(p.After)))
	if p.Generation > 1 && p.Reader != "" {
		t.detail("opens in", t.opener(p))
	}
	t.detail("keeps", l.Textf("%v; %v", t.events(p.Ledger.Kept), t.copied(p)))
	if p.NewHeader != "" {
		t.step("header", p.NewHeader, p.HeaderLevel())
	}
	for _, f := range p.Flips {
		t.step("mends", l.Textf("a bit that turned over at byte %d", f.FileOff), repair.Safe)
	}
	t.written(p)
	if p.Splice != nil {
		t.step("splices", l.Textf("the first %v from the parent log %v", t.events(p.Ledger.Spliced), p.Splice.Path), repair.Assisted)
	}
	t.made(p)
	if p.Ledger.Repeated > 0 {
		t.step("drops", l.Textf("%v that equal kept ones", t.events(p.Ledger.Repeated)), repair.Safe)
	}
	if n := p.Ledger.Dropped - p.Ledger.Repeated; n > 0 {
		t.step("drops", t.events(n), p.Level)
	}
	for i := range p.Leaves {
		leave := &p.Leaves[i]
		t.detail("lost+found", l.Textf("%v: %v", t.place(leave), t.leaves(leave.Reason, leave.Events)))
	}
	if p.Rows != nil {
		t.leftRows(p.Rows)
	}
}

// written prints the events that are written again.
func (t *textWriter) written(p *repair.Plan) {
	if again := p.Again() - edited(p); again > 0 {
		t.step("rescues", t.lang.Textf("%v, written again as they are", t.events(again)), repair.Safe)
	}
	for _, r := range p.Rewrites {
		t.step("rewrites", t.lang.Textf("%v with %v, of which %d are left", t.events(r.Before), r.Allow, r.After), repair.Assisted)
	}
	if n := p.Ledger.Rewritten - edited(p); n > 0 && p.Rows == nil {
		t.step("rewrites", t.lang.Textf("%v, whose line feeds are escaped", t.events(n)), repair.Safe)
	}
}

// made prints the events that are made up.
func (t *textWriter) made(p *repair.Plan) {
	closers := int64(len(p.Closers))
	if closers > 0 {
		t.step("adds", t.lang.Textf("%v: %v", t.events(closers), closerTypes(p)), repair.Safe)
	}
	if n := p.Ledger.Synthesised - closers; n > 0 {
		t.step("fills", t.lang.Textf("gaps with %v", t.lang.Count(n, "placeholder")), repair.Assisted)
	}
}

// opener says which versions of dsh open the repaired log.
func (t *textWriter) opener(p *repair.Plan) string {
	text := t.lang.Textf("dsh %v, whose own format is that of the log (v%d)", p.Reader, p.Generation)
	if p.Generation < session.Newest {
		text = t.lang.Textf("%v; a later version takes the log over, or says why not", text)
	}
	return text
}

// copied says how much of the file is copied byte for byte, or how many rows of a session in a
// database stay.
func (t *textWriter) copied(p *repair.Plan) string {
	if p.Rows != nil {
		return t.keptRows(p.Rows)
	}
	copied := p.Keep
	for i := range p.Parts {
		if r := p.Parts[i].Copy; r != nil {
			copied += r.Len
		}
	}
	format := "%d of %d bytes of the file stay as they are"
	if copied == p.Keep && copied > 0 {
		format = "the first %d of %d bytes of the file stay as they are"
	}
	text := t.lang.Textf(format, copied, p.Size)
	if len(p.Flips) > 0 {
		text = t.lang.Textf("%v, but for what is mended", text)
	}
	return text
}

// place says which bytes leave.
func (t *textWriter) place(l *repair.Leave) string {
	if l.Text != nil {
		return t.lang.Textf("%v of text in the frame at byte %d", t.lang.Count(l.Len, "byte"), l.FileOff)
	}
	return t.lang.Textf("%v at byte %d", t.lang.Count(l.Len, "byte"), l.FileOff)
}

// leaves says what the bytes or rows are that leave.
func (t *textWriter) leaves(reason string, events int64) string {
	text := t.lang.Text(reason)
	if events > 0 {
		text = t.lang.Textf("%v, with %v", text, t.events(events))
	}
	return text
}

// closerTypes lists the types of the closers; results, of which there may be many,
// with their number.
func closerTypes(p *repair.Plan) string {
	var words []string
	for i := 0; i < len(p.Closers); {
		name := typeOf(p.Closers[i])
		n := i
		for i++; i < len(p.Closers) && typeOf(p.Closers[i]) == name; i++ {
		}
		if n = i - n; n > 1 {
			name = fmt.Sprintf("%d × %s", n, name)
		}
		words = append(words, name)
	}
	return strings.Join(words, ", ")
}

func typeOf(closer json.RawMessage) string {
	var event struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(closer, &event) != nil {
		return "unknown"
	}
	return event.Type
}

// totals sums up several inputs.
func (t *textWriter) totals(n tally) {
	if t.quiet || n.clean+n.work+n.done+n.exported+n.refused+n.withheld+n.failed < 2 {
		return
	}
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{
		{n.done, "%d repaired"},
		{n.exported, "%d exported"},
		{n.work, "%d to be repaired"},
		{n.refused, "%d refused"},
		{n.withheld, "%d not exported"},
		{n.failed, "%d not processed"},
		{n.clean, "%d with nothing to do"},
	} {
		if p.n > 0 {
			parts = append(parts, t.lang.Textf(p.what, p.n))
		}
	}
	fmt.Fprintf(t.w, "\n%s\n", strings.Join(parts, t.lang.Text(", ")))
}

// edited counts the events that are rewritten by permission.
func edited(p *repair.Plan) (n int64) {
	for _, part := range p.Parts {
		for _, s := range part.Lines {
			if len(s.Edits) > 0 {
				n += s.Events
			}
		}
	}
	return n
}
