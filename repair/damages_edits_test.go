package repair

import (
	"fmt"
	"strings"
)

// spoilEvent returns a damage of one event of a type, which only a permission mends.
func spoilEvent(name, cases, kind string, to func(line string) string) damage {
	return damage{name: name, cases: cases, asks: true, lines: func(b batches, k int) batches {
		i, j := b.find(k, `"type":"`+kind+`"`)
		return b.with(i, j, to(b[i][j]))
	}}
}

// replacing replaces the first old text of a line.
func replacing(old, text string) func(string) string {
	return func(line string) string { return strings.Replace(line, old, text, 1) }
}

// editDamages are those of single members.
var editDamages = []damage{
	spoilEvent("unknown type", "59", "step/end", replacing("step/end", "acme/audit")),
	spoilEvent("message without id", "60", "user/message", replacing(`"id":"u`, `"ix":"u`)),
	spoilEvent("answer with an empty id", "60", "assistant/message", func(line string) string {
		before, rest, _ := strings.Cut(line, `"message":{"id":"`)
		_, rest, _ = strings.Cut(rest, `"`)
		return before + `"message":{"id":"` + `"` + rest
	}),
	{name: "call with an empty id", cases: "61", asks: true, lines: func(b batches, k int) batches {
		n := 1 + k%3
		b = b.clone()
		for i := range b {
			for j := range b[i] {
				for _, key := range []string{"id", "callId", "toolCallId"} {
					b[i][j] = strings.ReplaceAll(b[i][j], fmt.Sprintf(`"%s":"c%d"`, key, n), fmt.Sprintf(`"%s":""`, key))
				}
			}
		}
		return b
	}},
	spoilEvent("reference to a later event", "63", "assistant/message", replacing(`"surfaceOp"`, `"sourceEventSeqs":[0,0,9999],"surfaceOp"`)),
	spoilEvent("list of later events only", "63", "user/message", replacing(`{`, `{"sourceEventSeqs":[9999],`)),
	spoilEvent("compressed references", "", "tool/result", replacing(`"surfaceOp"`, `"sourceEventSeqs":[[0,3]],"surfaceOp"`)),
	spoilEvent("foreign member in front", "66", "turn/start", replacing(`{`, `{ "uuid" : "x" , `)),
	spoilEvent("foreign member behind", "66", "user/message", replacing(`,"surfaceOp"`, `,"uuid":"x","surfaceOp"`)),
	spoilEvent("row with too few times", "71", "text-chunks", replacing(`[1,1,1]`, `[1,1]`)),
	spoilEvent("time with a fraction", "73", "step/start", replacing(`,"data"`, `.5,"data"`)),
}

// everything is all that a user can allow for the logs of [healthy].
func everything() Options {
	opt := Options{AllowLoss: 1 << 20, Parent: parentOfHealthy, Header: healthy(0)[0][0]}
	kinds := []string{
		"agent/inbox/spliced", "turn/start", "user/message", "step/start", "text-chunks", "assistant/message",
		"tool/call", "tool/result", "step/end", "turn/end", "acme/audit", "llm/retry", "session/end-seed",
	}
	for _, name := range Permissions() {
		if mends := (&Plan{Options: Options{Allow: []Permission{Permission(name)}}}).mends(); mends {
			continue // which is about sound logs
		}
		name, object, named := strings.Cut(name, "=")
		if !named {
			opt.Allow = append(opt.Allow, Permission(name))
			continue
		}
		for _, kind := range kinds {
			opt.Allow = append(opt.Allow, Permission(name+"="+strings.NewReplacer("TYPE", kind, "MEMBER", "uuid").Replace(object)))
		}
	}
	return opt
}
