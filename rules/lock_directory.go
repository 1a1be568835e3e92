package rules

import "github.com/turnlint/turnlint/store"

// LockDirectory reports a directory in the place of the lock of a session.
var LockDirectory = &Rule{
	ID:        "TL817",
	Name:      "lock-directory",
	Summary:   "a directory has the name of the file that locks the session",
	Class:     Advice,
	Severity:  Warning,
	Authority: Layout,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("lock-directory"),
	checkDir:  checkLockDirectory,
}

func checkLockDirectory(p *storePass) {
	for _, name := range p.dir.Find(store.LockDir) {
		p.report(name, "a directory where dsh makes the file to lock: it shows the session, but cannot go on with it")
	}
}
