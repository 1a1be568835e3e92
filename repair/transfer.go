package repair

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/scan"
)

// Transfer is what became of a session on its way between a log and a database.
type Transfer struct {
	Path    Path   `json:"path"`   // of the log, or of the database with # and the id
	Target  Path   `json:"target"` // where it was written, "" when it was not
	Verdict string `json:"verdict"`
	Events  int64  `json:"events"` // that were written
	// LeftOut is what of the source was not written.
	LeftOut []Omission `json:"leftOut,omitempty"`
	// Reason and Next say why nothing was written, and what to do instead.
	Reason string `json:"reason,omitempty"`
	Next   string `json:"next,omitempty"`
}

// Omission is something that was left out.
type Omission struct {
	Line   int    `json:"line,omitempty"` // of a log, from 1
	Seq    *int64 `json:"seq,omitempty"`  // of the row of a database
	Events int64  `json:"events"`         // complete events in it
	Reason string `json:"reason"`
}

// refuse says why nothing was written.
func (t *Transfer) refuse(reason, next string) { t.Reason, t.Next = reason, next }

// Lost returns the complete events that were left out.
func (t *Transfer) Lost() (n int64) {
	for _, o := range t.LeftOut {
		n += o.Events
	}
	return n
}

// sound reports whether dsh opens a session without losing anything complete.
func sound(v scan.Verdict) bool { return v == scan.Opens || v == scan.Recovers }

// unsoundText says of a session that is not sound what dsh makes of it.
func unsoundText(r *scan.Reading) string {
	switch refusal := r.Refusal(); {
	case refusal != nil:
		return fmt.Sprintf("dsh refuses it: %q", refusal.Text)
	case r.Unread:
		return "it has " + tooLong
	case r.Bricks:
		return bricks
	case r.Spent:
		return "dsh could not read the session after repairing it"
	}
	return "dsh would drop " + words.Count(r.Dropped, "complete event") + " from it"
}
