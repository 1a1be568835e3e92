package picture_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/picture"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// draw returns the picture of a log.
func draw(t testing.TB, log []byte, opt picture.Options) *picture.Picture {
	t.Helper()
	result, err := rules.Check(bytes.NewReader(log), int64(len(log)), rules.Options{MaxLine: opt.MaxLine})
	if err != nil {
		t.Fatal(err)
	}
	p, err := picture.Draw(bytes.NewReader(log), int64(len(log)), result, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sample returns a log of testdata.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	log, err := os.ReadFile(filepath.Join("../testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// samples are the logs of testdata: whole, torn, and with every finding.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	err := filepath.WalkDir("../testdata", func(path string, d fs.DirEntry, err error) error {
		if err == nil && (strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".jsonl.zstd")) {
			all[path], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil || len(all) < 200 {
		t.Fatalf("%d logs, %v", len(all), err)
	}
	return all
}

// header is that of the logs that tests write.
const header = `{"type":"session","version":0,"id":"s","createdAt":1790000000000,"cwd":"/w","delegationDepth":0}` + "\n"

// summary says in a few lines what a picture shows.
func summary(p *picture.Picture) string {
	var b strings.Builder
	for _, part := range p.Parts {
		fmt.Fprintf(&b, "%s %d-%d, %d events, cause %q\n", part.State, part.First, part.Last, part.Events, part.Cause)
	}
	for _, t := range p.Turns {
		fmt.Fprintf(&b, "turn %s on %d: seq %d-%d, %d missing before, %d in it, closing %d %q\n",
			t.Number, t.Branch, t.Seq, t.EndSeq, t.Before, t.Missing, t.Closing, t.Reason)
	}
	for i, br := range p.Branches {
		fmt.Fprintf(&b, "branch %d from %d: writer %d, seq %d-%d, lines %d-%d, gaps %v\n",
			i, br.Parent, br.Writer, br.From, br.To-1, br.Line, br.LastLine, br.Gaps)
	}
	if s := p.Stop; s != nil {
		fmt.Fprintf(&b, "stop at byte %d, line %d, frame %d: refuses %v, drops %d, recovers %d\n", s.FileOff, s.Line, s.Frame, s.Refuses, s.Dropped, s.Recovered)
	}
	for _, c := range p.Closers {
		fmt.Fprintf(&b, "closer %d %s\n", c.Seq, c.Type)
	}
	return b.String()
}

func TestPicturesTellWhatHappened(t *testing.T) {
	tests := []struct{ name, log, want string }{
		{
			"a clean log", "corpus/ok/two-turns-with-a-tool-call.jsonl", `header 1-1, 0 events, cause ""
good 2-18, 17 events, cause ""
turn 1 on 0: seq 0-10, 0 missing before, 0 in it, closing 0 "completed"
turn 2 on 0: seq 11-16, 0 missing before, 0 in it, closing 0 "completed"
branch 0 from -1: writer 0, seq 0-16, lines 2-18, gaps []
`,
		},
		{
			"a false torn tail hides a frame", "corpus/bad/false-torn-tail.jsonl.zstd", `header 1-1, 0 events, cause ""
damaged 2-2, 0 events, cause "its sizes are wrong: it claims the bytes of frames behind it"
hidden 3-3, 6 events, cause ""
turn 2 on 0: seq 11-16, 11 missing before, 0 in it, closing 0 "completed"
branch 0 from -1: writer 0, seq 0-16, lines 2-7, gaps [{0 11}]
stop at byte 136, line 0, frame 2: refuses false, drops 6, recovers 0
`,
		},
		{
			"a true torn tail is recovered in part", "corpus/torn/cut-inside-a-raw-block.jsonl.zstd", `header 1-1, 0 events, cause ""
good 2-2, 6 events, cause ""
torn 3-3, 3 events, cause ""
turn 1 on 0: seq 0-5, 0 missing before, 0 in it, closing 0 "completed"
turn 2 on 0: seq 6-8, 0 missing before, 0 in it, closing 2 ""
branch 0 from -1: writer 0, seq 0-8, lines 2-10, gaps []
stop at byte 449, line 0, frame 3: refuses false, drops 0, recovers 3
closer 9 step/end
closer 10 turn/end
`,
		},
		{
			"a frame does not decode", "corpus/bad/frame-does-not-decompress.jsonl.zstd", `header 1-1, 0 events, cause ""
damaged 2-2, 0 events, cause "corrupt compressed data"
good 3-3, 6 events, cause ""
turn 2 on 0: seq 11-16, 11 missing before, 0 in it, closing 0 "completed"
branch 0 from -1: writer 0, seq 0-16, lines 2-7, gaps [{0 11}]
stop at byte 136, line 0, frame 2: refuses true, drops 0, recovers 0
`,
		},
		{
			"bytes between frames", "corpus/bad/text-behind-the-last-frame.jsonl.zstd", `header 1-1, 0 events, cause ""
good 2-2, 11 events, cause ""
foreign 0-0, 0 events, cause "no frame"
turn 1 on 0: seq 0-10, 0 missing before, 0 in it, closing 0 "completed"
branch 0 from -1: writer 0, seq 0-10, lines 2-12, gaps []
stop at byte 659, line 0, frame 3: refuses true, drops 0, recovers 0
`,
		},
		{
			"NUL bytes between records", "corpus/bad/zeros-between-records.jsonl", `header 1-1, 0 events, cause ""
good 2-12, 11 events, cause ""
foreign 13-13, 0 events, cause "nul-run"
good 14-18, 5 events, cause ""
turn 1 on 0: seq 0-10, 0 missing before, 0 in it, closing 0 "completed"
branch 0 from -1: writer 0, seq 0-16, lines 2-18, gaps [{11 12}]
stop at byte 1876, line 13, frame 0: refuses true, drops 0, recovers 0
`,
		},
		{
			"a record is cut", "corpus/torn/cut-inside-an-escape.jsonl", `header 1-1, 0 events, cause ""
good 2-11, 10 events, cause ""
torn 12-12, 0 events, cause ""
turn 1 on 0: seq 0-5, 0 missing before, 0 in it, closing 0 "completed"
turn 2 on 0: seq 6-9, 0 missing before, 0 in it, closing 2 ""
branch 0 from -1: writer 0, seq 0-9, lines 2-11, gaps []
stop at byte 1376, line 0, frame 0: refuses false, drops 0, recovers 0
closer 10 step/end
closer 11 turn/end
`,
		},
		{
			"a gap before an open turn", "corpus/bad/gap-in-the-last-open-turn.jsonl", `header 1-1, 0 events, cause ""
good 2-12, 11 events, cause ""
torn 13-14, 2 events, cause ""
turn 1 on 0: seq 0-5, 0 missing before, 0 in it, closing 0 "completed"
turn 2 on 0: seq 6-13, 0 missing before, 1 in it, closing 2 ""
branch 0 from -1: writer 0, seq 0-13, lines 2-14, gaps [{11 12}]
stop at byte 1803, line 0, frame 0: refuses false, drops 2, recovers 0
closer 11 tool/result
closer 12 tool/result
closer 13 step/end
closer 14 turn/end
`,
		},
		{
			"two writers go on from one place", "rules/forked-log/bad.jsonl", `header 1-1, 0 events, cause ""
good 2-16, 17 events, cause ""
faulty 17-17, 1 events, cause "forked-log"
good 18-19, 2 events, cause ""
turn 1 on 0: seq 0-13, 0 missing before, 0 in it, closing 0 "completed"
turn 2 on 0: seq 14-16, 0 missing before, 0 in it, closing 0 "completed"
turn 2 on 1: seq 14-16, 0 missing before, 0 in it, closing 0 "completed"
branch 0 from -1: writer 0, seq 0-16, lines 2-16, gaps []
branch 1 from 0: writer 1, seq 14-16, lines 17-19, gaps []
stop at byte 2215, line 17, frame 0: refuses true, drops 0, recovers 0
`,
		},
		{
			"the session goes on over the closers of a recovery", "corpus/bad/two-writers-after-a-crash.jsonl", `header 1-1, 0 events, cause ""
good 2-12, 11 events, cause ""
faulty 13-13, 1 events, cause "repair-closers"
good 14-16, 3 events, cause ""
faulty 17-17, 1 events, cause "seq-repeat"
good 18-20, 3 events, cause ""
turn 1 on 0: seq 0-5, 0 missing before, 0 in it, closing 0 "completed"
turn 2 on 0: seq 6-14, 0 missing before, 0 in it, closing 1 "interrupted"
branch 0 from -1: writer 0, seq 0-14, lines 2-16, gaps []
branch 1 from 0: writer 3, seq 11-14, lines 17-20, gaps []
stop at byte 2786, line 17, frame 0: refuses true, drops 0, recovers 0
`,
		},
		{
			"a stale marker", "corpus/bad/resumed-twice-at-once.jsonl", `header 1-1, 0 events, cause ""
good 2-18, 17 events, cause ""
faulty 19-19, 1 events, cause "stale-end-seed"
faulty 20-20, 1 events, cause "seq-repeat"
good 21-26, 6 events, cause ""
turn 1 on 0: seq 0-10, 0 missing before, 0 in it, closing 0 "completed"
turn 2 on 0: seq 11-16, 0 missing before, 0 in it, closing 0 "completed"
turn 3 on 1: seq 18-23, 0 missing before, 0 in it, closing 0 "completed"
branch 0 from -1: writer 0, seq 0-17, lines 2-19, gaps []
branch 1 from 0: writer 4, seq 17-23, lines 20-26, gaps []
stop at byte 2720, line 20, frame 0: refuses true, drops 0, recovers 0
`,
		},
		{
			"records swapped are no branch", "corpus/bad/records-swapped.jsonl", `header 1-1, 0 events, cause ""
good 2-6, 5 events, cause ""
faulty 7-7, 1 events, cause "seq-gap"
good 8-18, 11 events, cause ""
turn 1 on 0: seq 0-10, 0 missing before, 0 in it, closing 0 "completed"
turn 2 on 0: seq 11-16, 0 missing before, 0 in it, closing 0 "completed"
branch 0 from -1: writer 0, seq 0-16, lines 2-18, gaps []
stop at byte 947, line 7, frame 0: refuses true, drops 0, recovers 0
`,
		},
		{
			"an event in place of the header", "corpus/bad/header-frame-missing.jsonl.zstd", `faulty 1-1, 11 events, cause "line 1: header-shape"
good 2-2, 6 events, cause ""
turn 1 on 0: seq 0-10, 0 missing before, 0 in it, closing 0 "completed"
turn 2 on 0: seq 11-16, 0 missing before, 0 in it, closing 0 "completed"
branch 0 from -1: writer 0, seq 0-16, lines 1-17, gaps []
stop at byte 0, line 0, frame 1: refuses true, drops 0, recovers 0
`,
		},
		{
			"no log at all", "corpus/bad/not-a-log.jsonl", `foreign 1-3, 0 events, cause ""
stop at byte 0, line 0, frame 0: refuses true, drops 0, recovers 0
`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := summary(draw(t, sample(t, tt.log), picture.Options{}))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, got)
			}
		})
	}
}

// check asserts what holds for every picture.
func check(t testing.TB, log []byte, p *picture.Picture) {
	t.Helper()
	end := int64(0)
	for i, part := range p.Parts {
		if part.FileOff != end || part.Len <= 0 {
			t.Fatalf("part %d has bytes [%d,+%d), want from %d on", i, part.FileOff, part.Len, end)
		}
		end += part.Len
	}
	if end != int64(len(log)) || p.Size != end {
		t.Fatalf("parts end at byte %d, the log has %d", end, len(log))
	}
	events := p.Loose
	for i := range p.Turns {
		turn := &p.Turns[i]
		if events += turn.Events; turn.PlainEnd < turn.PlainOff || p.FileEnd(turn.PlainEnd) < p.FileAt(turn.PlainOff) {
			t.Fatalf("turn %d ends before it starts: %+v", i, turn)
		}
	}
	if events != p.Events {
		t.Fatalf("%d events in and outside turns, want %d", events, p.Events)
	}
	for i := range p.Places {
		d := &p.Places[i].Dump
		if d.From < d.Off || d.To > d.Off+int64(len(d.Bytes)) || d.Space == picture.File && !bytes.Equal(d.Bytes, log[d.Off:][:len(d.Bytes)]) {
			t.Fatalf("place %d marks [%d,%d) of [%d,+%d)", i, d.From, d.To, d.Off, len(d.Bytes))
		}
	}
	if s := p.Stop; s != nil && (s.FileOff < 0 || s.FileOff > p.Size) {
		t.Fatalf("stop at byte %d of %d", s.FileOff, p.Size)
	}
}

func TestPicturesOfAllSamples(t *testing.T) {
	for name, log := range samples(t) {
		t.Run(filepath.ToSlash(name), func(t *testing.T) { check(t, log, draw(t, log, picture.Options{ShowText: true})) })
	}
}

func TestPicturesOfLogsCutAtAnyByte(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 17
	}
	for _, name := range []string{"corpus/ok/one-frame-per-batch.jsonl.zstd", "corpus/bad/two-writers-after-a-crash.jsonl", "corpus/bad/false-torn-tail.jsonl.zstd"} {
		log := sample(t, name)
		for n := 0; n < len(log); n += step {
			check(t, log[:n], draw(t, log[:n], picture.Options{}))
		}
	}
}

func FuzzDraw(f *testing.F) {
	for _, log := range samples(f) {
		if len(log) < 4<<10 {
			f.Add(log)
		}
	}
	f.Fuzz(func(t *testing.T, log []byte) {
		if len(log) > 16<<10 { // an RLE block of four bytes stands for 128 KiB
			t.Skip("too long")
		}
		check(t, log, draw(t, log, picture.Options{MaxLine: 1 << 16}))
	})
}

func TestManyTurnsAreJoinedEvenly(t *testing.T) {
	var log bytes.Buffer
	log.WriteString(header)
	const turns = 5000
	for n := range turns {
		fmt.Fprintf(&log, `{"type":"turn/start","seq":%d,"time":%d,"data":{"turn":%d}}`+"\n", 2*n, 1790000000000+int64(n)*10, n+1)
		fmt.Fprintf(&log, `{"type":"turn/end","seq":%d,"time":%d,"data":{"turn":%d,"reason":{"kind":"completed"}}}`+"\n", 2*n+1, 1790000000004+int64(n)*10, n+1)
	}
	p := draw(t, log.Bytes(), picture.Options{})
	check(t, log.Bytes(), p)
	if n := len(p.Turns); n < 100 || n > 400 {
		t.Errorf("%d turns are shown, want some hundred", n)
	}
	sum := 0
	for i, turn := range p.Turns {
		if sum += turn.Turns; turn.Turns != p.Turns[0].Turns && i < len(p.Turns)-1 {
			t.Errorf("turn %d stands for %d turns, the first one for %d", i, turn.Turns, p.Turns[0].Turns)
		}
	}
	if sum != turns || p.Turns[len(p.Turns)-1].LastNumber != fmt.Sprint(turns) {
		t.Errorf("%d turns up to %s, want %d", sum, p.Turns[len(p.Turns)-1].LastNumber, turns)
	}
}

func TestManyBranchesAreBounded(t *testing.T) {
	var log bytes.Buffer
	log.WriteString(header)
	for n := range 300 {
		fmt.Fprintf(&log, `{"type":"session/title","seq":%d,"time":1,"data":{"title":"%d"}}`+"\n", 1000-n, n)
	}
	p := draw(t, log.Bytes(), picture.Options{})
	if len(p.Branches)+p.MoreBranches != 1 { // the first one starts with a gap, which the others fill
		t.Errorf("%d branches and %d more, want 1", len(p.Branches), p.MoreBranches)
	}
	log.Reset()
	log.WriteString(header)
	for n := range 300 {
		fmt.Fprintf(&log, `{"type":"session/title","seq":%d,"time":1,"data":{"title":"%d"}}`+"\n", n%2, n)
	}
	p = draw(t, log.Bytes(), picture.Options{})
	if len(p.Branches) != 24 || p.MoreBranches != 126 {
		t.Errorf("%d branches and %d more, want 24 and 126", len(p.Branches), p.MoreBranches)
	}
}

func TestAlternatingPartsAreBounded(t *testing.T) {
	var log bytes.Buffer
	log.WriteString(header)
	for n := range 3000 {
		fmt.Fprintf(&log, `{"type":"session/title","seq":%d,"time":1,"data":{"title":"x"}}`+"\n", n)
		if n < 90 { // more are not among the findings
			log.WriteString("no record\n")
		}
	}
	p := draw(t, log.Bytes(), picture.Options{})
	check(t, log.Bytes(), p)
	if len(p.Parts) > 1000 {
		t.Errorf("%d parts", len(p.Parts))
	}
}

func TestLongTextsAreNotKept(t *testing.T) {
	long := strings.Repeat("9", 1<<20)
	log := header + `{"type":"turn/start","seq":0,"time":1,"data":{"turn":"` + long + `"}}` + "\n" +
		`{"type":"user/message","seq":1,"time":1,"data":{"id":"u","role":"user","content":[{"type":"text","text":"` + long + `"}],"source":{"kind":"user"}},"surfaceOp":"append"}` + "\n" +
		`{"type":"turn/end","seq":2,"time":1,"data":{"turn":1,"reason":{"kind":"` + long + `"}}}` + "\n"
	p := draw(t, []byte(log), picture.Options{ShowText: true})
	turn := p.Turns[0]
	for _, text := range []string{turn.Number, turn.Said, turn.Reason} {
		if len(text) > 200 || !strings.HasSuffix(text, "9…") {
			t.Errorf("a text of %d bytes is kept", len(text))
		}
	}
}

func TestEncodingIsThatOfTheCheck(t *testing.T) {
	log := sample(t, "corpus/ok/one-frame-per-batch.jsonl.zstd")
	result, err := rules.Check(bytes.NewReader(log), int64(len(log)), rules.Options{Encoding: scan.Plain})
	if err != nil {
		t.Fatal(err)
	}
	p, err := picture.Draw(bytes.NewReader(log), int64(len(log)), result, picture.Options{})
	if err != nil || p.Encoding != scan.Plain {
		t.Errorf("encoding %v, %v, want raw", p.Encoding, err)
	}
}
