package session_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/session"
)

// violations runs events, given as JSON texts, through a new machine and returns
// what they break, each with the index of its event.
func violations(t *testing.T, events ...string) (all []string) {
	t.Helper()
	m := session.NewTurns()
	for i, text := range events {
		var v *session.Violation
		doc := parse(t, text)
		var row session.Chunks
		if kind := session.ChunkKindOf(doc.Get("type")); kind != session.NoChunks && row.Read(kind, doc) {
			v = m.Chunks(&row)
		} else {
			v = m.Event(event(t, text))
		}
		if v != nil {
			all = append(all, fmt.Sprintf("%d: %s", i, v.Text))
		}
	}
	return all
}

// of is an event of a type with its turn and step, given as JSON; "" leaves one out.
func of(kind, turn, step string) string {
	data := "{"
	if turn != "" {
		data += `"turn":` + turn
	}
	if step != "" {
		data += `,"step":` + step
	}
	return fmt.Sprintf(`{"type":%q,"data":%s}}`, kind, data)
}

func ts(turn string) string       { return of("turn/start", turn, "") }
func te(turn string) string       { return of("turn/end", turn, "") }
func ss(turn, step string) string { return of("step/start", turn, step) }
func se(turn, step string) string { return of("step/end", turn, step) }

func toolCall(id string) string {
	return `{"type":"tool/call","data":{"turn":1,"step":1,"callId":` + id + `}}`
}

// toolResult is a result of a call with further members of its block and its data.
func toolResult(id, block, data string) string {
	return `{"type":"tool/result","surfaceOp":"append","data":{"turn":1,"step":1,"message":{"source":{"callId":` + id +
		`},"content":[{"type":"tool-result"` + block + `}]}` + data + `}}`
}

func TestTurnRelations(t *testing.T) {
	tests := map[string]struct{ events, want []string }{
		"two turns with steps": {[]string{ts("1"), ss("1", "1"), se("1", "1"), ss("1", "2"), se("1", "2"), te("1"), ts("2"), ss("2", "1"), se("2", "1"), te("2")}, nil},
		"turn/start in a turn": {[]string{ts("1"), ts("2"), te("2"), ts("3")}, []string{"1: turn/start 2 while turn 1 is still open"}},
		"turn/start with another number": {
			[]string{ts("1"), te("1"), ts("3"), te("3"), ts("4")}, []string{"2: turn/start expected turn 2, got 3"},
		},
		"the first turn is 1":            {[]string{ts("0")}, []string{"0: turn/start expected turn 1, got 0"}},
		"a turn in quotes":               {[]string{ts(`"1"`)}, []string{"0: turn/start expected turn 1, got 1"}},
		"an absent turn":                 {[]string{ts("")}, []string{"0: turn/start expected turn 1, got undefined"}},
		"two turns with the same number": {[]string{ts("1"), te("1"), ts("1"), te("1"), ts("2")}, []string{"2: turn/start expected turn 2, got 1"}},
		"turn/end without a turn":        {[]string{te("1"), ts("2")}, []string{"0: turn/end 1 does not match open turn null"}},
		"turn/end of another turn":       {[]string{ts("1"), te("2"), ts("2")}, []string{"1: turn/end 2 does not match open turn 1"}},
		"a second turn/end":              {[]string{ts("1"), te("1"), te("1"), ts("2")}, []string{"2: turn/end 1 does not match open turn null"}},
		"turn/end of null where none is": {[]string{te("null"), ts("2")}, nil},
		"turn/end in a step":             {[]string{ts("1"), ss("1", "1"), te("1"), ts("2")}, []string{"2: turn/end 1 while step 1 is still open"}},
		"step/start outside a turn":      {[]string{ss("1", "1"), se("1", "1"), te("1"), ts("2")}, []string{"0: step/start in turn 1 but open turn is null"}},
		"step/start of another turn":     {[]string{ts("1"), ss("2", "1")}, []string{"1: step/start in turn 2 but open turn is 1"}},
		"step/start in a step":           {[]string{ts("1"), ss("1", "1"), ss("1", "2"), se("1", "2"), ss("1", "3")}, []string{"2: step/start 2 while step 1 is still open"}},
		"step/start with another number": {[]string{ts("1"), ss("1", "2"), se("1", "2"), ss("1", "3")}, []string{"1: step/start expected step 1 in turn 1, got 2"}},
		"steps begin again in each turn": {[]string{ts("1"), ss("1", "1"), se("1", "1"), te("1"), ts("2"), ss("2", "2")}, []string{"5: step/start expected step 1 in turn 2, got 2"}},
		"step/end without a step":        {[]string{ts("1"), se("1", "1")}, []string{"1: step/end names turn 1/step 1 but open is turn 1/step null"}},
		"an answer outside a step":       {[]string{ts("1"), of("assistant/message", "1", "1")}, []string{"1: assistant/message names turn 1/step 1 but open is turn 1/step null"}},
		"a chunk of another step":        {[]string{ts("1"), ss("1", "1"), of("assistant/chunk", "1", "2")}, []string{"2: assistant/chunk names turn 1/step 2 but open is turn 1/step 1"}},
		"a row of another step":          {[]string{ts("1"), ss("1", "1"), toolRow}, []string{"2: assistant/chunk names turn 1/step 2 but open is turn 1/step 1"}},
		"a row of the open step":         {[]string{ts("1"), ss("1", "1"), textRow}, nil},
		"a call outside a step":          {[]string{toolCall(`"a"`)}, []string{"0: tool/call names turn 1/step 1 but open is turn null/step null"}},
		"an absent step is no number":    {[]string{ts("1"), ss("1", ""), of("assistant/message", "1", "")}, []string{"1: step/start expected step 1 in turn 1, got undefined"}},
		"messages and markers are free":  {[]string{of("user/message", "", ""), of("session/end-seed", "", ""), of("session/title", "", ""), of("tide/measured", "", "")}, nil},
		"core events must be in a turn": {[]string{of("todo/write", "", ""), of("request/header", "", ""), of("request/context", "", "")}, []string{
			"0: todo/write appended outside any open turn (core execution events must be turn-enclosed)",
			"1: request/header appended outside any open turn (core execution events must be turn-enclosed)",
			"2: request/context appended outside any open turn (core execution events must be turn-enclosed)",
		}},
		"and are fine there": {[]string{ts("1"), of("todo/write", "", ""), `{"type":"request/header","data":null}`}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, violations(t, test.events...)); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

func TestResultRelations(t *testing.T) {
	const unpaired = `: tool/result for a with no prior tool/call in this step`
	replacement := `{"type":"tool/result","surfaceOp":{"op":"replace","start":1,"end":1},"data":{}}`
	tests := map[string]struct{ events, want []string }{
		"a result of its call":               {[]string{toolCall(`"a"`), toolResult(`"a"`, "", "")}, nil},
		"a result without a call":            {[]string{toolResult(`"a"`, "", "")}, []string{"0" + unpaired}},
		"a second result":                    {[]string{toolCall(`"a"`), toolResult(`"a"`, "", ""), toolResult(`"a"`, "", "")}, []string{"2" + unpaired}},
		"a call twice is pending once":       {[]string{toolCall(`"a"`), toolCall(`"a"`), toolResult(`"a"`, "", ""), toolResult(`"a"`, "", "")}, []string{"3" + unpaired}},
		"a result in the next step":          {[]string{toolCall(`"a"`), se("1", "1"), ss("1", "2"), `{"type":"tool/result","surfaceOp":"append","data":{"turn":1,"step":2,"message":{"source":{"callId":"a"},"content":[{}]}}}`}, []string{"3" + unpaired}},
		"the closer of a call never started": {[]string{toolResult(`"a"`, `,"isError":true`, `,"error":{"code":"TOOL_NOT_STARTED"}`)}, nil},
		"another code does not excuse it":    {[]string{toolResult(`"a"`, `,"isError":true`, `,"error":{"code":"TOOL_OUTCOME_UNKNOWN"}`)}, []string{"0" + unpaired}},
		"nor the code without an error":      {[]string{toolResult(`"a"`, `,"isError":1`, `,"error":{"code":"TOOL_NOT_STARTED"}`)}, []string{"0" + unpaired}},
		"a replacement in a turn":            {[]string{replacement}, nil},
		"a replacement outside a turn":       {[]string{se("1", "1"), te("1"), replacement}, []string{"2: tool/result surface replacement appended outside any open turn"}},
		"a result of another step":           {[]string{`{"type":"tool/result","surfaceOp":"append","data":{"turn":1,"step":3}}`}, []string{"0: tool/result names turn 1/step 3 but open is turn 1/step 1"}},
		"no message":                         {[]string{`{"type":"tool/result","surfaceOp":"append","data":{"turn":1,"step":1}}`}, []string{"0: Cannot read properties of undefined (reading 'source')"}},
		"a message without a source":         {[]string{`{"type":"tool/result","surfaceOp":"append","data":{"turn":1,"step":1,"message":{}}}`}, []string{"0: Cannot read properties of undefined (reading 'callId')"}},
		"an empty content, though pending":   {[]string{toolCall(`"a"`), `{"type":"tool/result","surfaceOp":"append","data":{"turn":1,"step":1,"message":{"source":{"callId":"a"},"content":[]}}}`}, []string{"1: Cannot read properties of undefined (reading 'isError')"}},
		"a content that is a string":         {[]string{toolCall(`"a"`), `{"type":"tool/result","surfaceOp":"append","data":{"turn":1,"step":1,"message":{"source":{"callId":"a"},"content":"x"}}}`}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			const before = 2 // the turn and the step around the events of the test
			got := violations(t, append([]string{ts("1"), ss("1", "1")}, test.events...)...)
			var want []string
			for _, v := range test.want {
				var i int
				if _, err := fmt.Sscanf(v, "%d:", &i); err != nil {
					t.Fatal(err)
				}
				want = append(want, fmt.Sprintf("%d%s", i+before, v[1:]))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTurnsCrashWhereDshDoes(t *testing.T) {
	for _, kind := range []string{"turn/start", "turn/end", "step/start", "step/end", "assistant/chunk", "assistant/message", "tool/call"} {
		got := violations(t, `{"type":"`+kind+`","data":null}`)
		if want := []string{"0: Cannot read properties of null (reading 'turn')"}; !cmp.Equal(want, got) {
			t.Errorf("%s with data of null: %v, want %v", kind, got, want)
		}
	}
	if got := violations(t, `{"type":"todo/write"}`, `{"type":"session/title","data":null}`); len(got) != 1 {
		t.Errorf("violations %v, want only the one of a todo/write outside a turn", got)
	}
}

func TestTurnsGoOnAfterAViolation(t *testing.T) {
	tests := map[string]struct {
		events []string
		count  int
	}{
		"a lost turn/end":      {[]string{ts("1"), ss("1", "1"), se("1", "1"), ts("2"), ss("2", "1"), se("2", "1"), te("2"), ts("3"), te("3")}, 1},
		"a lost turn/start":    {[]string{ts("1"), te("1"), ss("2", "1"), se("2", "1"), te("2"), ts("3"), te("3")}, 1},
		"a lost step/end":      {[]string{ts("1"), ss("1", "1"), ss("1", "2"), se("1", "2"), te("1"), ts("2"), te("2")}, 1},
		"a lost whole turn":    {[]string{ts("1"), te("1"), ts("3"), te("3"), ts("4"), te("4")}, 1},
		"a lost whole step":    {[]string{ts("1"), ss("1", "2"), se("1", "2"), ss("1", "3"), se("1", "3"), te("1")}, 1},
		"numbers that restart": {[]string{ts("1"), te("1"), ts("2"), te("2"), ts("1"), te("1"), ts("2"), te("2")}, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := violations(t, test.events...); len(got) != test.count {
				t.Errorf("%d violations, want %d:\n%v", len(got), test.count, got)
			}
		})
	}
}

func TestTurnsTellWhatIsOpen(t *testing.T) {
	m := session.NewTurns()
	for i, step := range []struct {
		event          string
		turn, step     bool
		number, inTurn string
	}{
		{ts("7"), true, false, "7", "null"},
		{ss("7", "1"), true, true, "7", "1"},
		{se("7", "1"), true, false, "7", "null"},
		{te("7"), false, false, "null", "null"},
	} {
		m.Event(event(t, step.event))
		if m.TurnOpen() != step.turn || m.StepOpen() != step.step || m.Turn().JSString() != step.number || m.Step().JSString() != step.inTurn {
			t.Errorf("after event %d: turn open %v (%s), step open %v (%s)", i, m.TurnOpen(), m.Turn().JSString(), m.StepOpen(), m.Step().JSString())
		}
	}
}
