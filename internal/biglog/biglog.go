// Package biglog makes sound session logs of any size, for measurements. The same
// settings give the same bytes. Memory does not grow with the log.
package biglog

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
)

// Shape is what most of a log consists of.
type Shape string

// The shapes. The sizes of their events are those of real sessions.
const (
	Mixed   Shape = "mixed"   // streamed text, messages and tool results: 500 bytes an event
	Results Shape = "results" // long tool results: source code with many escapes
	Deltas  Shape = "deltas"  // streamed text, an event for a few words
	Rows    Shape = "rows"    // streamed tokens in packed rows
)

// Shapes are all shapes.
var Shapes = []Shape{Mixed, Results, Deltas, Rows}

// profile is the make-up of a step.
type profile struct {
	deltas  int  // streamed pieces of text
	packed  bool // in rows of rowLen in the mean
	results int  // tool calls with their results
	lines   int  // mean lines of code in a result
	prose   int  // mean sentences of a message
}

var profiles = map[Shape]profile{
	Mixed:   {deltas: 8, results: 1, lines: 72, prose: 13},
	Results: {results: 2, lines: 400, prose: 5},
	Deltas:  {deltas: 200, prose: 10},
	Rows:    {deltas: 320, packed: true, results: 1, lines: 20, prose: 10},
}

// rowLen is the mean number of tokens in a packed row, and tokenLen the most bytes
// that one has, as in rows that dsh wrote. Those have 3 tokens or more.
const (
	rowLen   = 40
	tokenLen = 4
)

// chunkWords is the mean number of words that an event of streamed text has, so that
// its line has 185 bytes.
const chunkWords = 6

// batchEvents is how many events dsh's writer gathers in the 200 ms of a batch
// while a model streams.
const batchEvents = 10

// Log says which log to write.
type Log struct {
	Shape   Shape
	Framing Framing
	Size    int64  // bytes of text; the log goes on to the end of the turn
	Seed    uint64 // of all that is random
}

// Write writes the log.
func (l Log) Write(w io.Writer) error {
	p, ok := profiles[l.Shape]
	if !ok {
		return fmt.Errorf("shape %q: want one of %q", l.Shape, Shapes)
	}
	out, err := newFramer(w, l.Framing)
	if err != nil {
		return err
	}
	g := &generator{profile: p, out: out, random: rand.New(rand.NewPCG(l.Seed, 0)), time: 1787216400000}
	g.header()
	for g.err == nil && g.written < l.Size {
		g.nextTurn()
	}
	if err := out.close(); g.err == nil {
		g.err = err
	}
	return g.err
}

// generator writes turn after turn.
type generator struct {
	profile
	out     *framer
	random  *rand.Rand
	buf     []byte // the current line
	err     error
	written int64
	waiting int    // events of the current batch
	spelled []byte // the rest of a word of which tokens are parts

	seq, time  int64
	turn, step int
}

func (g *generator) header() {
	g.buf = append(g.buf[:0], `{"type":"session","version":0,"id":"big-1","createdAt":1787216400000,"cwd":"/home/ada/lantern","delegationDepth":0}`...)
	g.end()
	g.flush()
}

func (g *generator) nextTurn() {
	g.turn, g.step = g.turn+1, 0
	g.begin("turn/start").printf(`{"turn":%d}}`, g.turn).end()
	g.begin("user/message").printf(`{"id":"msg-%d","role":"user","content":[{"type":"text","text":"`, g.seq)
	g.prosaic(max(1, g.prose/2)).printf(`"}],"source":{"kind":"user"}},"surfaceOp":"append"}`).end()
	g.flush()
	for range 1 + g.random.IntN(6) {
		g.nextStep()
	}
	g.begin("turn/end").printf(`{"turn":%d,"reason":{"kind":"completed"}}}`, g.turn).end()
	g.flush()
}

func (g *generator) nextStep() {
	g.step++
	g.begin("step/start").place("}}").end()
	g.stream()
	first := g.seq
	g.begin("assistant/message").place(`,"message":{"id":"msg-%d","role":"assistant","content":[{"type":"text","text":"`, g.seq).prosaic(g.prose)
	g.printf(`"}`)
	for i := range g.results {
		g.printf(`,{"type":"tool-call","id":"call-%d-%d","name":"read","arguments":"{\"path\":\"src/lamp.go\"}"}`, first, i)
	}
	g.printf(`],"source":{"kind":"model","provider":"harbour","model":"beacon-2"}}},"surfaceOp":"append"}`).end()
	g.flush()
	for i := range g.results {
		g.call(fmt.Sprintf("call-%d-%d", first, i))
	}
	g.begin("step/end").place("}}").end()
}

// stream writes the tokens that a model streams.
func (g *generator) stream() {
	for left := g.deltas; left > 0; {
		if g.packed {
			n := 3 + g.random.IntN(2*rowLen-5)
			if left-n < 3 {
				n = left
			}
			g.row(n)
			left -= n
			continue
		}
		g.begin("assistant/chunk").place(`,"chunk":{"type":"text-delta","index":0,"text":"`).tokens(g.about(chunkWords)).printf(`"}}}`).end()
		left--
	}
}

func (g *generator) row(n int) {
	g.buf = append(g.buf[:0], `{"type":"text-chunks","seq0":`...)
	g.buf = strconv.AppendInt(g.buf, g.seq, 10)
	g.buf = append(g.buf, `,"time0":`...)
	g.buf = strconv.AppendInt(g.buf, g.time, 10)
	g.buf = append(g.buf, `,"data":`...)
	g.place(`,"index":0,"dt":[`)
	for i := range n - 1 {
		if i > 0 {
			g.buf = append(g.buf, ',')
		}
		delta := int64(5 + g.random.IntN(40))
		g.time += delta
		g.buf = strconv.AppendInt(g.buf, delta, 10)
	}
	g.buf = append(g.buf, `],"texts":["`...)
	for i := range n {
		if i > 0 {
			g.buf = append(g.buf, `","`...)
		}
		g.token()
	}
	g.buf = append(g.buf, `"]}}`...)
	g.seq += int64(n)
	g.end()
}

// call writes a tool call and its result.
func (g *generator) call(id string) {
	call := g.seq
	g.begin("tool/call").place(`,"callId":"%s","name":"read","arguments":"{\"path\":\"src/lamp.go\"}"}}`, id).end()
	g.begin("tool/result").place(`,"message":{"id":"msg-%d","role":"user","source":{"kind":"tool","callId":"%s"},`+
		`"content":[{"type":"tool-result","toolCallId":"%s","content":[{"type":"text","text":"`, g.seq, id, id)
	g.code(g.lines).printf(`"}],"isError":false}]}},"sourceEventSeqs":[%d],"surfaceOp":"append"}`, call).end()
	g.flush()
}

// begin starts an event, up to its data.
func (g *generator) begin(kind string) *generator {
	g.buf = append(append(g.buf[:0], `{"type":"`...), kind...)
	g.buf = strconv.AppendInt(append(g.buf, `","seq":`...), g.seq, 10)
	g.buf = strconv.AppendInt(append(g.buf, `,"time":`...), g.time, 10)
	g.buf = append(g.buf, `,"data":`...)
	g.seq++
	g.time += int64(5 + g.random.IntN(40))
	return g
}

// place starts data that names the open turn and step.
func (g *generator) place(format string, args ...any) *generator {
	g.buf = strconv.AppendInt(append(g.buf, `{"turn":`...), int64(g.turn), 10)
	g.buf = strconv.AppendInt(append(g.buf, `,"step":`...), int64(g.step), 10)
	return g.printf(format, args...)
}

func (g *generator) printf(format string, args ...any) *generator {
	if len(args) == 0 {
		g.buf = append(g.buf, format...)
	} else {
		g.buf = fmt.Appendf(g.buf, format, args...)
	}
	return g
}

// end ends a line.
func (g *generator) end() {
	g.buf = append(g.buf, '\n')
	g.written += int64(len(g.buf))
	if g.err == nil {
		g.err = g.out.write(g.buf)
	}
	if g.waiting++; g.waiting >= batchEvents {
		g.flush()
	}
}

// flush ends a batch.
func (g *generator) flush() {
	g.waiting = 0
	if g.err == nil {
		g.err = g.out.flush()
	}
}
