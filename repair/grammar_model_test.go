package repair

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/turnlint/turnlint/fuzz/reference"
)

// sharedLog is one log on which two processes work, as the machine of the property
// drives them. It knows by their marks what the writers said.
type sharedLog struct {
	file       []byte
	compressed bool
	marks      map[string]bool // of what was said and is on disk in whole
	said       int             // marks so far
	time       int64

	writer *process // of the last batch, nil when nobody can still tear that
	last   []byte
	lines  []string

	// What a torn frame holds is unproven: dsh takes it at the end of the file, and
	// turnfix where an intact frame behind it says that it is one. tornEnd is what was
	// said in the torn frame at the end of the file, nil where there is none, and
	// tornBefore in the one before the last batch.
	tornEnd, tornBefore []string
}

// process is a dsh that may have the session open. What it knows of the log is what
// it read when it opened it, and what it wrote since: of the other one it knows nothing.
type process struct {
	name    string
	log     *sharedLog
	open    bool
	resumed bool // it has written nothing since it opened the log
	seq     int
	turn    int // the number of the open or last turn
	inTurn  bool
	step    int // the number of the open or last step of the turn
	inStep  bool
	call    string // that waits for its result, "" for none
	called  bool   // the call is recorded as started
	batch   []string
}

func newSharedLog(compressed bool) *sharedLog {
	l := &sharedLog{compressed: compressed, marks: make(map[string]bool), time: 1783950000000}
	l.append(nil, []string{`{"type":"session","version":0,"id":"s","createdAt":1783950000000,"cwd":"/work","delegationDepth":0}`})
	return l
}

// append writes a batch at the end of the file, as dsh does.
func (l *sharedLog) append(p *process, lines []string) {
	l.writer, l.lines, l.last = p, lines, render(batches{lines}, l.compressed)
	l.file = append(l.file, l.last...)
	l.tornBefore, l.tornEnd = l.tornEnd, nil
	for _, m := range saidIn(lines) {
		l.marks[m] = true
	}
}

// crash ends the process. If the last batch is its own, n bytes of that are missing.
func (p *process) crash(n int) {
	p.open = false
	l := p.log
	if l.writer != p || n == 0 {
		return
	}
	n = min(n, len(l.last))
	l.file, l.writer = l.file[:len(l.file)-n], nil
	left := saidIn(l.whole(l.last[:len(l.last)-n]))
	l.lose(difference(saidIn(l.lines), left))
	switch {
	case !l.compressed:
	case n == len(l.last):
		l.tornEnd = l.tornBefore
	case l.tornBefore != nil: // two in a row, which no frame tells apart
		l.lose(l.tornBefore)
		l.lose(left)
		l.tornEnd = l.tornBefore
	default:
		l.tornEnd = append([]string{}, left...)
	}
}

func (l *sharedLog) lose(marks []string) {
	for _, m := range marks {
		delete(l.marks, m)
	}
}

// whole returns the complete records of the start of a batch.
func (l *sharedLog) whole(batch []byte) (records []string) {
	text := batch
	if l.compressed {
		text = nil
		if torn := reference.WalkFrames(batch).Torn; torn != nil {
			text, _ = torn.Recover()
		}
	}
	for line := range strings.Lines(string(text)) {
		if json.Valid([]byte(line)) {
			records = append(records, line)
		}
	}
	return records
}

// read reads the log as dsh does.
func (l *sharedLog) read() reference.Log {
	if !l.compressed {
		return reference.ReadPlain(l.file)
	}
	log, err := reference.ReadZstd(l.file)
	if err != nil {
		panic(err) // a log of this test is small
	}
	return log
}

// saidMark marks what a user, the model or a tool said.
var saidMark = regexp.MustCompile(`said-\d+`)

func saidIn(lines []string) []string { return saidMark.FindAllString(strings.Join(lines, "\n"), -1) }

// resume opens the session: dsh recovers the log, if it reads it, and goes on behind
// what it has read.
func (p *process) resume(t failer) {
	log := p.log.read()
	if log.Refusal != "" {
		return
	}
	recovery := planFor(t, p.log.file, p.log.name(), Options{LikeDsh: true})
	switch recovery.Action {
	case Refuse:
		return
	case Repair:
		p.log.file, p.log.writer = imageOf(t, recovery, p.log.file), nil
		clear(p.log.marks) // what dsh drops is gone
		p.log.tornEnd = nil
		for _, m := range saidIn(p.log.read().Lines) {
			p.log.marks[m] = true
		}
	}
	turns := strings.Count(strings.Join(log.Lines, "\n"), `"type":"turn/start"`)
	*p = process{name: p.name, log: p.log, open: true, resumed: true, seq: int(log.Events) + len(recovery.Closers), turn: turns}
}

func (l *sharedLog) name() string {
	if l.compressed {
		return "session.jsonl.zstd"
	}
	return "session.jsonl"
}

// event adds an event to the batch of the process.
func (p *process) event(kind, data, rest string) {
	p.log.time += 7
	p.batch = append(p.batch, fmt.Sprintf(`{"type":%q,"seq":%d,"time":%d,"data":%s%s}`, kind, p.seq, p.log.time, data, rest))
	p.seq++
}

// say returns a new mark.
func (p *process) say() string {
	p.log.said++
	return fmt.Sprintf("said-%d", p.log.said)
}

// flush writes the batch.
func (p *process) flush() {
	p.log.append(p, p.batch)
	p.batch = nil
}

// begin writes the mark of a resume before the first event behind it
// (docs/format.md §5.3).
func (p *process) begin() {
	if p.resumed {
		p.resumed = false
		p.event("session/end-seed", "{}", "")
	}
}

// move is one thing that a process can do next in its own history.
type move struct {
	name string
	can  bool
	do   func()
}

// moves returns what the grammar of turns allows to the process (docs/format.md §6.3).
func (p *process) moves() []move {
	at := fmt.Sprintf(`"turn":%d,"step":%d`, p.turn, p.step)
	all := []move{
		{"starts a turn", !p.inTurn, func() {
			p.turn, p.step, p.inTurn = p.turn+1, 0, true
			p.event("turn/start", fmt.Sprintf(`{"turn":%d}`, p.turn), "")
			p.user()
		}},
		{"takes another message", p.inTurn && !p.inStep, p.user},
		{"starts a step", p.inTurn && !p.inStep, func() {
			p.step, p.inStep = p.step+1, true
			p.event("step/start", fmt.Sprintf(`{"turn":%d,"step":%d}`, p.turn, p.step), "")
		}},
		{"streams", p.inStep && p.call == "", func() {
			p.batch = append(p.batch, fmt.Sprintf(`{"type":"text-chunks","seq0":%d,"time0":%d,"data":{%s,"index":0,"dt":[1,1],"texts":["a","b","c"]}}`, p.seq, p.log.time, at))
			p.seq += 3
		}},
		{"answers", p.inStep && p.call == "", func() {
			p.assistant(at, fmt.Sprintf(`[{"type":"text","text":%q}]`, p.say()))
		}},
		{"calls a tool", p.inStep && p.call == "", func() {
			p.call, p.called = "call-"+p.say(), false
			p.assistant(at, fmt.Sprintf(`[{"type":"tool-call","id":%q,"name":"ls","arguments":{}}]`, p.call))
		}},
		{"records the call", p.call != "" && !p.called, func() {
			p.called = true
			p.event("tool/call", fmt.Sprintf(`{%s,"callId":%q,"name":"ls","arguments":{}}`, at, p.call), "")
		}},
		{"gets a result", p.called, func() {
			p.event("tool/result", fmt.Sprintf(`{%s,"message":{"id":%q,"role":"user","source":{"kind":"tool","callId":%q},"content":[{"type":"tool-result","toolCallId":%q,"content":[]}]}}`,
				at, p.say(), p.call, p.call), `,"surfaceOp":"append"`)
			p.call, p.called = "", false
		}},
		{"ends the step", p.inStep && p.call == "", func() {
			p.inStep = false
			p.event("step/end", "{"+at+"}", "")
		}},
		{"ends the turn", p.inTurn && !p.inStep, func() {
			p.inTurn = false
			p.event("turn/end", fmt.Sprintf(`{"turn":%d,"reason":{"kind":"completed"}}`, p.turn), "")
		}},
	}
	return slices.DeleteFunc(all, func(m move) bool { return !m.can })
}

func (p *process) user() {
	p.event("user/message", fmt.Sprintf(`{"id":%q,"role":"user","content":[{"type":"text","text":"?"}],"source":{"kind":"user"}}`, p.say()), `,"surfaceOp":"append"`)
}

func (p *process) assistant(at, content string) {
	p.event("assistant/message", fmt.Sprintf(`{%s,"message":{"id":"id-%d","role":"assistant","content":%s,"source":{"kind":"model","provider":"p","model":"m"}}}`, at, p.log.said, content), `,"surfaceOp":"append"`)
}

// String names the move where rapid shows a failure.
func (m move) String() string { return m.name }

// String names the process there.
func (p *process) String() string { return p.name }
