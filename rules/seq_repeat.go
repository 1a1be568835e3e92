package rules

import "fmt"

// SeqRepeat reports that seqs occur that the log has had before.
var SeqRepeat = &Rule{
	ID:        "TL302",
	Name:      "seq-repeat",
	Summary:   "seqs occur that the log has had before",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Refuses,
	Fix:       Assisted,
	Doc:       page("seq-repeat"),
	tail:      true,
	on:        onEvent,
	check:     checkSeqRepeat,
}

func checkSeqRepeat(p *pass) {
	if p.order != repeated {
		return
	}
	p.endRepetition()
	seq, _ := p.record.Seq()
	again := &repetition{first: seq, expected: p.expected}
	again.compare(&p.seq.recent, p.record)
	again.finding = p.report("%s", again.message())
	if i := p.seq.recent.find(seq); i >= 0 {
		again.finding.relate(Related{p.seq.recent.lines[i].place, fmt.Sprintf("the first event with seq %d", seq)})
	}
	p.seq.repeating = again
}
