package rules

import (
	"fmt"
	"path/filepath"

	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/store"
)

// StrayCopy reports a copy of a log beside it.
var StrayCopy = &Rule{
	ID:        "TL808",
	Name:      "stray-copy",
	Summary:   "a copy of a log lies in the session directory",
	Class:     Advice,
	Severity:  Warning,
	Authority: Layout,
	Reader:    Accepts,
	Fix:       Assisted,
	Doc:       page("stray-copy"),
	checkDir:  checkStrayCopy,
}

func checkStrayCopy(p *storePass) {
	for _, name := range p.dir.Find(store.Copy) {
		if len(p.logs) == 0 {
			p.report(name, "a copy of a log that is not there")
			continue
		}
		log := p.dir.Winner()
		relation, known := p.compare(filepath.Join(p.dir.Path, name), log.Path)
		f := p.report(name, "a copy beside %q: it %s", log.Name(), relation)
		if known {
			f.Severity = Note
		}
	}
}

// relate adds another log to the finding about one, and says how they differ.
func (p *storePass) relate(f *Finding, log, other, what string) {
	if p.listingOnly {
		f.relateFile(other, what)
		return
	}
	relation, _ := p.compare(log, other)
	f.relateFile(other, what+": this one "+relation)
}

// compare says in words how a copy relates to a log, and whether that holds
// all that the copy does.
func (p *storePass) compare(copied, log string) (relation string, known bool) {
	c, err := store.Compare(p.ctx, copied, log)
	switch all := c.Common + c.Second; {
	case err != nil:
		return "cannot be compared: " + reason(err), false
	case c.Common+c.First == 0:
		return "holds no event", true
	case c.Diverged && c.Common == 0:
		return "has no event in common with that log", false
	case c.Diverged:
		return fmt.Sprintf("shares the first %s with that log, then has %s where that has %d",
			words.Count(c.Common, "event"), words.Count(c.First, "other"), c.Second), false
	case c.First > 0:
		return fmt.Sprintf("holds all %s of that log and %d more", words.Count(c.Common, "event"), c.First), false
	case c.Second > 0:
		return fmt.Sprintf("holds the first %d of %s in that log", c.Common, words.Count(all, "event")), true
	}
	return fmt.Sprintf("holds the same %s", words.Count(c.Common, "event")), true
}
