package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/fatih/color"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/words"
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
	quiet bool
	// stateDir is the value of --state-dir, which undo has to be told again.
	stateDir string
}

// printable returns text as one line without control characters.
func printable(text string) string { return escape.Line(text) }

func (t *textWriter) line(name, what string) {
	fmt.Fprintf(t.w, "%s: %s\n", printable(name), what)
}

func (t *textWriter) detail(label, format string, args ...any) {
	fmt.Fprintf(t.w, "  %-10s %s\n", label, printable(fmt.Sprintf(format, args...)))
}

// plan prints what would be done. command is the one that does it.
func (t *textWriter) plan(name string, p *repair.Plan, command string) {
	switch p.Action {
	case repair.Refuse:
		t.refusal(name, p)
	case repair.Nothing:
		if !t.quiet {
			t.line(name, t.paint.good.Sprint("nothing to do")+", dsh opens it as it is")
		}
	case repair.Repair:
		if !t.quiet {
			t.line(name, t.paint.work.Sprint("to be repaired")+", "+prospect(p))
			t.ledger(p)
			t.detail("next", "%s", command)
		}
	}
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
		t.line(name, t.paint.good.Sprint("nothing to do")+", dsh opens it as it is")
		t.detail("copy", "%s", out.Target)
	case p.Action == repair.Nothing:
		t.line(name, t.paint.good.Sprint("nothing to do")+", dsh opens it as it is")
	case p.Mends():
		t.mended(name, out)
	default:
		t.line(name, t.paint.good.Sprint("repaired")+", "+achievement(p))
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
	t.line(name, t.paint.good.Sprint("mended")+", in a copy, for newer versions of dsh")
	t.ledger(out.Plan)
	for _, text := range out.Plan.StillRefused() {
		t.detail("still", "%s", text)
	}
	t.detail("copy", "%s", out.Target)
	t.detail("edits", "%s, with all that was taken out", out.Sidecar)
	t.detail("in place", "end dsh, rename %s to a name outside of the sessions directory and keep it, then move the copy to its place", name)
}

func (t *textWriter) destination(name string, out *repair.Outcome) {
	if out.Manifest == "" {
		t.detail("copy", "%s", out.Target)
		return
	}
	t.undoWith(name, out)
}

// undoWith prints where the backup is and the command that goes back.
func (t *textWriter) undoWith(name string, out *repair.Outcome) {
	t.detail("backup", "%s", out.Manifest)
	state := ""
	if t.stateDir != "" {
		state = "--state-dir " + escape.ShellArg(t.stateDir) + " "
	}
	t.detail("undo", "turnfix undo %s%s", state, escape.ShellArg(name))
}

// ledger prints what happens to events and bytes, each with the level of doing so.
func (t *textWriter) ledger(p *repair.Plan) {
	t.detail("verdict", "%s; after the repair %s", p.Verdict, p.After)
	if p.Generation > 1 && p.Reader != "" {
		t.detail("opens in", "%s", opener(p))
	}
	t.detail("keeps", "%s; %s", words.Count(p.Ledger.Kept, "event"), copiedText(p))
	if p.NewHeader != "" {
		t.detail("header", "%s [assisted]", p.NewHeader)
	}
	for _, f := range p.Flips {
		t.detail("mends", "a bit that turned over at byte %d [safe]", f.FileOff)
	}
	if again := p.Again() - edited(p); again > 0 {
		t.detail("rescues", "%s, written again as they are [safe]", words.Count(again, "event"))
	}
	for _, r := range p.Rewrites {
		t.detail("rewrites", "%s with %s, of which %d are left [assisted]", words.Count(r.Before, "event"), r.Allow, r.After)
	}
	if n := p.Ledger.Rewritten - edited(p); n > 0 {
		t.detail("rewrites", "%s, whose line feeds are escaped [safe]", words.Count(n, "event"))
	}
	if p.Splice != nil {
		t.detail("splices", "the first %s from the parent log %s [assisted]", words.Count(p.Ledger.Spliced, "event"), p.Splice.Path)
	}
	if len(p.Closers) > 0 {
		t.detail("adds", "%s: %s [safe]", words.Count(int64(len(p.Closers)), "event"), closerTypes(p))
	}
	if n := p.Ledger.Synthesised - int64(len(p.Closers)); n > 0 {
		t.detail("fills", "gaps with %s [assisted]", words.Count(n, "placeholder"))
	}
	if p.Ledger.Repeated > 0 {
		t.detail("drops", "%s that equal kept ones [safe]", words.Count(p.Ledger.Repeated, "event"))
	}
	if n := p.Ledger.Dropped - p.Ledger.Repeated; n > 0 {
		t.detail("drops", "%s [%s]", words.Count(n, "event"), p.Level)
	}
	for _, l := range p.Leaves {
		t.detail("lost+found", "%s: %s", placeText(l), leaveText(l))
	}
}

// opener says which versions of dsh open the repaired log.
func opener(p *repair.Plan) string {
	text := fmt.Sprintf("dsh %s, whose own format is that of the log (v%d)", p.Reader, p.Generation)
	if p.Generation < session.Newest {
		text += "; a later version takes the log over, or says why not"
	}
	return text
}

// copiedText says how much of the file is copied byte for byte.
func copiedText(p *repair.Plan) string {
	copied := p.Keep
	for i := range p.Parts {
		if r := p.Parts[i].Copy; r != nil {
			copied += r.Len
		}
	}
	first := ""
	if copied == p.Keep && copied > 0 {
		first = "the first "
	}
	text := fmt.Sprintf("%s%d of %d bytes of the file stay as they are", first, copied, p.Size)
	if len(p.Flips) > 0 {
		text += ", but for what is mended"
	}
	return text
}

func placeText(l repair.Leave) string {
	if l.Text != nil {
		return fmt.Sprintf("%s of text in the frame at byte %d", words.Count(l.Len, "byte"), l.FileOff)
	}
	return fmt.Sprintf("%s at byte %d", words.Count(l.Len, "byte"), l.FileOff)
}

func leaveText(l repair.Leave) string {
	if l.Events > 0 {
		return l.Reason + ", with " + words.Count(l.Events, "event")
	}
	return l.Reason
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
	if t.quiet || n.clean+n.work+n.done+n.refused+n.failed < 2 {
		return
	}
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{
		{n.done, "repaired"},
		{n.work, "to be repaired"},
		{n.refused, "refused"},
		{n.failed, "not processed"},
		{n.clean, "with nothing to do"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	fmt.Fprintf(t.w, "\n%s\n", strings.Join(parts, ", "))
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
