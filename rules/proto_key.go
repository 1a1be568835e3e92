package rules

import "github.com/turnlint/turnlint/internal/jsjson"

// ProtoKey reports that an object has a key "__proto__".
var ProtoKey = &Rule{
	ID:        "TL510",
	Name:      "proto-key",
	Summary:   `an object has a key "__proto__"`,
	Class:     Advice,
	Severity:  Note,
	Authority: Lossless,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("proto-key"),
	on:        onText,
	check:     checkProtoKey,
}

func checkProtoKey(p *pass) {
	p.reportFeature(jsjson.ProtoKey, `a key "__proto__"`)
}
