package picture

import (
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/rules"
)

var closingNames = [...]string{Ended: "ended", Interrupted: "interrupted", Open: "open", Lost: "end lost"}

// String names the way in which a turn ends.
func (c Closing) String() string { return closingNames[c] }

// EndInWords says how the turn ends: with the reason that the log gives, if it does.
func (t *Turn) EndInWords(l *lang.Printer) string {
	switch word := l.Text(t.Closing.String()); {
	case t.Closing == Ended && t.Reason != "":
		return escape.Line(t.Reason)
	case t.Closing != Ended && t.Turns > 1:
		return l.Textf("some %v", word)
	default:
		return word
	}
}

// CauseInWords says why the state of the part is not good: with the name of a rule, where that
// is why.
func (p *Part) CauseInWords(l *lang.Printer) string {
	if rules.ByName(p.Cause) != nil {
		return p.Cause
	}
	return l.Text(p.Cause)
}

// ClosersInWords says what dsh would do to close the last turn; "" where it is closed.
func (p *Picture) ClosersInWords(l *lang.Printer) string {
	if len(p.Closers) == 0 {
		return ""
	}
	return l.Textf("dsh would add %v from seq %v on to close the last turn", l.Count(int64(len(p.Closers)), "event"), p.Closers[0].Seq)
}
