package rules

import (
	"path/filepath"

	"github.com/turnlint/turnlint/session"
)

// IDMismatch reports that the session directory is not called like the id in the header.
var IDMismatch = &Rule{
	ID:        "TL803",
	Name:      "id-mismatch",
	Summary:   "the session directory is not called like the id in the header",
	Class:     Damaged,
	Severity:  Error,
	Authority: Layout,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("id-mismatch"),
	on:        onEnd,
	check:     checkIDMismatch,
}

func checkIDMismatch(p *pass) {
	if !p.placed() {
		return
	}
	dir := filepath.Dir(p.opt.Path)
	name, err := session.EncodeID(p.header.ID)
	inTree := filepath.Dir(filepath.Dir(dir)) == p.opt.Root // elsewhere, the place is wrong as a whole
	if err == nil && inTree && name != filepath.Base(dir) {
		p.reportAt(p.headerPlace, "the header has id %q, but the session directory is %q", p.header.ID, filepath.Base(dir))
	}
}
