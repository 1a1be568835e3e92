package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnlint/turnlint/session"
)

// nativeLog writes the events of a log of a format from v2 on.
type nativeLog struct {
	generation int64
	seq        int
}

// event returns the line of the next event.
func (n *nativeLog) event(kind, data, rest string) string {
	text := fmt.Sprintf(`{"type":%q,"seq":%d,"time":%d,"data":%s%s}`, kind, n.seq, 1783950000000+7*int64(n.seq), data, rest)
	n.seq++
	return text
}

const onSurface = `,"surfaceOp":"append"`

// healthyNative returns a log of closed turns, with an inbox and tools.
func healthyNative(generation int64, turns int) batches {
	n := &nativeLog{generation: generation}
	b := batches{{nativeHeader(generation, false)}}
	for turn := 1; turn <= turns; turn++ {
		b = append(b, n.turn(turn)...)
	}
	return b
}

func nativeHeader(generation int64, seeded bool) string {
	return fmt.Sprintf(`{"type":"session","version":%d,"id":"s","createdAt":1783950000000,"cwd":"/work","isSeeded":%t,"delegationDepth":0}`, generation, seeded)
}

// turn returns the batches of a turn.
func (n *nativeLog) turn(turn int) batches {
	at := fmt.Sprintf(`"turn":%d,"step":1`, turn)
	message := fmt.Sprintf(`{"id":"u%d","role":"user","content":[{"type":"text","text":"question\n%d"}],"source":{"kind":"user"}}`, turn, turn)
	b := batches{
		{n.event("agent/inbox/spliced", `{"target":"next-turn","start":0,"inserted":[`+message+`]}`, "")},
		{
			n.event("turn/start", fmt.Sprintf(`{"turn":%d}`, turn), ""),
			n.event("agent/inbox/spliced", `{"target":"next-turn","start":0,"removedCount":1,"inserted":[]}`, ""),
			n.event("step/start", "{"+at+"}", ""),
		},
	}
	if turn == 1 {
		b[1] = append(b[1], n.prompt(at)...)
	}
	b[1] = append(b[1], n.event("user/message", message, onSurface))
	if turn == 1 {
		b[1] = append(b[1], n.event("request/header", `{"header":{"config":{"provider":"p","model":"m"},"tools":[{"name":"ls","description":"list","parameters":{"type":"object"}}]},"reason":"initial"}`, ""))
	}
	content := fmt.Sprintf(`[{"type":"text","text":"abcd"},{"type":"tool-call","id":"c%d","name":"ls","arguments":"{}"}]`, turn)
	call := n.seq + 1
	return append(b,
		[]string{
			n.event("assistant/message", fmt.Sprintf(`{%s,"message":{"id":"a%d","role":"assistant","content":%s,"source":{"kind":"model","provider":"p","model":"m"}},"stream":[]}`, at, turn, content), onSurface),
			n.event("tool/call", fmt.Sprintf(`{%s,"callId":"c%d","name":"ls","arguments":"{}"}`, at, turn), ""),
		},
		[]string{
			n.event("tool/result", "{"+at+`,"message":`+n.result(turn)+"}", fmt.Sprintf(`%s,"sourceEventSeqs":[%d]`, onSurface, call)),
			n.event("step/end", "{"+at+"}", ""),
			n.event("turn/end", fmt.Sprintf(`{"turn":%d,"reason":{"kind":"completed"}}`, turn), ""),
		})
}

// prompt returns the first message of the surface, which v2 does not have.
func (n *nativeLog) prompt(at string) []string {
	source := `{"kind":"system-prompt"}`
	switch n.generation {
	case 2:
		return nil
	case 3:
		source = `{"kind":"plugin","plugin":"@deepseek-ai/dsh-system-prompt"}`
	}
	return []string{n.event("system/message", "{"+at+`,"message":{"id":"s1","role":"system","content":[],"source":`+source+"}}", onSurface)}
}

func (n *nativeLog) result(turn int) string {
	block := `[{"type":"text","text":"list"}]`
	if n.generation < 4 {
		block = fmt.Sprintf(`[{"type":"tool-result","toolCallId":"c%d","content":%s}]`, turn, block)
		return fmt.Sprintf(`{"id":"r%d","role":"user","source":{"kind":"tool","callId":"c%d"},"content":%s}`, turn, turn, block)
	}
	return fmt.Sprintf(`{"id":"r%d","role":"tool","toolCallId":"c%d","source":{"kind":"tool","callId":"c%d"},"content":%s}`, turn, turn, turn, block)
}

// seededNative returns the log of a fork: the first turn is that of another session.
func seededNative(generation int64) batches {
	n := &nativeLog{generation: generation}
	b := append(batches{{nativeHeader(generation, true)}}, n.turn(1)...)
	b = append(b, []string{n.event("session/end-seed", `{"inherited":true}`, "")})
	return append(b, n.turn(2)...)
}

// nativeName returns the name of a log, which damages may make that of the other
// encoding.
func nativeName(generation int64, compressed bool, all ...damage) string {
	return session.LogName{Generation: generation, Zstd: strings.HasSuffix(nameOf(compressed, all...), ".zstd")}.String()
}

// nativeDamages are the damages that logs without packed rows can have.
func nativeDamages() []damage {
	return slices.DeleteFunc(slices.Clone(damages), func(d damage) bool {
		return slices.Contains([]string{"end of a row again behind it", "start of a row again at the end", firstEventsLost.name}, d.name)
	})
}

// everythingNative allows everything for a log of healthyNative.
func everythingNative(generation int64, seeded bool) Options {
	opt := everything()
	opt.Parent, opt.Header = "", nativeHeader(generation, seeded)
	return opt
}
