package rules

import (
	"path/filepath"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/session"
)

// MixedEncodings reports that a sessions directory holds plain and zstd logs.
var MixedEncodings = &Rule{
	ID:         "TL804",
	Name:       "mixed-encodings",
	Summary:    "a sessions directory holds plain logs and zstd logs",
	Class:      Incompatible,
	Severity:   Error,
	Authority:  Layout,
	Reader:     Refuses,
	Fix:        Safe,
	Doc:        page("mixed-encodings"),
	checkStore: checkMixedEncodings,
}

// checkMixedEncodings reports the encoding with fewer logs. Of two with the same
// number it is the plain one, because dsh writes zstd unless told otherwise.
func checkMixedEncodings(p *storePass) {
	if p.plain.count == 0 || p.zstd.count == 0 {
		return
	}
	refuse(&p.refusals.encoding, session.Refuse("session artifact "+quotedPath(p.plain.paths[0])+
		` uses .jsonl, but this backend is configured for compression "zstd"; use a separate root or select the matching compression mode`))
	few, kind := p.plain, "plain"
	if p.zstd.count < p.plain.count {
		few, kind = p.zstd, "zstd"
	}
	f := p.reportAt(few.paths[0], "dsh cannot list or open any session of this store, whichever encoding it is set to: %s, %s",
		words.Count(p.plain.count, "plain log"), words.Count(p.zstd.count, "zstd log"))
	f.Consequences = few.count - 1
	for _, beside := range p.tree.Session(filepath.Dir(few.paths[0])).Logs {
		if beside.Path != few.paths[0] {
			p.relate(f, few.paths[0], beside.Path, "the log beside it")
		}
	}
	for _, other := range few.paths[1:] {
		f.relateFile(other, "another "+kind+" log")
	}
}

// quotedPath returns a path in the JSON form in which dsh prints it.
func quotedPath(path string) string { return string(jsjson.AppendQuoted(nil, absolute(path))) }
