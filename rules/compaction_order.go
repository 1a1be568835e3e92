package rules

// CompactionOrder reports that the events of a compaction are out of order.
var CompactionOrder = &Rule{
	ID:        "TL418",
	Name:      "compaction-order",
	Summary:   "the events of a compaction are out of order",
	Class:     Advice,
	Severity:  Warning,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("compaction-order"),
	on:        onConflict,
	check:     checkCompactionOrder,
}

func checkCompactionOrder(p *pass) {
	c := &p.turns.plugins.compaction
	if !p.judgesBrackets() || c.flaw == "" {
		return
	}
	f := p.report("%s", c.flaw)
	if c.open && c.place != p.record.Place {
		f.relate(Related{c.place, "the compaction that is open"})
	}
}
