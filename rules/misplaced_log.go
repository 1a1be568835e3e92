package rules

import (
	"path/filepath"

	"github.com/turnlint/turnlint/session"
)

// MisplacedLog reports that the log does not lie in the project of its header's cwd.
var MisplacedLog = &Rule{
	ID:        "TL802",
	Name:      "misplaced-log",
	Summary:   "the log does not lie in the project that the cwd in its header leads to",
	Class:     Damaged,
	Severity:  Error,
	Authority: Layout,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("misplaced-log"),
	on:        onEnd,
	check:     checkMisplacedLog,
}

func checkMisplacedLog(p *pass) {
	if !p.placed() {
		return
	}
	project, err := session.ProjectKey(p.header.CWD)
	if err != nil || p.liesIn(project) {
		return
	}
	cwd, lies := p.header.CWD.JSString(), filepath.Dir(filepath.Dir(p.opt.Path))
	if filepath.Dir(lies) == p.opt.Root {
		p.reportAt(p.headerPlace, "cwd %q belongs to project %q, but the log lies in %q", cwd, project, filepath.Base(lies))
		return
	}
	p.reportAt(p.headerPlace, "cwd %q belongs to project %q, but the log lies in no session directory of the root", cwd, project)
}

// liesIn reports whether the log lies in a session directory of the project.
func (p *pass) liesIn(project string) bool {
	dir, name := filepath.Split(p.opt.Path)
	derived := filepath.Join(p.opt.Root, project, filepath.Base(dir), name)
	if derived != p.opt.Path && (p.opt.SameFile == nil || !p.opt.SameFile(derived)) {
		return false
	}
	_, ok := session.ParseLogName(name)
	return ok
}

// placed reports whether the log has a header and a place to compare it with.
func (p *pass) placed() bool {
	return p.opt.Root != "" && p.opt.Path != "" && p.projection == nil && p.header != nil && p.refusal == nil
}
