package repair_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/repair"
)

func TestPlainLogsAreRepairedLineByLine(t *testing.T) {
	tests := []struct {
		name   string
		log    string
		opt    repair.Options
		want   string
		ledger repair.Ledger
	}{
		{
			name: "an open turn is closed", log: text(header, start1, end1, start2),
			want: text(header, start1, end1, start2, closedAt3), ledger: repair.Ledger{Kept: 3, Synthesised: 1},
		},
		{
			name: "a partial line leaves", log: text(header, start1, end1, start2) + `{"type":"st`,
			want: text(header, start1, end1, start2, closedAt3), ledger: repair.Ledger{Kept: 3, Synthesised: 1},
		},
		{
			name: "a complete last line gets its line feed", log: text(header, start1) + end1,
			want: text(header, start1, end1), ledger: repair.Ledger{Kept: 2},
		},
		{
			name: "a complete last line without line feed leaves like in dsh", log: text(header, start1) + end1,
			opt: repair.Options{LikeDsh: true}, ledger: repair.Ledger{Kept: 1, Dropped: 1, Synthesised: 1},
			want: text(header, start1, `{"type":"turn/end","seq":1,"time":10,"data":{"turn":1,"reason":{"kind":"interrupted"}}}`),
		},
		{
			name: "an event behind a blank line stays when it is the next one", log: text(header, start1, end1, start2, "", step2),
			want: text(header, start1, end1, start2, step2, closedAt4, closedAt5), ledger: repair.Ledger{Kept: 4, Synthesised: 2},
		},
		{
			name: "events on both sides of a partial line stay", log: text(header, start1, end1, start2, `{"ty`, step2, "\x00\x00") + stepEnd2,
			want: text(header, start1, end1, start2, step2, stepEnd2, closedAt6), ledger: repair.Ledger{Kept: 5, Synthesised: 1},
		},
		{
			name: "the same tail leaves like in dsh", log: text(header, start1, end1, start2, `{"ty`, step2) + stepEnd2,
			opt:  repair.Options{LikeDsh: true},
			want: text(header, start1, end1, start2, closedAt3), ledger: repair.Ledger{Kept: 3, Dropped: 2, Synthesised: 1},
		},
		{
			name: "a second copy of an event leaves", log: text(header, start1, end1, start2, start2),
			want: text(header, start1, end1, start2, closedAt3), ledger: repair.Ledger{Kept: 3, Dropped: 1, Repeated: 1, Synthesised: 1},
		},
		{
			name: "an event behind a gap leaves with permission", log: text(header, start1, end1, start2, stepEnd2),
			opt:  repair.Options{AllowLoss: 1},
			want: text(header, start1, end1, start2, closedAt3), ledger: repair.Ledger{Kept: 3, Dropped: 1, Synthesised: 1},
		},
		{
			name: "records in one line are cut apart", log: text(header, start1, end1+start2+step2, stepEnd2),
			want: text(header, start1, end1, start2, step2, stepEnd2, closedAt6), ledger: repair.Ledger{Kept: 5, Synthesised: 1},
		},
		{
			name: "a partial record leaves the line of the next one", log: text(header, start1, end1, start2[:30]+start2, step2, stepEnd2, end2),
			want: text(header, start1, end1, start2, step2, stepEnd2, end2), ledger: repair.Ledger{Kept: 6},
		},
		{
			name: "a line feed inside a string is escaped", log: text(header, start1, end1, strings.Replace(typed2, `\n`, "\n", 2)),
			want: text(header, start1, end1, typed2), ledger: repair.Ledger{Kept: 3, Rewritten: 1},
		},
		{
			name: "a header in one line with an event gets its own", log: text(header+start1, end1),
			want: text(header, start1, end1), ledger: repair.Ledger{Kept: 2},
		},
		{
			name: "a null line leaves", log: text(header, start1, "null", end1),
			want: text(header, start1, end1), ledger: repair.Ledger{Kept: 2},
		},
		{
			name: "a number behind an event leaves", log: text(header, start1+"5", end1),
			want: text(header, start1, end1), ledger: repair.Ledger{Kept: 2},
		},
		{
			name: "records start behind white space", log: text(header, start1, end1+" \t"+start2, step2, stepEnd2, end2),
			want: text(header, start1, end1, start2, step2, stepEnd2, end2), ledger: repair.Ledger{Kept: 6},
		},
		{
			name: "zeros around a record leave", log: text(header, start1, "\x00\x00"+end1+"\x00", start2, step2, stepEnd2, end2),
			want: text(header, start1, end1, start2, step2, stepEnd2, end2), ledger: repair.Ledger{Kept: 6},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := plan(t, []byte(tt.log), tt.opt)
			if p.Action != repair.Repair {
				t.Fatalf("action %s: %s", p.Action, p.Reason)
			}
			if diff := cmp.Diff(tt.want, string(write(t, p, []byte(tt.log)))); diff != "" {
				t.Errorf("repaired log (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.ledger, p.Ledger); diff != "" {
				t.Errorf("ledger (-want +got):\n%s", diff)
			}
			checkBytes(t, p)
		})
	}
}

// checkBytes checks that every byte of a plain log stays or leaves, and none does both.
func checkBytes(t *testing.T, p *repair.Plan) {
	t.Helper()
	n := p.Keep
	for _, part := range p.Parts {
		for _, s := range part.Lines {
			n += s.Len
		}
	}
	for _, l := range p.Leaves {
		n += l.Len
	}
	if n != p.Size {
		t.Errorf("%d bytes stay, are written again or leave, want all %d", n, p.Size)
	}
}

func TestTornFramesAreRecovered(t *testing.T) {
	complete := append(frame(t, text(header)), frame(t, text(start1, end1))...)
	tests := []struct {
		name   string
		tail   []byte
		opt    repair.Options
		want   []string // lines behind those of the complete frames
		ledger repair.Ledger
	}{
		{
			name: "nothing comes out of a torn frame header", tail: []byte{0x28, 0xB5, 0x2F},
			ledger: repair.Ledger{Kept: 2},
		},
		{
			name: "complete lines of a raw block are written again", tail: tornFrame(text(start2, step2) + `{"type":`),
			want: []string{start2, step2, closedAt4, closedAt5}, ledger: repair.Ledger{Kept: 4, Synthesised: 2},
		},
		{
			name: "a complete last line without line feed is written again too", tail: tornFrame(text(start2) + step2),
			want: []string{start2, step2, closedAt4, closedAt5}, ledger: repair.Ledger{Kept: 4, Synthesised: 2},
		},
		{
			name: "the same line leaves like in dsh", tail: tornFrame(text(start2) + step2), opt: repair.Options{LikeDsh: true},
			want: []string{start2, closedAt3}, ledger: repair.Ledger{Kept: 3, Dropped: 1, Synthesised: 1},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			image := append(bytes.Clone(complete), tt.tail...)
			p := plan(t, image, tt.opt)
			if p.Action != repair.Repair {
				t.Fatalf("action %s: %s", p.Action, p.Reason)
			}
			got := write(t, p, image)
			want := append([]string{header, start1, end1}, tt.want...)
			if diff := cmp.Diff(want, lines(t, got)); diff != "" {
				t.Errorf("repaired lines (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.ledger, p.Ledger); diff != "" {
				t.Errorf("ledger (-want +got):\n%s", diff)
			}
			checkFrames(t, got, complete, len(tt.want) > 0)
		})
	}
}

// checkFrames checks that the complete frames are untouched and that what follows
// is one frame that starts like those of dsh, or nothing.
func checkFrames(t *testing.T, got, complete []byte, more bool) {
	t.Helper()
	rest, ok := bytes.CutPrefix(got, complete)
	if !ok {
		t.Fatal("the complete frames changed")
	}
	if !more && len(rest) > 0 {
		t.Errorf("%d bytes follow the complete frames, want none", len(rest))
	}
	if more && !bytes.HasPrefix(rest, []byte{0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x58}) {
		t.Errorf("the new frame starts % x", rest[:6])
	}
}

func TestLogsAreRefusedWithAReason(t *testing.T) {
	lost := text(header, start1, end1, start2, stepEnd2)
	unknown := text(header, start1, end1) + `{"type":"made/up","seq":2,"time":30,"data":{}}`
	tests := []struct {
		name, log, reason, next string
		needLoss                int64
	}{
		{
			name: "an event that dsh refuses", log: text(header, strings.Replace(start1, `"data"`, `"date"`, 1), end1),
			reason: `dsh refuses it: "stored session`, next: "turnlint shows every place that is damaged",
		},
		{name: "UTF-16", log: "\xFF\xFE{\x00", reason: "its text is UTF-16", next: "UTF-8"},
		{name: "no header", log: text(start1, end1), reason: "it has no header", next: "--header-from"},
		{
			name: "no first event", log: text(header, end1, start2), reason: "its first events are missing", next: "turnlint",
		},
		{
			name: "a newer format", log: text(strings.Replace(header, `"version":0`, `"version":1`, 1)),
			reason: "the log is intact and dsh refuses it: ", next: "open it with a harness that reads it",
		},
		{
			name: "an open turn without a usable number", log: text(header, `{"type":"turn/start","seq":0,"time":1,"data":{"turn":0}}`),
			reason: "dsh would close the open turn with a turn/end that it refuses to read again", next: "do not open it in dsh",
		},
		{name: "a file that is no log", log: "\x89PNG\r\n\x1a\n", reason: "it is no session log", next: "turnlint"},
		{
			name: "an event that does not continue the sequence", log: lost, needLoss: 1,
			reason: "1 event does not continue the sequence", next: "--allow-loss 1",
		},
		{
			name: "several records in one line behind a gap", log: text(header, start1, end1, start2, stepEnd2+end2), needLoss: 2,
			reason: "2 events do not continue the sequence", next: "--allow-loss 2",
		},
		{
			name: "a last line that dsh would refuse once it has its line feed", log: unknown, needLoss: 1,
			reason: "with the events in its tail dsh would say", next: "--allow-loss 1",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := plan(t, []byte(tt.log), repair.Options{})
			if p.Action != repair.Refuse || !strings.Contains(p.Reason, tt.reason) || !strings.Contains(p.Next, tt.next) {
				t.Errorf("%s: %s; %s\nwant a refusal: %s; %s", p.Action, p.Reason, p.Next, tt.reason, tt.next)
			}
			if p.NeedLoss != tt.needLoss {
				t.Errorf("needs the loss of %d events, want %d", p.NeedLoss, tt.needLoss)
			}
		})
	}
}

func TestTheLossThatARefusalNamesIsEnough(t *testing.T) {
	for _, log := range []string{
		text(header, start1, end1, start2, stepEnd2),
		text(header, start1, end1, start2, stepEnd2+end2),
		text(header, start1, end1) + `{"type":"made/up","seq":2,"time":30,"data":{}}`,
	} {
		refused := plan(t, []byte(log), repair.Options{})
		for loss, want := range map[int64]repair.Action{refused.NeedLoss - 1: repair.Refuse, refused.NeedLoss: repair.Repair} {
			p := plan(t, []byte(log), repair.Options{AllowLoss: loss})
			if p.Action != want {
				t.Errorf("--allow-loss %d: %s, want %s", loss, p.Action, want)
				continue
			}
			if want == repair.Repair {
				write(t, p, []byte(log))
			}
		}
	}
}

func TestIntactFramesBehindADamagedSizeAreNotCutOff(t *testing.T) {
	image := bytes.Join([][]byte{frame(t, text(header)), damagedSize(text(start1, end1)), frame(t, text(start2, step2))}, nil)
	p := plan(t, image, repair.Options{})
	if got := lines(t, write(t, p, image)); !slices.Equal(got[:5], []string{header, start1, end1, start2, step2}) {
		t.Errorf("%s: %q", p.Action, got)
	}
	p = plan(t, image, repair.Options{LikeDsh: true})
	if p.Action != repair.Repair || p.Ledger.Dropped < 2 {
		t.Errorf("like dsh: %s, %d events dropped, want the 2 of the intact frame among them", p.Action, p.Ledger.Dropped)
	}
}

// damagedSize returns a frame whose only block claims 128 KiB.
func damagedSize(text string) []byte {
	torn := tornFrame(text)
	copy(torn[6:9], []byte{1, 0, 0x10}) // last raw block of 0x20000 bytes
	return torn
}

func TestAPlanSurvivesItsJSON(t *testing.T) {
	image := []byte(text(header, start1, end1, start2, "", step2) + "x")
	p := plan(t, image, repair.Options{AllowLoss: 3})
	p.Path = "caf\xe9/session.jsonl"
	encoded, err := json.MarshalIndent(p, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	var q repair.Plan
	if err := json.Unmarshal(encoded, &q); err != nil {
		t.Fatal(err)
	}
	if !p.SameAs(&q) || q.Path != p.Path {
		t.Errorf("plan after JSON: %+v, want %+v", q, p)
	}
	q.Keep--
	if p.SameAs(&q) {
		t.Error("a plan that keeps another number of bytes counts as the same")
	}
}

func TestAProjectionIsLeftAlone(t *testing.T) {
	fixture := `{"type":"session","version":0,"id":"{{sessionId}}","createdAt":1,"delegationDepth":0}` + "\n" +
		`{"type":"user/message","data":{"content":[],"source":{"kind":"user"}},"surfaceOp":"append"}` + "\n"
	p := plan(t, []byte(fixture), repair.Options{AllowLoss: 10})
	if p.Action != repair.Refuse || !strings.Contains(p.Reason, "projection") {
		t.Errorf("%s, %q: want it refused as a projection", p.Action, p.Reason)
	}
}

func TestAnEventWithoutSeqLeavesOnlyWithPermission(t *testing.T) {
	log := text(header, start1, end1, `{"type":"user/message","time":30,"data":{}}`)
	if p := plan(t, []byte(log), repair.Options{}); p.Action != repair.Refuse || p.NeedLoss != 1 {
		t.Errorf("%s, needs the loss of %d: want it refused until 1 event may go", p.Action, p.NeedLoss)
	}
	if p := plan(t, []byte(log), repair.Options{AllowLoss: 1}); p.Action != repair.Repair || p.Ledger.Dropped != 1 {
		t.Errorf("%s, %d dropped: want a repair that drops 1", p.Action, p.Ledger.Dropped)
	}
}

func TestASecondHeaderLeaves(t *testing.T) {
	for _, second := range []string{header, strings.Replace(header, `"s"`, `"other"`, 1)} {
		log := text(header, start1, second, end1)
		p := plan(t, []byte(log), repair.Options{})
		if p.Action != repair.Repair || p.Level != repair.Safe || p.Ledger.Dropped != 0 {
			t.Fatalf("%s, %s, %d events dropped: %s", p.Action, p.Level, p.Ledger.Dropped, p.Reason)
		}
		if diff := cmp.Diff(text(header, start1, end1), string(write(t, p, []byte(log)))); diff != "" {
			t.Errorf("repaired log (-want +got):\n%s", diff)
		}
	}
}

func TestAnEventWithoutSeqBeforeTheFirstOneLeavesTheOthersAlone(t *testing.T) {
	log := text(header, `{"type":"todo/write","time":5,"data":{}}`, start1, end1)
	p := plan(t, []byte(log), repair.Options{AllowLoss: 1})
	if p.Action != repair.Repair || p.Ledger.Kept != 2 || p.Ledger.Dropped != 1 {
		t.Errorf("%s, %d kept, %d dropped: %s", p.Action, p.Ledger.Kept, p.Ledger.Dropped, p.Reason)
	}
}

func TestACompleteRecordBeforeADamagedFrameStays(t *testing.T) {
	broken := frame(t, text(step2, stepEnd2))
	broken[len(broken)-1] ^= 1 // in the checksum
	image := bytes.Join([][]byte{frame(t, text(header)), frame(t, text(start1)+end1), broken, frame(t, text(start2))}, nil)
	p := plan(t, image, repair.Options{})
	if p.Action != repair.Repair || p.Ledger.Kept != 3 {
		t.Fatalf("%s, %d kept: %s", p.Action, p.Ledger.Kept, p.Reason)
	}
	if got := lines(t, write(t, p, image)); !slices.Equal(got[:4], []string{header, start1, end1, start2}) {
		t.Errorf("the repaired log has the lines %q", got)
	}
}

func TestAHeaderBehindEventsMovesInFrontOfThem(t *testing.T) {
	events := text(start1, end1)
	for name, image := range map[string][]byte{
		"plain": []byte(events + text(header, start2)),
		"zstd":  bytes.Join([][]byte{frame(t, events), frame(t, text(header)), frame(t, text(start2))}, nil),
	} {
		p := plan(t, image, repair.Options{})
		if p.Action != repair.Repair || p.Level != repair.Safe || p.Ledger.Kept != 3 {
			t.Fatalf("%s: %s, %s, %d events kept: %s", name, p.Action, p.Level, p.Ledger.Kept, p.Reason)
		}
		if got, want := lines(t, write(t, p, image)), []string{header, start1, end1, start2, closedAt3}; !slices.Equal(got, want) {
			t.Errorf("%s: the repaired log is %q, want %q", name, got, want)
		}
	}
}
