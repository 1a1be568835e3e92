package rules_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// dialect is what the writers of a time had in common (docs/format.md §6.2).
type dialect struct {
	name    string
	start   int64  // epoch ms
	members string // of the header, behind its id

	trigger     bool     // turn/start names what triggered it
	triggers    []string // other kinds of turns than for a message
	surface     bool     // messages have a surfaceOp
	ids         bool     // messages have ids
	rows        bool     // chunks are packed
	looseUser   bool     // user messages may stand outside turns
	loosePlugin bool     // events of plugins may
	inbox       bool     // messages wait in the inbox
	compaction  bool     // a summary replaces what was said
	opens       bool     // dsh reads it
}

const today = `"version":0,"createdAt":1,"cwd":"/w","delegationDepth":0`

var allDialects = []dialect{
	{name: "d1-seed", start: 1781776800000, members: `"version":1,"createdAt":1,"cwd":"/w"`, trigger: true, triggers: []string{"injection"}},
	{name: "d2-plain", start: 1782208800000, members: `"version":0,"createdAt":1,"cwd":"/w"`, trigger: true, triggers: []string{"injection"}},
	{
		name: "d3-surface", start: 1782957600000, members: `"version":0,"createdAt":1,"cwd":"/w"`,
		trigger: true, triggers: []string{"injection"}, surface: true,
	},
	{
		name: "d4-depth", start: 1784710800000, members: today, trigger: true, triggers: []string{"injection", "session-title"},
		surface: true, rows: true, opens: true,
	},
	{name: "d5-ctx", start: 1785146400000, members: today, trigger: true, surface: true, rows: true, looseUser: true, opens: true},
	{
		name: "d6-open", start: 1785405600000, members: today, trigger: true,
		surface: true, ids: true, rows: true, looseUser: true, loosePlugin: true, opens: true,
	},
	{name: "d7-react", start: 1786010400000, members: today, surface: true, ids: true, rows: true, loosePlugin: true, inbox: true, opens: true},
	{
		name: "d8-rc", start: 1787216400000, members: today,
		surface: true, ids: true, rows: true, loosePlugin: true, inbox: true, compaction: true, opens: true,
	},
}

// author writes a legal log of a dialect, with what happens in it drawn.
type author struct {
	*rapid.T
	dialect
	lines      []string
	seq, time  int64
	turn, step int
	calls      int
	nodes      []int64 // seqs of the messages on the surface
}

// legalLog draws a log of the dialect and returns its lines, each with its LF.
func legalLog(t *rapid.T, d dialect) []string {
	a := &author{T: t, dialect: d, time: d.start}
	a.lines = []string{`{"type":"session","id":"s",` + d.members + "}\n"}
	for range a.upTo("turns", 1, 4) {
		a.between()
		a.wholeTurn()
	}
	a.between()
	return a.lines
}

func (a *author) upTo(what string, low, high int) int {
	return rapid.IntRange(low, high).Draw(a.T, what)
}

func (a *author) flip(what string) bool { return rapid.Bool().Draw(a.T, what) }

// event writes an event with the members of its data, and others behind it, and
// returns its seq.
func (a *author) event(kind, data, members string) int64 {
	a.lines = append(a.lines, fmt.Sprintf(`{"type":%q,"seq":%d,"time":%d,"data":{%s}%s}`+"\n", kind, a.seq, a.time, data, members))
	a.seq++
	a.time += 5
	return a.seq - 1
}

// message writes an event that is on the surface.
func (a *author) message(kind, data, sources string) {
	if a.surface {
		a.nodes = append(a.nodes, a.event(kind, data, `,"surfaceOp":"append"`+sources))
		return
	}
	a.event(kind, data, "")
}

// between writes what may stand between two turns.
func (a *author) between() {
	if a.looseUser && a.flip("loose message") {
		a.user("plugin")
	}
	if a.loosePlugin && a.flip("loose event") {
		a.title()
	}
	if a.inbox && a.flip("queued and canceled") {
		a.event("agent/inbox/spliced", `"target":"next-turn","start":0,"inserted":[{`+a.identified("user", "text")+`}]`, "")
		a.event("agent/inbox/spliced", `"target":"next-turn","start":0,"removedCount":1,"inserted":[],"outcome":"canceled"`, "")
	}
	if a.ids && a.flip("resumed") {
		a.event("session/end-seed", "", "")
	}
}

func (a *author) title() {
	a.event("session/title", `"title":"Lamp","messageSeqs":[],"source":{"kind":"user"}`, "")
}

func (a *author) wholeTurn() {
	a.turn, a.step = a.turn+1, 0
	if len(a.triggers) > 0 && a.flip("no message") {
		kind := rapid.SampledFrom(a.triggers).Draw(a.T, "trigger")
		a.startTurn(kind)
		if kind == "injection" {
			a.user("plugin")
		} else {
			a.title()
		}
		a.endTurn(`"kind":"completed"`)
		return
	}
	a.startTurn("message")
	a.user("user")
	if a.compaction && a.flip("compaction") {
		a.compact()
	}
	for range a.upTo("steps", 1, 3) {
		a.wholeStep()
	}
	if a.crashes() {
		return
	}
	a.endTurn(rapid.SampledFrom(a.reasons()).Draw(a.T, "reason"))
}

func (a *author) startTurn(trigger string) {
	data := fmt.Sprintf(`"turn":%d`, a.turn)
	if a.trigger {
		data += fmt.Sprintf(`,"trigger":{"kind":%q}`, trigger)
	}
	a.event("turn/start", data, "")
}

func (a *author) endTurn(reason string) {
	a.event("turn/end", fmt.Sprintf(`"turn":%d,"reason":{%s}`, a.turn, reason), "")
}

func (a *author) reasons() []string {
	if a.trigger {
		return []string{`"kind":"completed"`, `"kind":"max-tokens"`, `"kind":"aborted"`, `"kind":"error","step":1,"message":"m","code":"C"`}
	}
	return []string{
		`"kind":"completed"`, `"kind":"max-tokens"`, `"kind":"blocked"`, `"kind":"aborted","reason":{"kind":"user"}`,
		`"kind":"error","error":{"message":"m","code":"C"}`,
	}
}

// crashes may end the turn as dsh does when it finds it open.
func (a *author) crashes() bool {
	if !a.ids || !a.flip("crash") {
		return false
	}
	a.startStep()
	id := a.say(true)
	call := a.event("tool/call", a.place(`,"callId":%q,"name":"lamp","arguments":"{}"`, id), "")
	a.message("tool/result", a.place(`,"message":{"id":"interrupted-tool-result-%s-%d","role":"user","source":{"kind":"tool","callId":%q},`+
		`"content":[{"type":"tool-result","toolCallId":%q,"isError":true,"content":[]}]},`+
		`"error":{"name":"ToolOutcomeUnknownError","code":"TOOL_OUTCOME_UNKNOWN"}`, id, a.seq, id, id), fmt.Sprintf(`,"sourceEventSeqs":[%d]`, call))
	a.event("step/end", a.place(""), "")
	a.endTurn(`"kind":"interrupted"`)
	a.event("session/end-seed", "", "")
	return true
}

// place is data that names the open step and goes on with more.
func (a *author) place(format string, args ...any) string {
	return fmt.Sprintf(`"turn":%d,"step":%d`, a.turn, a.step) + fmt.Sprintf(format, args...)
}

func (a *author) startStep() {
	a.step++
	a.event("step/start", a.place(""), "")
}

func (a *author) wholeStep() {
	a.startStep()
	if a.rows && a.flip("chunks") {
		a.chunks()
	}
	if a.flip("call") {
		id := a.say(true)
		a.result(id, a.event("tool/call", a.place(`,"callId":%q,"name":"lamp","arguments":"{}"`, id), ""))
	} else {
		a.say(false)
	}
	a.event("step/end", a.place(""), "")
}

// chunks writes the start of a block and a packed row of its text.
func (a *author) chunks() {
	a.event("assistant/chunk", a.place(`,"chunk":{"type":"block-start","index":0,"blockType":"text"}`), "")
	n := a.upTo("deltas", 1, 4)
	zeros := strings.TrimSuffix(strings.Repeat("1,", n-1), ",")
	texts := strings.TrimSuffix(strings.Repeat(`"é",`, n), ",")
	a.lines = append(a.lines, fmt.Sprintf(`{"type":"text-chunks","seq0":%d,"time0":%d,"data":{%s}}`+"\n",
		a.seq, a.time, a.place(`,"index":0,"dt":[%s],"texts":[%s]`, zeros, texts)))
	a.seq += int64(n)
	a.time += int64(n)
}

// identified is the members of a message of today but for its source.
func (a *author) identified(role, block string) string {
	return fmt.Sprintf(`"id":"m%d","role":%q,"content":[{"type":"text","text":%q}],"source":{"kind":%q}`, a.seq, role, block, role)
}

func (a *author) user(source string) {
	if a.ids {
		a.message("user/message", strings.Replace(a.identified("user", "Hi."), `"kind":"user"`, fmt.Sprintf(`"kind":%q`, source), 1), "")
		return
	}
	a.message("user/message", fmt.Sprintf(`"content":[{"type":"text","text":"Hi."}],"source":{"kind":%q}`, source), "")
}

// say writes a message of the model and returns the id of the call in it, if any.
func (a *author) say(calls bool) (id string) {
	blocks := `{"type":"text","text":"Yes."}`
	if calls {
		a.calls++
		id = fmt.Sprintf("c%d", a.calls)
		blocks += fmt.Sprintf(`,{"type":"tool-call","id":%q,"name":"lamp","arguments":"{}"}`, id)
	}
	switch {
	case a.ids:
		a.message("assistant/message", a.place(`,"message":{"id":"m%d","role":"assistant","content":[%s],`+
			`"source":{"kind":"model","provider":"p","model":"m"}}`, a.seq, blocks), "")
	case a.opens:
		a.message("assistant/message", a.place(`,"content":[%s],"provenance":{"provider":"p","model":"m"}`, blocks), "")
	default:
		a.message("assistant/message", a.place(`,"content":[%s]`, blocks), "")
	}
	return id
}

// result answers the call that the event with the given seq recorded.
func (a *author) result(id string, call int64) {
	sources := fmt.Sprintf(`,"sourceEventSeqs":[%d]`, call)
	if !a.ids {
		a.message("tool/result", a.place(`,"callId":%q,"content":[],"isError":false`, id), sources)
		return
	}
	a.message("tool/result", a.place(`,"message":{"id":"m%d","role":"user","source":{"kind":"tool","callId":%q},`+
		`"content":[{"type":"tool-result","toolCallId":%q,"content":[],"isError":false}]}`, a.seq, id, id), sources)
}

// compact replaces all that is on the surface by a summary.
func (a *author) compact() {
	seqs := strings.Trim(strings.ReplaceAll(fmt.Sprint(a.nodes), " ", ","), "[]")
	first, last := a.nodes[0], a.nodes[len(a.nodes)-1]
	id := fmt.Sprintf(`"compactionId":"f%d"`, a.turn)
	a.event("compaction/start", fmt.Sprintf(`%s,"turn":%d`, id, a.turn), "")
	summary := a.event("compaction/summary", fmt.Sprintf(`%s,"summary":[{"type":"text","text":"Hi."}],"shadowedRange":{"start":%d,"end":%d},`+
		`"shadowedSeqs":[%s],"shadowedTokenCount":9,"provider":"p","model":"m"`, id, first, last, seqs), "")
	a.nodes = []int64{a.event("user/message", strings.Replace(a.identified("user", "Hi."), `"kind":"user"`, `"kind":"plugin"`, 1),
		fmt.Sprintf(`,"sourceEventSeqs":[%d,%s],"surfaceOp":{"op":"replace","start":%d,"end":%d}`, summary, seqs, first, last))}
	a.event("compaction/end", fmt.Sprintf(`%s,"turn":%d`, id, a.turn), "")
}
