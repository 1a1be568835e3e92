package upgrade

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAllRefusalsOfALogAreFound(t *testing.T) {
	bad := eventRow("todo/write", `{}`)
	log := oldLog(header0, turnStart, stepStart, bad, textDelta("a"), answer("[]"), bad, stepEnd,
		eventRow("x/y", `{}`), eventRow("turn/start", `{"turn":2}`))
	want := []string{
		`@deepseek-ai/dsh-session-format-v0-to-v1 refuses this format v0 Session: todo/write 2 data lacks required member "todos"`,
		`@deepseek-ai/dsh-session-format-v0-to-v1 refuses this format v0 Session: todo/write 5 data lacks required member "todos"`,
		`format v0 contains unknown historical event type "x/y" at seq 7; migration refuses unknown historical events even when ignorable`,
		"turn/start 2 does not close the prior turn",
	}
	got := predict(t, log, 0, 2, Options{All: true})
	if diff := cmp.Diff(want, texts(got)); diff != "" {
		t.Errorf("refusals (-want +got):\n%s", diff)
	}
	var places []string
	for _, r := range got.Refusals {
		places = append(places, fmt.Sprintf("v%d event %d", r.From, r.Row))
	}
	if diff := cmp.Diff([]string{"v0 event 2", "v0 event 5", "v0 event 7", "v1 event 8"}, places); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	if first := texts(predict(t, log, 0, 2, Options{})); len(first) != 1 || first[0] != want[0] {
		t.Errorf("without all: %q, want only the first", first)
	}
}

// What is refused must not be missed by what comes behind it: here the turn.
func TestARefusedEventStillOpensItsTurn(t *testing.T) {
	log := oldLog(header0, eventRow("turn/start", `{"turn":1,"x":1}`), stepStart, stepEnd, turnEnd)
	if got := predict(t, log, 0, 2, Options{All: true}); got.RefusalCount != 1 {
		t.Errorf("refusals %q, want one", texts(got))
	}
}

func TestAllBrokenRulesOfTheTargetAreFound(t *testing.T) {
	log := oldLog(header0, eventRow("turn/start", `{"turn":3}`), eventRow("step/start", `{"turn":3,"step":4}`), eventRow("turn/end", `{"turn":9,"reason":{"kind":"completed"}}`))
	got := predict(t, log, 0, 2, Options{All: true})
	if got.RefusalCount < 2 || got.Refusals[0].From != Target || got.Refusals[0].Row != 0 {
		t.Errorf("refusals %q, want several of the target, the first for event 0", texts(got))
	}
}

func TestTheNumberOfRefusalsKeptIsBounded(t *testing.T) {
	rows := make([]string, maxRefusals+5)
	for i := range rows {
		rows[i] = eventRow("todo/write", `{}`)
	}
	got := predict(t, oldLog(header0, rows...), 0, 2, Options{All: true})
	if len(got.Refusals) != maxRefusals || got.RefusalCount != maxRefusals+5 {
		t.Errorf("%d refusals kept of %d, want %d of %d", len(got.Refusals), got.RefusalCount, maxRefusals, maxRefusals+5)
	}
}
