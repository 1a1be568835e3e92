package repair

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
)

// The invariants of every repair, whatever is wrong with the log:
//
//	I1  no lie          dsh opens a repaired log
//	I3  no invention    each event of it is one of the log, or listed as made up
//	I4  no silent loss  each event of the log is kept or leaves for lost+found
//	I5  idempotent      a repaired log needs no repair
//	I6  deterministic   the same log gives the same bytes
//
// (I2, no harm, is about publishing: see the tests with faults.)

// failer is what tests and properties have in common.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// checkInvariants repairs an image, with permission to lose what must be lost, and
// reports whether there was a repair.
func checkInvariants(t failer, image []byte, name string) bool {
	t.Helper()
	p := planFor(t, image, name, Options{})
	if p.Action == Refuse && p.NeedLoss > 0 {
		p = planFor(t, image, name, Options{AllowLoss: p.NeedLoss})
	}
	if p.Level == Choice {
		p = planFor(t, image, name, Options{Branch: p.Candidates[len(p.Candidates)-1].Number})
	}
	if p.Action == Refuse {
		if p.Reason == "" || p.Next == "" {
			t.Errorf("a refusal without reason: %+v", p)
		}
		return false
	}
	got := imageOf(t, p, image)
	if err := p.Verify(bytes.NewReader(got), int64(len(got))); err != nil { // I1
		t.Errorf("I1: %v", err)
	}
	checkEventsOf(t, p, image, got)
	if again := planFor(t, got, name, Options{}); again.Action != Nothing || again.Verdict != "opens" {
		t.Errorf("I5: a second repair does %s: the log %s; %s", again.Action, again.Verdict, again.Reason)
	}
	if second := imageOf(t, planFor(t, image, name, p.Options), image); !bytes.Equal(got, second) {
		t.Errorf("I6: a second repair of the same log gives other bytes")
	}
	return true
}

func planFor(t failer, image []byte, name string, opt Options) *Plan {
	t.Helper()
	opt.Encoding = scan.Auto
	p, err := NewPlan(bytes.NewReader(image), int64(len(image)), name, opt)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return p
}

func imageOf(t failer, p *Plan, image []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := p.Write(&out, bytes.NewReader(image)); err != nil {
		t.Fatalf("%v", err)
	}
	return out.Bytes()
}

// checkEventsOf checks I3 and I4.
func checkEventsOf(t failer, p *Plan, image, got []byte) {
	t.Helper()
	made := make(map[digest]bool)
	for _, closer := range p.Closers {
		made[canonicalDigest(closer)] = true
	}
	old, total := make(map[digest]bool), int64(0)
	for e := range p.read(bytes.NewReader(image)).events() {
		old[digestOf(e.text)] = true
		total++
	}
	after := &source{src: bytes.NewReader(got), size: int64(len(got)), encoding: p.written()}
	for e := range after.events() {
		if d := digestOf(e.text); !old[d] && !made[d] && e.kind != "turnfix/lost" {
			t.Errorf("I3: the repaired log has an event of its own: %s", e.text)
		}
	}
	var left int64
	for i := range p.Leaves {
		left += p.Leaves[i].Events
	}
	if left != p.Ledger.Dropped {
		t.Errorf("I4: %d events leave, the ledger says %d", left, p.Ledger.Dropped)
	}
	if p.Action == Repair && p.Ledger.Kept+p.Ledger.Dropped < total-unproven(p, image) {
		t.Errorf("I4: %d events kept and %d dropped, of %d", p.Ledger.Kept, p.Ledger.Dropped, total)
	}
}

// unproven counts the events that were read from frames which do not decode.
func unproven(p *Plan, image []byte) (n int64) {
	l, err := readSalvage(p.read(bytes.NewReader(image)))
	if err != nil {
		return 0
	}
	for i := range l.rows {
		if l.rows[i].junk != "" {
			n += l.rows[i].span.Events
		}
	}
	return n
}

func canonicalDigest(text []byte) digest {
	var doc jsjson.Doc
	if doc.Parse(text) != nil {
		return digest{}
	}
	return digestOf(jsjson.AppendCanonical(nil, doc.Root))
}

// batches are the lines of a log as dsh wrote them: the header alone, then one
// batch for each frame.
type batches [][]string

// healthy returns a log of closed turns, with packed rows, tools and an inbox.
func healthy(turns int) batches {
	b := batches{{`{"type":"session","version":0,"id":"s","createdAt":1783950000000,"cwd":"/work","delegationDepth":0}`}}
	seq := 0
	event := func(kind, data, rest string) string {
		text := fmt.Sprintf(`{"type":%q,"seq":%d,"time":%d,"data":%s%s}`, kind, seq, int64(1783950000000)+7*int64(seq), data, rest)
		seq++
		return text
	}
	const appended = `,"surfaceOp":"append"`
	for n := 1; n <= turns; n++ {
		at := fmt.Sprintf(`"turn":%d,"step":1`, n)
		message := fmt.Sprintf(`{"id":"u%d","role":"user","content":[{"type":"text","text":"question\n%d"}],"source":{"kind":"user"}}`, n, n)
		b = append(b,
			[]string{event("agent/inbox/spliced", `{"target":"next-turn","start":0,"inserted":[`+message+`]}`, "")},
			[]string{
				event("turn/start", fmt.Sprintf(`{"turn":%d}`, n), ""),
				event("agent/inbox/spliced", `{"target":"next-turn","start":0,"removedCount":1,"inserted":[]}`, ""),
				event("user/message", message, appended), event("step/start", "{"+at+"}", ""),
			},
		)
		row := fmt.Sprintf(`{"type":"text-chunks","seq0":%d,"time0":%d,"data":{%s,"index":0,"dt":[1,1,1],"texts":["a","b","c","d"]}}`, seq, int64(1783950000000)+7*int64(seq), at)
		seq += 4
		content := fmt.Sprintf(`[{"type":"text","text":"abcd"},{"type":"tool-call","id":"c%d","name":"ls","arguments":{}}]`, n)
		b = append(b,
			[]string{
				row,
				event("assistant/message", fmt.Sprintf(`{%s,"message":{"id":"a%d","role":"assistant","content":%s,"source":{"kind":"model","provider":"p","model":"m"}}}`, at, n, content), appended),
				event("tool/call", fmt.Sprintf(`{%s,"callId":"c%d","name":"ls","arguments":{}}`, at, n), ""),
			},
			[]string{
				event("tool/result", fmt.Sprintf(`{%s,"message":{"id":"r%d","role":"user","source":{"kind":"tool","callId":"c%d"},"content":[{"type":"tool-result","toolCallId":"c%d","content":[]}]}}`, at, n, n, n), appended),
				event("step/end", "{"+at+"}", ""),
				event("turn/end", fmt.Sprintf(`{"turn":%d,"reason":{"kind":"completed"}}`, n), ""),
			})
	}
	return b
}

// damage is one way to spoil a log at a place; batch and line number k are taken
// modulo what is there, the header left out.
type damage struct {
	name  string
	lines func(b batches, k int) batches
	bytes func(image []byte, k int) []byte
}

// line returns the batch and the index in it of event line k.
func (b batches) line(k int) (batch, line int) {
	total := 0
	for _, lines := range b[1:] {
		total += len(lines)
	}
	k %= total
	for i, lines := range b[1:] {
		if k < len(lines) {
			return i + 1, k
		}
		k -= len(lines)
	}
	return 0, 0
}

func (b batches) clone() batches {
	c := make(batches, len(b))
	for i := range b {
		c[i] = append([]string(nil), b[i]...)
	}
	return c
}

// spoilLine returns a damage that replaces one line.
func spoilLine(name string, to func(line string) string) damage {
	return damage{name: name, lines: func(b batches, k int) batches {
		b = b.clone()
		i, j := b.line(k)
		b[i][j] = to(b[i][j])
		return b
	}}
}

// closersAt is what a recovery appends behind batch i, when its turn is open.
func closersAt(b batches, i int) []string {
	image := render(b[:i+1], false)
	p, err := NewPlan(bytes.NewReader(image), int64(len(image)), "", Options{})
	if err != nil {
		return nil
	}
	var lines []string
	for _, c := range p.Closers {
		lines = append(lines, string(c))
	}
	return append(lines, fmt.Sprintf(`{"type":"session/end-seed","seq":%d,"time":1,"data":{}}`, p.Ledger.Kept+p.Ledger.Synthesised))
}

func insertBatch(b batches, i int, lines []string) batches {
	return append(append(b.clone()[:i:i], lines), b[i:]...)
}

var damages = []damage{
	{name: "nothing", lines: func(b batches, k int) batches { return b }},
	spoilLine("glued", func(l string) string { return l + "\x01" }),
	spoilLine("partial before", func(l string) string { return l[:len(l)*2/3] + l }),
	spoilLine("zeros before", func(l string) string { return strings.Repeat("\x00", 64) + l }),
	spoilLine("blank before", func(l string) string { return "\n" + l }),
	spoilLine("null before", func(l string) string { return "null\n" + l }),
	spoilLine("text before", func(l string) string { return "Traceback (most recent call last):\n" + l }),
	spoilLine("mark before", func(l string) string { return "\xEF\xBB\xBF" + l }),
	spoilLine("line feed in a string", func(l string) string { return strings.Replace(l, `\n`, "\n", 1) }),
	spoilLine("lost", func(string) string { return "" }),
	{name: "batch twice", lines: func(b batches, k int) batches {
		i := 1 + k%(len(b)-1)
		return insertBatch(b, i+1, b[i])
	}},
	{name: "batch again at the end", lines: func(b batches, k int) batches {
		return append(b.clone(), b[1+k%(len(b)-1)])
	}},
	{name: "recovery against a live writer", lines: func(b batches, k int) batches {
		i := 1 + k%(len(b)-1)
		return insertBatch(b, i+1, closersAt(b, i))
	}},
	{name: "batch lost", lines: func(b batches, k int) batches {
		i := 1 + k%(len(b)-1)
		return append(b.clone()[:i:i], b[i+1:]...)
	}},
	{name: "stale tail", lines: func(b batches, k int) batches {
		return append(b.clone(), []string{fmt.Sprintf(`{"type":"llm/retry","seq":%d,"time":5,"data":{}}`, k%20)})
	}},
	{name: "end cut", bytes: func(image []byte, k int) []byte { return image[:len(image)-1-k%min(60, len(image)/2)] }},
	{name: "zeros at the end", bytes: func(image []byte, k int) []byte { return append(bytes.Clone(image), make([]byte, 100)...) }},
	{name: "bit flipped", bytes: func(image []byte, k int) []byte {
		image = bytes.Clone(image)
		image[(k*37)%len(image)] ^= 1 << (k % 8)
		return image
	}},
	{name: "zeros inside", bytes: func(image []byte, k int) []byte {
		at := bytes.LastIndex(image[:len(image)-k%(len(image)/2)], magic)
		if at <= 0 {
			return image
		}
		return bytes.Join([][]byte{image[:at], make([]byte, 30), image[at:]}, nil)
	}},
	{name: "torn copy of a frame before it", bytes: func(image []byte, k int) []byte {
		at := bytes.LastIndex(image[:len(image)-k%(len(image)/2)], magic)
		if at <= 0 {
			return image
		}
		return bytes.Join([][]byte{image[:at], image[at : at+20], image[at:]}, nil)
	}},
}

// render returns the file of a log. A line that ends in \x01 is glued to the next.
func render(b batches, compressed bool) []byte {
	var out []byte
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
	if err != nil {
		panic(err)
	}
	defer enc.Close()
	for _, lines := range b {
		text := strings.ReplaceAll(strings.Join(lines, "\n")+"\n", "\x01\n", "")
		if compressed {
			out = enc.EncodeAll([]byte(text), out)
		} else {
			out = append(out, text...)
		}
	}
	return out
}

// apply does two damages to a log, of lines before those of bytes.
func apply(b batches, compressed bool, first, second damage, k, m int) []byte {
	if first.lines != nil {
		b = first.lines(b, k)
	}
	if second.lines != nil {
		b = second.lines(b, m)
	}
	image := render(b, compressed)
	if first.bytes != nil {
		image = first.bytes(image, k)
	}
	if second.bytes != nil {
		image = second.bytes(image, m)
	}
	return image
}

func nameFor(compressed bool) string {
	if compressed {
		return "session.jsonl.zstd"
	}
	return "session.jsonl"
}

func TestEveryPairOfDamagesKeepsTheInvariants(t *testing.T) {
	pairs, repaired := 0, 0
	for i, first := range damages {
		for j, second := range damages[i:] {
			for _, compressed := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s and %s, compressed %v", first.name, second.name, compressed), func(t *testing.T) {
					pairs++
					if checkInvariants(t, apply(healthy(3), compressed, first, second, 5+i, 11+j), nameFor(compressed)) {
						repaired++
					}
				})
			}
		}
	}
	t.Logf("%d pairs, %d of them repaired", pairs, repaired)
	if pairs < 100 || repaired < pairs/2 {
		t.Errorf("%d of %d pairs repaired, want half of at least 100", repaired, pairs)
	}
}

func TestDamageThatLosesNothingIsRepairedSafely(t *testing.T) {
	whole := planFor(t, render(healthy(3), false), "", Options{}).Ledger.Kept
	for _, d := range damages {
		switch d.name {
		case "lost", "batch lost", "end cut", "bit flipped":
			continue // something is gone
		}
		for _, compressed := range []bool{false, true} {
			for k := range 40 {
				image := apply(healthy(3), compressed, d, damages[0], k, 0)
				p := planFor(t, image, nameFor(compressed), Options{})
				switch {
				case p.Action == Nothing: // the damage came to nothing
				case p.Action != Repair || p.Level != Safe || p.Ledger.Kept != whole || len(p.Closers) > 0:
					t.Errorf("%s, compressed %v, %d: %s, %s, %d of %d events kept: %s", d.name, compressed, k, p.Action, p.Level, p.Ledger.Kept, whole, p.Reason)
				}
			}
		}
	}
}

func TestDamageAnywhereKeepsTheInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, second := rapid.SampledFrom(damages).Draw(t, "first"), rapid.SampledFrom(damages).Draw(t, "second")
		k, m := rapid.IntRange(0, 5000).Draw(t, "k"), rapid.IntRange(0, 5000).Draw(t, "m")
		compressed := rapid.Bool().Draw(t, "compressed")
		checkInvariants(t, apply(healthy(rapid.IntRange(1, 3).Draw(t, "turns")), compressed, first, second, k, m), nameFor(compressed))
	})
}
