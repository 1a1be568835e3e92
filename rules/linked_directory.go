package rules

import "github.com/turnlint/turnlint/store"

// LinkedDirectory reports a link to a directory, which dsh does not follow.
var LinkedDirectory = &Rule{
	ID:        "TL811",
	Name:      "linked-directory",
	Summary:   "a project or session directory is a symbolic link, which dsh does not follow",
	Class:     Advice,
	Severity:  Note,
	Authority: Layout,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("linked-directory"),
	checkDir:  checkLinkedDirectory,
}

func checkLinkedDirectory(p *storePass) {
	for _, name := range p.dir.Find(store.LinkedDir) {
		p.report(name, "a symbolic link to a directory: dsh lists no session behind it")
	}
}
