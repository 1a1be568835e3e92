package rules

// SeqMissing reports that an event has no usable seq.
var SeqMissing = &Rule{
	ID:        "TL303",
	Name:      "seq-missing",
	Summary:   "an event has no usable seq",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Lossy,
	Doc:       page("seq-missing"),
	tail:      true,
	on:        onDisorder,
	check:     checkSeqMissing,
}

func checkSeqMissing(p *pass) {
	switch {
	case p.order != unnumbered:
		return
	case p.seq.bare && p.cause != nil && p.cause.Rule == p.rule: // one writer left them all out
		p.cause.Consequences++
		return
	}
	seq := p.record.Event.Seq
	if !seq.Exists() {
		p.report("%s without seq, expected %d", p.typeName(), p.expected)
		return
	}
	p.report("%s with seq %q, expected %d", p.typeName(), seq.JSString(), p.expected)
}
