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
}

func checkListingBlocked(p *storePass) {
	if err := p.dir.Err; err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.block("", nil, reason(err))
	}
	for _, name := range p.logs {
		path := filepath.Join(p.dir.Path, name)
		_, refusal, err := p.tree.List(path)
		switch {
		case refusal != nil:
			p.block(name, refusal, withoutPaths(refusal.Text, path))
		case err != nil && !errors.Is(err, fs.ErrNotExist): // removed meanwhile
			p.block(name, nil, reason(err))
		}
	}
}

// block reports what keeps dsh from listing; refusal is nil for an error of the system.
func (p *storePass) block(name string, refusal *session.Refusal, why string) {
	refuse(&p.refusals.log, refusal)
	p.report(name, "dsh cannot list any session of this store: %s", why)
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
