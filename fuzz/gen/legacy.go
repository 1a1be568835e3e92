package main

import "fmt"

// The shapes of July 2026, before messages had ids: a trigger in turn/start, and
// messages spread over data. dsh still reads them (docs/format.md §4.2).

// newJulyLog starts a log of 2026-07-22.
func newJulyLog() *writer {
	w := &writer{time: 1784710800000}
	fmt.Fprintf(&w.text, `{"type":"session","version":0,"id":"lantern-0","createdAt":%d,"cwd":"/home/ada/lantern","delegationDepth":0}`+"\n", w.time)
	w.flush()
	return w
}

func (w *writer) julyTurn(trigger string) {
	w.turn, w.step = w.turn+1, 0
	w.event("turn/start", fmt.Sprintf(`{"turn":%d,"trigger":{"kind":%q,"source":{"kind":"user"}}}`, w.turn, trigger), "")
}

func (w *writer) julyUser(text, source string) {
	w.event("user/message", fmt.Sprintf(`{"content":[{"type":"text","text":%s}],"source":{"kind":%q}}`, quote(text), source), onSurface)
}

func (w *writer) julySay(text string, calls ...string) {
	blocks := `{"type":"text","text":` + quote(text) + `}`
	for _, id := range calls {
		blocks += fmt.Sprintf(`,{"type":"tool-call","id":%q,"name":"lamp","arguments":"{}"}`, id)
	}
	w.event("assistant/message", w.place(
		`,"content":[`+blocks+`],"provenance":{"provider":"harbour","model":"beacon-1"}}`), onSurface)
}

func (w *writer) julyResult(id, text string, seq int) {
	w.event("tool/result", w.place(fmt.Sprintf(`,"callId":%q,"content":[{"type":"text","text":%s}],"isError":false}`, id, quote(text))),
		fmt.Sprintf(`,"sourceEventSeqs":[%d]%s`, seq, onSurface))
}

// julyAsk writes a whole turn.
func (w *writer) julyAsk(question, answer string) {
	w.julyTurn("message")
	w.julyUser(question, "user")
	w.startStep()
	w.julySay(answer)
	w.endStep()
	w.endTurn()
}

// injection writes the turn that a message from a plugin got for itself while no
// other turn was open.
func (w *writer) injection(text string) {
	w.julyTurn("injection")
	w.julyUser(text, "plugin")
	w.endTurn()
}
