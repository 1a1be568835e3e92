package rules

import (
	"github.com/turnlint/turnlint/store"
)

// StrayTemporary reports a temporary file of a log that was to be created.
var StrayTemporary = &Rule{
	ID:        "TL809",
	Name:      "stray-temporary",
	Summary:   "a temporary file is left over from the creation of a log",
	Class:     Advice,
	Severity:  Note,
	Authority: Layout,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("stray-temporary"),
	checkDir:  checkStrayTemporary,
}

func checkStrayTemporary(p *storePass) {
	for _, name := range p.dir.Find(store.Temporary) {
		if len(p.logs) == 0 {
			p.report(name, "left over from the creation of a log that never got its name")
			continue
		}
		p.report(name, "left over from the creation of a log, which dsh does not look at")
	}
}
