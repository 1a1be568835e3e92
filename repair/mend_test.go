package repair

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/upgrade"
)

// mendable is a log that only a newer dsh refuses, and what lets it pass.
type mendable struct {
	log    string // below testdata/generations/refusals
	allow  Permission
	before string // how the one event starts to differ
	after  string
}

var mendables = []mendable{
	{"descriptor-of-version-2/session.jsonl", "set-descriptor-version", `"version":2,"provider"`, `"version":3,"provider"`},
	{"descriptor-of-version-2-in-v2/session.v2.jsonl", "set-descriptor-version", `"version":2,"provider"`, `"version":3,"provider"`},
	{"member-too-many/session.jsonl", "move-payload-member=todo/write:note", `"todos":[],"note":"x"`, `"todos":[]`},
	{"member-too-many-in-v2/session.v2.jsonl", "move-payload-member=todo/write:note", `"todos":[],"note":"x"`, `"todos":[]`},
}

func refusalLog(t *testing.T, name string) (path string, image []byte) {
	t.Helper()
	path = filepath.Join("..", "testdata", "generations", "refusals", name)
	image, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, image
}

func TestALogIsMendedForAnUpgradeInACopyOnly(t *testing.T) {
	for _, tt := range mendables {
		path, image := refusalLog(t, tt.log)
		p := planFor(t, image, path, Options{Allow: []Permission{tt.allow}})
		if p.Action != Refuse || p.Level != Assisted || !strings.Contains(p.Reason, "never changed in place") || !strings.Contains(p.Next, "--output") {
			t.Errorf("%s in place: %s, %s; %s", tt.log, p.Action, p.Reason, p.Next)
		}
		p = planFor(t, image, path, Options{Allow: []Permission{tt.allow}, Copy: true})
		if !p.Mends() || p.Level != Assisted || p.Ledger.Rewritten != 1 || p.Ledger.Dropped+p.Ledger.Synthesised > 0 {
			t.Fatalf("%s: %s, %s, %+v; %s", tt.log, p.Action, p.Level, p.Ledger, p.Reason)
		}
		got := imageOf(t, p, image)
		if err := p.Verify(bytes.NewReader(got), int64(len(got))); err != nil {
			t.Errorf("%s: %v", tt.log, err)
		}
		if want := strings.Replace(string(image), tt.before, tt.after, 1); string(got) != want {
			t.Errorf("%s: the copy is\n%s", tt.log, got)
		}
		result, err := upgrade.Run(bytes.NewReader(got), int64(len(got)), int(p.Generation), upgrade.Latest, upgrade.Options{All: true})
		if err != nil || result.RefusalCount > 0 || len(p.StillRefused()) > 0 {
			t.Errorf("%s: a newer dsh refuses the copy: %v, %+v", tt.log, err, result.Refusal())
		}
	}
}

func TestAMessageOfARetiredKindBecomesThatOfAPlugin(t *testing.T) {
	const message = `{"type":"user/message","seq":5,"time":1790000002000,"data":{"id":"m9","role":"user","content":[{"type":"text","text":"x"}],"source":{"kind":"timer","rule":"r1"}},"surfaceOp":"append"}`
	_, base := refusalLog(t, "../bases/v0-open.jsonl")
	image := append(bytes.Clone(base), strings.Replace(message, `"seq":5`, `"seq":`+nextSeq(t, base), 1)+"\n"...)
	p := planFor(t, image, "session.jsonl", Options{Allow: []Permission{"retired-source=timer"}, Copy: true})
	if !p.Mends() {
		t.Fatalf("%s: %s; %s", p.Action, p.Reason, p.Next)
	}
	got := imageOf(t, p, image)
	if err := p.Verify(bytes.NewReader(got), int64(len(got))); err != nil {
		t.Error(err)
	}
	if !strings.Contains(string(got), `"source":{"kind":"plugin","plugin":"timer"}}`) {
		t.Errorf("the copy is\n%s", got)
	}
	for _, text := range p.StillRefused() {
		if strings.Contains(text, "timer") {
			t.Errorf("still refused: %s", text)
		}
	}
}

// nextSeq returns the seq behind the last event of a plain log.
func nextSeq(t *testing.T, image []byte) string {
	t.Helper()
	s := &source{src: bytes.NewReader(image), size: int64(len(image)), encoding: scan.Plain}
	n := len(digests(s))
	if s.err != nil {
		t.Fatal(s.err)
	}
	return strconv.Itoa(n)
}

func TestALogIsNotMendedWithoutNeed(t *testing.T) {
	_, sound := refusalLog(t, "../bases/v0-turn.jsonl")
	path, extra := refusalLog(t, "member-too-many/session.jsonl")
	_, v4 := refusalLog(t, "../bases/v4.jsonl")
	for _, tt := range []struct {
		name, log string
		image     []byte
		allow     Permission
		reason    string
	}{
		{"a log that newer versions take over", "session.jsonl", sound, "set-descriptor-version", "take it over as it is"},
		{"another member than the one that is too many", path, extra, "move-payload-member=todo/write:other", "nothing of what is allowed"},
		{"a member of an event that nobody refuses", path, extra, "move-payload-member=turn/start:turn", "nothing of what is allowed"},
		{"the newest format", "session.v4.jsonl", v4, "set-descriptor-version", "no version of dsh takes a log of v4 over"},
		{"a damaged log", path, bytes.Replace(extra, []byte(`"seq":3,`), []byte(`"seq":33,`), 1), "move-payload-member=todo/write:note", "has to be repaired before"},
	} {
		p := planFor(t, tt.image, tt.log, Options{Allow: []Permission{tt.allow}, Copy: true})
		if p.Action != Refuse || !strings.Contains(p.Reason, tt.reason) || p.Next == "" {
			t.Errorf("%s: %s, %q", tt.name, p.Action, p.Reason)
		}
	}
}

func TestAMemberThatAnUpgradeNeedsIsNotTakenOut(t *testing.T) {
	path, image := refusalLog(t, "member-too-many/session.jsonl")
	p := planFor(t, image, path, Options{Allow: []Permission{"move-payload-member=todo/write:todos", "move-payload-member=todo/write:note"}, Copy: true})
	if p.Action != Repair {
		t.Fatalf("%s: %s", p.Action, p.Reason)
	}
	got := imageOf(t, p, image)
	if err := p.Verify(bytes.NewReader(got), int64(len(got))); err == nil || !strings.Contains(err.Error(), "refuses the mended log") {
		t.Errorf("error %v, want that a newer dsh refuses it", err)
	}
}

func TestMembersLeaveAnObjectWithTheirCommas(t *testing.T) {
	for _, tt := range []struct{ goes, want string }{
		{"a", `{"b":2, "c" : 3}`},
		{"b", `{"a":1, "c" : 3}`},
		{"c", `{"a":1,"b":2}`},
		{"ab", `{ "c" : 3}`},
		{"bc", `{"a":1}`},
		{"ac", `{"b":2}`},
		{"abc", `{ }`},
	} {
		e := &editor{mend: &mend{refused: map[int64][]string{1: {"has unexpected member"}}}}
		for _, key := range tt.goes {
			e.allow = append(e.allow, Permission("move-payload-member=t:"+string(key)))
		}
		e.remedies = []*remedy{movePayload}
		r := recordOf(t, `{"type":"t","seq":1,"time":1,"data":{"a":1,"b":2, "c" : 3}}`)
		got := string(appendEdited(nil, r.Text, e.proposals(r)))
		if want := `{"type":"t","seq":1,"time":1,"data":` + tt.want + `}`; strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("without %q: %s, want %s", tt.goes, got, want)
		}
	}
}

func TestMoreEventsAreMendedThanRefusalsAreKept(t *testing.T) {
	_, base := refusalLog(t, "../bases/v0-turn.jsonl")
	image := bytes.Clone(base)
	first, err := strconv.Atoi(nextSeq(t, base))
	if err != nil {
		t.Fatal(err)
	}
	const events = 1200
	for i := range events {
		image = fmt.Appendf(image, "{\"type\":\"todo/write\",\"seq\":%d,\"time\":1790000002000,\"data\":{\"todos\":[],\"note\":\"x\"}}\n", first+i)
	}
	p := planFor(t, image, "session.jsonl", Options{Allow: []Permission{"move-payload-member=todo/write:note"}, Copy: true})
	got := imageOf(t, p, image)
	if err := p.Verify(bytes.NewReader(got), int64(len(got))); err != nil || p.Ledger.Rewritten != events || len(p.StillRefused()) > 0 {
		t.Errorf("%v, %d rewritten, %d refusals left", err, p.Ledger.Rewritten, len(p.StillRefused()))
	}
}
