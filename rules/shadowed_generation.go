package rules

// ShadowedGeneration reports that a later generation of a log lies beside it.
var ShadowedGeneration = &Rule{
	ID:        "TL815",
	Name:      "shadowed-generation",
	Summary:   "a log of an earlier format version lies beside its successor",
	Class:     Advice,
	Severity:  Note,
	Authority: Layout,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("shadowed-generation"),
	checkDir:  checkShadowedGeneration,
}

func checkShadowedGeneration(p *storePass) {
	for _, winner := range p.logs {
		shadowed := p.dir.Predecessors(winner)
		if len(shadowed) == 0 {
			continue
		}
		f := p.report(shadowed[0].Name(), "dsh chooses %q beside it, whatever that holds", winner.Name())
		f.Consequences = len(shadowed) - 1
	}
}
