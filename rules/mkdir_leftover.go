package rules

import "github.com/turnlint/turnlint/store"

// MkdirLeftover reports a directory that dsh made and did not move to its place.
var MkdirLeftover = &Rule{
	ID:        "TL810",
	Name:      "mkdir-leftover",
	Summary:   "a directory is left over from the creation of a session on Windows",
	Class:     Advice,
	Severity:  Note,
	Authority: Layout,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("mkdir-leftover"),
	checkDir:  checkMkdirLeftover,
}

func checkMkdirLeftover(p *storePass) {
	for _, name := range p.dir.Find(store.MkdirRest) {
		p.report(name, "left over from the creation of a directory")
	}
}
