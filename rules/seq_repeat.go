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
	on:        onDisorder,
	check:     checkSeqRepeat,
}

func checkSeqRepeat(p *pass) {
	if p.order != repeated {
		return
	}
	seq, _ := p.record.Seq()
	p.seq.runs++
	again := &repetition{frame: p.record.LastFrame, expected: p.expected, goesOn: p.goesOn()}
	compare := p.seq.runs <= maxRuns
	var first *recentLine
	if compare {
		again.first = p.seq.recent.branch(seq, p.expected)
		first = p.seq.recent.find(seq)
	}
	again.take(&p.seq.recent, p.record, p.event, compare)
	again.finding = p.report("%s", again.message())
	if first != nil {
		again.finding.relate(Related{first.place, fmt.Sprintf("the first event with seq %d", seq)})
	}
	p.seq.repeating = again
}
