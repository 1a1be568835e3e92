package repair_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/treetest"
	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/repair"
)

var splice = repair.Options{Allow: []repair.Permission{repair.SplicePrefix}}

// planAt plans the repair of the log at a path.
func planAt(t *testing.T, path string, opt repair.Options) (*repair.Plan, []byte) {
	t.Helper()
	image, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := repair.NewPlan(bytes.NewReader(image), int64(len(image)), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p, image
}

// caseOf returns the log of the case of a kind.
func caseOf(t *testing.T, kind string) []byte {
	t.Helper()
	for _, c := range vectortest.Cases(t) {
		if c.Expect.Kind == kind {
			image, err := os.ReadFile(c.Log)
			if err != nil {
				t.Fatal(err)
			}
			return image
		}
	}
	t.Fatalf("no case %q", kind)
	return nil
}

// childOf returns the header of a session that took seeds events from the session s.
func childOf(seeds int) string {
	return fmt.Sprintf(`{"type":"session","version":0,"id":"child","createdAt":1783950000000,"cwd":"/work","delegationDepth":0,"parentSession":"s","seedLength":%d}`, seeds)
}

func TestTheFirstEventsOfAForkComeBackFromItsParent(t *testing.T) {
	child := caseOf(t, "early-frames-dropped")
	const id, parentID = "session-00000000-0000-4000-8000-000000000001", "session-00000000-0000-4000-8000-00000000000a"
	for _, kind := range []string{"clean-zstd", "open-turn-streaming"} {
		parent := lines(t, caseOf(t, kind))
		parent[0] = strings.Replace(parent[0], id, parentID, 1)
		for _, name := range []string{"session.jsonl", "session.jsonl.zstd"} {
			t.Run(kind+" as "+name, func(t *testing.T) {
				image := []byte(text(parent...))
				if strings.HasSuffix(name, ".zstd") {
					image = append(frame(t, parent[0]+"\n"), frame(t, text(parent[1:]...))...)
				}
				dir := treetest.Plant(t, map[string]string{
					"sessions/--work-demo--/" + id + "/session.jsonl.zstd": string(child),
					"sessions/--elsewhere--/" + parentID + "/" + name:      string(image),
					"alone/session.jsonl.zstd":                             string(child),
				})
				log := filepath.Join(dir, "sessions", "--work-demo--", id, "session.jsonl.zstd")
				given := filepath.Join(dir, "sessions", "--elsewhere--", parentID, name)
				for path, opt := range map[string]repair.Options{log: splice, filepath.Join(dir, "alone", "session.jsonl.zstd"): {Parent: given}} {
					p, image := planAt(t, path, opt)
					if p.Action != repair.Repair || p.Level != repair.Assisted || p.Splice == nil {
						t.Fatalf("%s, %s: %s; %s", p.Action, p.Level, p.Reason, p.Next)
					}
					want := repair.Ledger{Kept: 11, Spliced: 26}
					if diff := cmp.Diff(want, p.Ledger); diff != "" {
						t.Errorf("ledger (-want +got):\n%s", diff)
					}
					checkSplice(t, p, given)
					got := write(t, p, image)
					view := strings.Split(logicalView(t, got), "\n")
					if diff := cmp.Diff(strings.Split(logicalView(t, []byte(text(parent...))), "\n")[1:27], view[1:27]); diff != "" {
						t.Errorf("spliced events (-want +got):\n%s", diff)
					}
					if !bytes.HasSuffix(got, image[144:]) || !bytes.HasPrefix(got, image[:144]) {
						t.Error("the frames of the log are not copied")
					}
					checkSecond(t, got, path)
				}
				if p, _ := planAt(t, log, repair.Options{}); p.Action != repair.Refuse || p.Level != repair.Assisted || len(p.NeedAllow) != 1 || p.NeedAllow[0] != (repair.Rewrite{Allow: repair.SplicePrefix, Before: 26}) {
					t.Errorf("without permission: %s, %s, needs %v; %s", p.Action, p.Level, p.NeedAllow, p.Next)
				}
				if p, _ := planAt(t, filepath.Join(dir, "alone", "session.jsonl.zstd"), splice); p.Action != repair.Refuse || !strings.Contains(p.Next, "--parent FILE") {
					t.Errorf("without a parent: %s; %s", p.Action, p.Next)
				}
			})
		}
	}
}

// checkSplice checks that a plan names the parent log with its bytes.
func checkSplice(t *testing.T, p *repair.Plan, path string) {
	t.Helper()
	image, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := &repair.Splice{Path: repair.Path(path), Size: int64(len(image)), SHA256: sha(image), Events: 26}
	if diff := cmp.Diff(want, p.Splice); diff != "" {
		t.Errorf("splice (-want +got):\n%s", diff)
	}
}

// The log of the session s, whose first six events a fork of it has lost.
var parentLines = []string{header, start1, end1, start2, step2, stepEnd2, end2}

func TestOnlyAParentThatFitsGivesItsEvents(t *testing.T) {
	start3 := `{"type":"turn/start","seq":6,"time":70,"data":{"turn":3}}`
	end3 := `{"type":"turn/end","seq":7,"time":80,"data":{"turn":3,"reason":{"kind":"completed"}}}`
	cites := `{"type":"user/message","seq":6,"time":69,"data":{"id":"m","role":"user","content":[],"source":{"kind":"user"}},"sourceEventSeqs":[2],"surfaceOp":{"op":"replace","start":2,"end":2}}`
	titled := `{"type":"session/title","seq":6,"time":69,"data":{"title":"t","messageSeqs":[2],"source":{"kind":"fallback"}}}`
	removed := `{"type":"agent/inbox/spliced","seq":6,"time":69,"data":{"target":"next-turn","start":0,"removedCount":1,"inserted":[]}}`
	parent := func(old, new string) string { return strings.Replace(text(parentLines...), old, new, 1) }
	tests := []struct {
		name   string
		parent string
		log    []string
		want   string // part of what to do instead, "" when the events come back
	}{
		{"a sound one", text(parentLines...), []string{childOf(6), start3, end3}, ""},
		{"one that goes on behind the fork", text(append(parentLines, start3)...), []string{childOf(6), start3, end3}, ""},
		{"one with damage behind the fork", text(parentLines...) + "{\n" + end3, []string{childOf(6), start3, end3}, ""},
		{"a longer fork, of which the log has the rest", text(parentLines...), []string{childOf(6), stepEnd2, end2, start3, end3}, ""},
		{"a log without a last turn/end", text(parentLines...), []string{childOf(6), start3}, ""},
		{"another event where the log has its own", parent(`"time":60`, `"time":61`), []string{childOf(6), stepEnd2, end2, start3, end3}, "has another event 5 than the log"},
		{"another session", parent(`"id":"s"`, `"id":"t"`), []string{childOf(6), start3, end3}, `is that of the session "t"`},
		{"the session itself", parent(`"id":"s"`, `"id":"s"`), []string{strings.Replace(childOf(6), `"child"`, `"s"`, 1), start3, end3}, "is that of the session itself"},
		{"other turns", text(header, start1, end1, typed2, `{"type":"session/title","seq":3,"time":1,"data":{}}`, `{"type":"session/title","seq":4,"time":1,"data":{}}`, `{"type":"session/title","seq":5,"time":1,"data":{}}`), []string{childOf(6), start3, end3}, "ends in another turn or step: the event 6"},
		{"too few events", text(parentLines[:4]...), []string{childOf(6), start3, end3}, "has no sound event 3"},
		{"a damaged line", parent(step2, step2[:20]), []string{childOf(6), start3, end3}, "has no sound event 3"},
		{"a lost line", parent(step2+"\n", ""), []string{childOf(6), start3, end3}, "has no sound event 3"},
		{"no header", parent(header+"\n", ""), []string{childOf(6), start3, end3}, "is none that dsh reads"},
		{"no line feed at its end", strings.TrimSuffix(text(parentLines...), "\n"), []string{childOf(6), start3, end3}, "has no sound event 5"},
		{"no log", "", []string{childOf(6), start3, end3}, "has no sound event 0"},
		{"no message where the log replaces one", text(parentLines...), []string{childOf(6), cites, strings.Replace(start3, `"seq":6`, `"seq":7`, 1)}, "has no message with seq 2"},
		{"no message where the title comes from", text(parentLines...), []string{childOf(6), titled, strings.Replace(start3, `"seq":6`, `"seq":7`, 1)}, "has no message with seq 2"},
		{"no message in the inbox", text(parentLines...), []string{childOf(6), removed, strings.Replace(start3, `"seq":6`, `"seq":7`, 1)}, "--parent FILE names another log"},
		{"a fork that took fewer events", text(parentLines...), []string{childOf(5), start3, end3}, "its session took only 5 events over"},
		{"a session that is no fork", text(parentLines...), []string{header, start3, end3}, "turnlint shows where the log starts"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := treetest.Plant(t, map[string]string{"parent.jsonl": test.parent})
			log := []byte(text(test.log...))
			p := plan(t, log, repair.Options{Parent: filepath.Join(dir, "parent.jsonl")})
			if test.want != "" {
				if p.Action != repair.Refuse || !strings.Contains(p.Next, test.want) {
					t.Errorf("%s, %s: %s; %s", p.Action, p.Level, p.Reason, p.Next)
				}
				return
			}
			if p.Action != repair.Repair {
				t.Fatalf("%s: %s; %s", p.Action, p.Reason, p.Next)
			}
			got := lines(t, write(t, p, log))
			want := append([]string{childOf(6)}, append(parentLines[1:1+p.Ledger.Spliced:1+p.Ledger.Spliced], test.log[1:]...)...)
			if diff := cmp.Diff(want, got[:len(want)]); diff != "" {
				t.Errorf("repaired log (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOfSeveralParentsNoneIsTakenFromATree(t *testing.T) {
	start3 := `{"type":"turn/start","seq":6,"time":70,"data":{"turn":3}}`
	dir := treetest.Plant(t, map[string]string{
		"--work--/child/session.jsonl": text(childOf(6), start3),
		"--a--/s/session.jsonl":        text(parentLines...),
		"--b--/s/session.jsonl":        text(parentLines...),
		"--c--":                        "-> --a--",
	})
	path := filepath.Join(dir, "--work--", "child", "session.jsonl")
	p, _ := planAt(t, path, splice)
	if p.Action != repair.Refuse || !strings.Contains(p.Next, "--parent FILE says which of the logs") || strings.Contains(p.Next, "--c--") {
		t.Errorf("%s; %s", p.Action, p.Next)
	}
	if p, _ := planAt(t, path, repair.Options{Parent: filepath.Join(dir, "--b--", "s", "session.jsonl")}); p.Action != repair.Repair {
		t.Errorf("%s: %s", p.Action, p.Reason)
	}
}

func TestAFrameOfAParentThatDoesNotDecodeGivesNothing(t *testing.T) {
	start3 := `{"type":"turn/start","seq":6,"time":70,"data":{"turn":3}}`
	sound := append(frame(t, header+"\n"), frame(t, text(parentLines[1:]...))...)
	behind := append(bytes.Clone(sound), frame(t, start3+"\n")...)
	spoilt := func(image []byte) []byte {
		image = bytes.Clone(image)
		image[len(image)-1] ^= 1 // of the checksum
		return image
	}
	for _, test := range []struct {
		name  string
		image []byte
		want  repair.Action
	}{
		{"sound", sound, repair.Repair},
		{"damage in the frame of the last event", spoilt(sound), repair.Refuse},
		{"damage behind it", spoilt(behind), repair.Repair},
		{"a torn frame", sound[:len(sound)-3], repair.Refuse},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := treetest.Plant(t, map[string]string{"parent": string(test.image)})
			p := plan(t, []byte(text(childOf(6), start3)), repair.Options{Parent: filepath.Join(dir, "parent")})
			if p.Action != test.want {
				t.Errorf("%s, want %s: %s; %s", p.Action, test.want, p.Reason, p.Next)
			}
		})
	}
}

func TestAPackedRowOfAParentIsCutWhereTheLogBegins(t *testing.T) {
	row := `{"type":"text-chunks","seq0":4,"time0":45,"data":{"turn":2,"step":1,"index":0,"dt":[1,2,3],"texts":["a","b","c","d"]}}`
	rest := `{"type":"text-chunks","seq0":6,"time0":48,"data":{"turn":2,"step":1,"index":0,"dt":[3],"texts":["c","d"]}}`
	dir := treetest.Plant(t, map[string]string{"parent.jsonl": text(header, start1, end1, start2, step2, row)})
	log := []byte(text(childOf(7), rest))
	p := plan(t, log, repair.Options{Parent: filepath.Join(dir, "parent.jsonl")})
	if p.Action != repair.Repair || p.Ledger.Spliced != 6 {
		t.Fatalf("%s: %s; %s", p.Action, p.Reason, p.Next)
	}
	got := lines(t, write(t, p, log))
	want := `{"type":"text-chunks","seq0":4,"time0":45,"data":{"turn":2,"step":1,"index":0,"dt":[1],"texts":["a","b"]}}`
	if diff := cmp.Diff([]string{want, rest}, got[5:7]); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
}

func TestAParentIsNotChosenByAPlan(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{"parent.jsonl": text(parentLines...)})
	parent := filepath.Join(dir, "parent.jsonl")
	log := []byte(text(childOf(6), `{"type":"turn/start","seq":6,"time":70,"data":{"turn":3}}`))
	p := plan(t, log, repair.Options{Parent: parent})
	encoded, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var read repair.Plan
	if err := json.Unmarshal(encoded, &read); err != nil {
		t.Fatal(err)
	}
	if read.Options.Parent != "" {
		t.Errorf("the plan makes turnfix read %q", read.Options.Parent)
	}
	if err := read.Write(new(bytes.Buffer), bytes.NewReader(log)); err == nil {
		t.Error("a plan that was read writes what its parent says")
	}
	if again := plan(t, log, repair.Options{Parent: parent}); !again.SameAs(&read) {
		t.Error("the plan is another one when its parent is given again")
	}
	copied := filepath.Join(dir, "copy.jsonl")
	if err := os.WriteFile(copied, []byte(text(parentLines...)), 0o600); err != nil {
		t.Fatal(err)
	}
	if again := plan(t, log, repair.Options{Parent: copied}); !again.SameAs(&read) {
		t.Error("the plan is another one for the same bytes of the parent")
	}
	if err := os.WriteFile(parent, []byte(text(append(parentLines, end1)...)), 0o600); err != nil {
		t.Fatal(err)
	}
	if again := plan(t, log, repair.Options{Parent: parent}); again.SameAs(&read) {
		t.Error("the plan is the same for a changed parent")
	}
	if err := p.Write(new(bytes.Buffer), bytes.NewReader(log)); err == nil {
		t.Error("a changed parent gives its events")
	}
}

func TestAParentThatCannotBeReadIsAnError(t *testing.T) {
	dir := t.TempDir()
	log := []byte(text(childOf(6), `{"type":"turn/start","seq":6,"time":70,"data":{"turn":3}}`))
	for _, name := range []string{"gone", "."} {
		_, err := repair.NewPlan(bytes.NewReader(log), int64(len(log)), "", repair.Options{Parent: filepath.Join(dir, name)})
		var path *fs.PathError
		if !errors.As(err, &path) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
