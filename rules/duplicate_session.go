package rules

import (
	"hash/maphash"
	"path/filepath"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// DuplicateSession reports that two projects hold the same session.
var DuplicateSession = &Rule{
	ID:        "TL806",
	Name:      "duplicate-session",
	Summary:   "two projects hold a session directory of the same name",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Layout,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("duplicate-session"),
	checkDir:  checkDuplicateSession,
}

// checkDuplicateSession keeps only a hash of each name, and looks for the other
// directory when one occurs again.
func checkDuplicateSession(p *storePass) {
	if len(p.logs) == 0 {
		return
	}
	name := filepath.Base(p.dir.Path)
	hash := maphash.String(p.seed, name)
	if _, again := p.sessions[hash]; !again {
		p.sessions[hash] = struct{}{}
		return
	}
	first, log := p.otherSession(name)
	if first == "" {
		return
	}
	id, ok := session.DecodeID(name)
	if !ok {
		id = name
	}
	refusal := session.Refuse(`duplicate JSONL session id "` + jsjson.ToValidUTF8(id) + `" appears in multiple project directories`)
	refuse(&p.refusals.log, refusal)
	p.result.duplicates[absolute(first)], p.result.duplicates[absolute(p.dir.Path)] = refusal, refusal
	f := p.report("", "dsh cannot list any session of this store, nor open this one: project %q holds it too", filepath.Base(filepath.Dir(first)))
	p.relate(f, p.dir.Winner().Path, log, "the other log")
}

// otherSession returns the session directory of the given name in an earlier
// project, and the path of its log; "" when there is none.
func (p *storePass) otherSession(name string) (dir, log string) {
	projectDir := filepath.Dir(p.dir.Path)
	for _, project := range p.projects {
		if project == filepath.Base(projectDir) {
			return "", ""
		}
		dir := filepath.Join(filepath.Dir(projectDir), project, name)
		if winner := p.tree.Session(dir).Winner(); winner != nil {
			return dir, winner.Path
		}
	}
	return "", ""
}
