package upgrade

import (
	"strings"
	"testing"
)

func TestRefusalsNameTheRowOfTheSource(t *testing.T) {
	bad := eventRow("todo/write", `{}`)
	packed := `{"type":"text-chunks","seq0":2,"time0":1,"data":{"turn":1,"step":1,"index":0,"dt":[1],"texts":["a","b"]}}` + "\n"
	later := func(rows ...string) string { // rows numbered from 4
		return strings.Join(strings.SplitAfter(oldLog("", append([]string{turnStart, stepStart, todo, todo}, rows...)...), "\n")[5:], "")
	}
	cited := strings.Replace(answer("[[2,3]]"), `"a"`, `"b"`, 1)
	tests := []struct {
		name string
		log  string
		to   int
		line int
		seq  int64
		turn int64
		text string // in the refusal
	}{
		{"the event of an edge", oldLog(header0, turnStart, bad, turnEnd), 2, 3, 1, 1, "lacks required member"},
		{"an event behind a packed row", oldLog(header0, turnStart, stepStart) + packed + later(cited, bad), 2, 6, 5, 1, "lacks required member"},
		{"an event outside any turn", oldLog(header0, turnStart, turnEnd, bad), 2, 4, 2, 0, "lacks required member"},
		{"the chunk at the end of an attempt", oldLog(header0, turnStart, stepStart, textDelta("a"), answer("")), 2, 5, 3, 1, "does not cite"},
		{"an event that breaks a rule of the target", oldLog(header0, turnStart, turnStart), 2, 3, 1, 1, "does not close"},
		{"the first bad row, when a turn/end stands behind it", oldLog(header0, turnStart) + "{\n" + oldLog("", todo, turnEnd), 2, 3, -1, 0, "row 2 is not valid JSON"},
		{"the header", strings.Replace(oldLog(header0), `"id"`, `"x":1,"id"`, 1), 2, 1, -1, 0, "header has unexpected member"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := predict(t, tt.log, 0, tt.to, Options{}).Refusal()
			if r == nil || !strings.Contains(r.Text, tt.text) {
				t.Fatalf("refused %v, want %q", r, tt.text)
			}
			if r.Place.Line != tt.line || r.Row != tt.seq || r.Turn != tt.turn {
				t.Errorf("line %d, seq %d, turn %d, want %d, %d, %d", r.Place.Line, r.Row, r.Turn, tt.line, tt.seq, tt.turn)
			}
		})
	}
}

func TestWhatAMigrationLeavesOutIsCounted(t *testing.T) {
	sound := oldLog(header0, turnStart, todo)
	gap := strings.Replace(oldLog("", todo), `"seq":0`, `"seq":9`, 1)[1:]
	tests := []struct {
		name   string
		log    string
		events int64 // that are left out
		rows   int64
		line   int // of the first
		torn   bool
	}{
		{"nothing", sound, 0, 0, 0, false},
		{"an event behind a gap", sound + gap, 1, 1, 4, true},
		{"all behind the gap", sound + gap + gap, 2, 2, 4, true},
		{"a line that is no event", sound + "{\n", 0, 1, 4, true},
		{"an event without an end of its line", sound + strings.TrimSuffix(strings.Replace(gap, "9", "2", 1), "\n"), 1, 0, 4, true},
		{"the start of an event", sound + `{"type":"to`, 0, 0, 4, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := predict(t, tt.log, 0, 4, Options{})
			if r.Refusal() != nil {
				t.Fatal(r.Refusal())
			}
			if r.DroppedEvents != tt.events || r.DroppedRows != tt.rows || r.FirstDropped.Line != tt.line || r.Torn != tt.torn {
				t.Errorf("%d events in %d rows from line %d, torn %t; want %d, %d, %d, %t",
					r.DroppedEvents, r.DroppedRows, r.FirstDropped.Line, r.Torn, tt.events, tt.rows, tt.line, tt.torn)
			}
			if len(r.Closers) != 1 || !strings.Contains(string(r.Closers[0]), `"turn/end"`) {
				t.Errorf("closers %q, want the end of the turn", r.Closers)
			}
		})
	}
}
