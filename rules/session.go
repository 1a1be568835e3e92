package rules

import (
	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/scan"
)

// CheckSession is [Check] for a session in a database. Of the options, those about
// files do not matter, and no other versions of dsh are asked.
func CheckSession(s *database.Session, opt Options) (*Result, error) {
	opt = Options{Dialect: opt.Dialect, Digests: opt.Digests, Turn: opt.Turn}
	p, err := walk(func(bounded bool) *pass {
		p := newPass(nil, 0, &opt, bounded, false)
		p.open = func() (*scan.Reader, error) { return s.Reader(), nil }
		return p
	}, &opt)
	if err != nil {
		return nil, err
	}
	p.unbury()
	p.end()
	return p.result(), nil
}

// takeStoredHeader takes the header of a session in a database, which may be
// missing.
func (p *pass) takeStoredHeader() {
	p.headerEnded = true
	p.header, p.refusal = p.record.Stored.Header, p.record.Stored.Refusal
	p.dialects.line = 1
	if p.refusal == nil {
		p.refusal = p.header.Unsupported(p.generation)
		p.foreign = p.refusal != nil
	}
	if p.refusal == nil {
		headerSignals(p.header, p.container.Encoding, p.see)
		return
	}
	if p.foreign {
		p.ask(onHeader)
		return
	}
	p.line = badRow
}
