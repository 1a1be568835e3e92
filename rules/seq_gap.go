package rules

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
	on:        onEvent,
	check:     checkSeqGap,
}

func checkSeqGap(p *pass) {
	if p.order != gap {
		return
	}
	seq, _ := p.record.Seq()
	f := p.report("seq %d, expected %d: %s missing", seq, p.expected, plural(seq-p.expected, "event"))
	if p.seq.last.Line > 0 {
		f.relate(Related{p.seq.last, "the last event before the gap"})
	} else if p.header != nil && p.header.SeedLength.Exists() {
		f.relate(Related{p.headerPlace, "the header says that the log began with events of another session"})
	}
}
