package rules

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/turnlint/turnlint/session"
)

// ListingBlocked reports that one log keeps dsh from listing any session.
var ListingBlocked = &Rule{
	ID:        "TL807",
	Name:      "listing-blocked",
	Summary:   "a log or a directory keeps dsh from listing any session of the directory",
	Class:     Damaged,
	Severity:  Error,
	Authority: Layout,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("listing-blocked"),
	checkDir:  checkListingBlocked,

	checkDatabase: checkBlockingRow,
}

func checkListingBlocked(p *storePass) {
	if err := p.dir.Err; err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.block("", nil, reason(err))
	}
	for _, log := range p.logs {
		l := log.Listing()
		switch {
		case l.Misnamed: // which is another rule's
		case l.FirstOnly && p.hasLater():
			p.passOver(log.Name(), withoutPaths(l.Blocks.Text, log.Path))
		case l.Blocks != nil:
			p.block(log.Name(), l.Blocks, withoutPaths(l.Blocks.Text, log.Path))
		case l.Err != nil && !errors.Is(l.Err, fs.ErrNotExist): // removed meanwhile
			p.block(log.Name(), nil, reason(l.Err))
		}
	}
}

// block reports what keeps dsh from listing; refusal is nil for an error of the system.
func (p *storePass) block(name string, refusal *session.Refusal, why string) {
	refuse(&p.refusals.log, refusal)
	p.report(name, "dsh cannot list any session of this store: %s", why)
}

// passOver reports what the first dsh cannot list, in a store where a later one
// writes, which leaves such a log out of its list.
func (p *storePass) passOver(name, why string) {
	f := p.finding(filepath.Join(p.dir.Path, name), "dsh leaves the session out of its list: %s", why)
	f.Severity, f.Reader = Warning, Drops
	p.keep(f)
}

// withoutPaths cuts off the paths in dsh's message, of which one is the finding's
// and the other too long for a line.
func withoutPaths(text, path string) string {
	text = strings.TrimPrefix(text, "corrupt Zstandard session log: ")
	text = strings.TrimPrefix(text, `corrupt session log "`+absolute(path)+`": `)
	if before, _, found := strings.Cut(text, ` identify "`); found {
		return before + " identify another path"
	}
	return text
}

// checkBlockingRow reports the row of a session database for which dsh lists none.
func checkBlockingRow(p *databasePass) {
	if row := p.blocking; row != nil {
		p.reportSession(row.id, "dsh cannot list any session of this store: %s", row.why)
	}
}
