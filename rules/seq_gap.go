package rules

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/scan"
)

// SeqGap reports that events are missing from the sequence.
var SeqGap = &Rule{
	ID:        "TL301",
	Name:      "seq-gap",
	Summary:   "events are missing from the sequence",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Refuses,
	Fix:       Lossy,
	Doc:       page("seq-gap"),
	tail:      true,
	on:        onDisorder,
	check:     checkSeqGap,
}

func checkSeqGap(p *pass) {
	switch p.order {
	case gap:
		seq, _ := p.record.Seq()
		f := p.report("seq %d, expected %d: %s missing", seq, p.expected, words.Count(seq-p.expected, "event"))
		if p.seq.last.Line > 0 {
			f.relate(Related{p.seq.last, "the last event before the gap"})
		} else if p.header != nil && p.header.SeedLength.Exists() {
			f.relate(Related{p.headerPlace, "the header says that the log began with events of another session"})
		}
		p.seq.hole.finding = f
	case late:
		p.seq.hole.fill(p.record)
	}
}

// fill notes in the finding of the gap that an event of it comes late.
func (h *hole) fill(r *scan.Record) {
	f := h.finding
	seq, _ := r.Seq()
	f.Consequences++
	f.relate(Related{r.Place, fmt.Sprintf("seq %d comes late", seq)})
	if h.from == h.to {
		f.Message = fmt.Sprintf("seq %d, expected %d: out of order", h.to, h.first)
	}
}
