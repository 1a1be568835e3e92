package rules

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/session"
)

// MalformedRow reports that a packed row breaks its format.
var MalformedRow = &Rule{
	ID:        "TL210",
	Name:      "malformed-row",
	Summary:   "a packed row breaks its format",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Assisted,
	Doc:       page("malformed-row"),
	tail:      true,
	on:        onLine,
	check:     checkMalformedRow,
}

func checkMalformedRow(p *pass) {
	if p.line == rowLine {
		p.report("malformed row %q: %s", p.record.Event.Type.JSString(), rowFlaw(&p.record.Doc))
	}
}

// rowFlaw says which rule of docs/format.md §2.4 a packed row breaks.
func rowFlaw(doc *jsjson.Doc) string {
	data := doc.Get("data")
	texts := data.Get("texts")
	if session.ChunkKindOf(doc.Get("type")) == session.ToolCallChunks {
		texts = data.Get("args")
	}
	seq, seqOK := doc.Get("seq0").SafeInt()
	_, timeOK := doc.Get("time0").SafeInt()
	switch {
	case !doc.Root.HasExactly("type", "seq0", "time0", "data"):
		return "its keys are not exactly type, seq0, time0, data"
	case !seqOK || seq < 0:
		return "seq0 is no safe integer from 0"
	case !timeOK:
		return "time0 is no safe integer"
	case texts.Kind != jsjson.Array || texts.Len() == 0:
		return "it has no members"
	case data.Get("dt").Kind != jsjson.Array:
		return "dt is no array"
	case data.Get("dt").Len() != texts.Len()-1:
		return fmt.Sprintf("dt has %s for %s", words.Count(data.Get("dt").Len(), "gap"), words.Count(texts.Len(), "member"))
	}
	return "its data has other keys or kinds than the format says"
}
