package rules_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/turnlint/turnlint/rules"
)

// sample is a log that a rule finds something in, and its neighbours in which
// it finds nothing: a good one, and one that looks like the breach and is none.
type sample struct {
	rule      string
	bad, good []byte
	near      []byte
	why       string // what the near miss shows
	zstd      bool
	opt       rules.Options
}

// lamp is a sound log: one turn of two steps with a streamed answer and a tool call.
const lamp = `{"type":"session","version":0,"id":"lamp","createdAt":1790000000000,"cwd":"/home/ada/lamp","delegationDepth":0}
{"type":"turn/start","seq":0,"time":1790000001000,"data":{"turn":1}}
{"type":"user/message","seq":1,"time":1790000001001,"data":{"id":"m1","role":"user","content":[{"type":"text","text":"Is the lamp on?"}],"source":{"kind":"user"}},"surfaceOp":"append"}
{"type":"step/start","seq":2,"time":1790000001002,"data":{"turn":1,"step":1}}
{"type":"assistant/message","seq":3,"time":1790000001003,"data":{"turn":1,"step":1,"message":{"id":"m2","role":"assistant","content":[{"type":"tool-call","id":"c1","name":"lamp","arguments":"{}"}],"source":{"kind":"model","provider":"p","model":"m"}}},"surfaceOp":"append"}
{"type":"tool/call","seq":4,"time":1790000001004,"data":{"turn":1,"step":1,"callId":"c1","name":"lamp","arguments":"{}"}}
{"type":"tool/result","seq":5,"time":1790000001005,"data":{"turn":1,"step":1,"message":{"id":"m3","role":"user","source":{"kind":"tool","callId":"c1"},"content":[{"type":"tool-result","toolCallId":"c1","content":[{"type":"text","text":"on"}]}]}},"surfaceOp":"append","sourceEventSeqs":[4]}
{"type":"step/end","seq":6,"time":1790000001006,"data":{"turn":1,"step":1}}
{"type":"step/start","seq":7,"time":1790000001007,"data":{"turn":1,"step":2}}
{"type":"text-chunks","seq0":8,"time0":1790000001008,"data":{"turn":1,"step":2,"index":0,"dt":[1,1],"texts":["Yes, ","it is ","on."]}}
{"type":"assistant/message","seq":11,"time":1790000001011,"data":{"turn":1,"step":2,"message":{"id":"m4","role":"assistant","content":[{"type":"text","text":"Yes, it is on."}],"source":{"kind":"model","provider":"p","model":"m"}}},"surfaceOp":"append","sourceEventSeqs":[8,9,10]}
{"type":"step/end","seq":12,"time":1790000001012,"data":{"turn":1,"step":2}}
{"type":"turn/end","seq":13,"time":1790000001013,"data":{"turn":1,"reason":{"kind":"completed"}}}
`

// laterLamp is a sound log of format v4: one turn of one step with an answer.
const laterLamp = `{"type":"session","version":4,"id":"lamp","createdAt":1790000000000,"cwd":"/home/ada/lamp","isSeeded":false,"delegationDepth":0}
{"type":"turn/start","seq":0,"time":1790000001000,"data":{"turn":1}}
{"type":"step/start","seq":1,"time":1790000001001,"data":{"turn":1,"step":1}}
{"type":"system/message","seq":2,"time":1790000001002,"data":{"turn":1,"step":1,"message":{"id":"m1","role":"system","source":{"kind":"system-prompt"},"content":[]}},"surfaceOp":"append"}
{"type":"user/message","seq":3,"time":1790000001003,"data":{"id":"m2","role":"user","content":[{"type":"text","text":"Is the lamp on?"}],"source":{"kind":"user"}},"surfaceOp":"append"}
{"type":"assistant/message","seq":4,"time":1790000001004,"data":{"turn":1,"step":1,"message":{"id":"m3","role":"assistant","content":[{"type":"text","text":"Yes."}],"source":{"kind":"model","provider":"p","model":"m"}},"stream":[]},"surfaceOp":"append"}
{"type":"step/end","seq":5,"time":1790000001005,"data":{"turn":1,"step":1}}
{"type":"turn/end","seq":6,"time":1790000001006,"data":{"turn":1,"reason":{"kind":"completed"}}}
`

// laterWith returns laterLamp with texts in place of others.
func laterWith(oldnew ...string) []byte {
	text := strings.NewReplacer(oldnew...).Replace(laterLamp)
	if text == laterLamp {
		panic("laterLamp has none of the texts")
	}
	return []byte(text)
}

// with returns lamp with one text in place of another.
func with(old, text string) []byte {
	if !strings.Contains(lamp, old) {
		panic("lamp has no " + old)
	}
	return []byte(strings.Replace(lamp, old, text, 1))
}

// and returns lamp with lines behind it.
func and(lines ...string) []byte {
	return []byte(lamp + strings.Join(lines, "\n") + "\n")
}

// upTo returns the first n lines of lamp.
func upTo(n int) []byte {
	return []byte(strings.Join(strings.SplitAfter(lamp, "\n")[:n], ""))
}

// without returns lamp without the line numbers, counted from 1.
func without(numbers ...int) []byte {
	var kept []string
	for i, line := range strings.SplitAfter(lamp, "\n") {
		if !slices.Contains(numbers, i+1) {
			kept = append(kept, line)
		}
	}
	return []byte(strings.Join(kept, ""))
}

// before returns lamp with a text before line n, counted from 1.
func before(n int, text string) []byte {
	lines := strings.SplitAfter(lamp, "\n")
	return []byte(strings.Join(slices.Insert(lines, n-1, text), ""))
}

// Events that follow lamp.
const (
	start2  = `{"type":"turn/start","seq":14,"time":1790000002000,"data":{"turn":2}}`
	end2    = `{"type":"turn/end","seq":15,"time":1790000002001,"data":{"turn":2,"reason":{"kind":"completed"}}}`
	note14  = `{"type":"user/message","seq":14,"time":1790000002000,"data":{"id":"m5","role":"user","content":[{"type":"text","text":"Note."}],"source":{"kind":"user"}},"surfaceOp":"append"}`
	title14 = `{"type":"session/title","seq":14,"time":1790000002000,"data":{"title":"Lamp","messageSeqs":[1],"source":{"kind":"fallback"}}}`
)

// mode5 can stand in place of the tool result.
const mode5 = `{"type":"sandbox/mode","seq":5,"time":1790000001005,"data":{"mode":"read-only"}}`

// inTurn2 returns lamp and a second turn with one event, which has seq 15.
func inTurn2(event string) []byte {
	return and(start2, event, strings.Replace(end2, `"seq":15`, `"seq":16`, 1))
}

var (
	lampLog    = []byte(lamp)
	lampFrames = frames(string(upTo(1)), lamp[len(upTo(1)):])
	twoTurns   = and(start2, end2)
)

// more returns lamp with events behind it, in which "#" stands for the seq.
func more(events ...string) []byte {
	lines := make([]string, len(events))
	for i, event := range events {
		lines[i] = strings.Replace(event, "#", fmt.Sprint(14+i), 1)
	}
	return and(lines...)
}

// event returns an event for more.
func event(name, data string) string {
	return fmt.Sprintf(`{"type":"%s","seq":#,"time":1790000002000,"data":{%s}}`, name, data)
}

// message returns a user message for more.
func message(id, text string) string {
	return strings.TrimSuffix(event("user/message", fmt.Sprintf(`"id":"%s","role":"user","content":[{"type":"text","text":"%s"}],"source":{"kind":"user"}`, id, text)), "}") + `,"surfaceOp":"append"}`
}

// frames returns a zstd log whose frames hold the given texts.
func frames(texts ...string) []byte {
	var log []byte
	for _, text := range texts {
		log = append(log, frame(text, true)...)
	}
	return log
}

// frame returns a frame of one raw block. Its texts are short, so that they can
// be found in the file.
func frame(text string, checksum bool) []byte {
	const window8M = 0x68
	f := append([]byte("\x28\xB5\x2F\xFD"), 0, window8M)
	if checksum {
		f[4] = 0x04
	}
	f = append(f, byte(len(text)<<3|1), byte(len(text)>>5), byte(len(text)>>13))
	f = append(f, text...)
	if checksum {
		f = binary.LittleEndian.AppendUint32(f, uint32(xxhash.Sum64String(text)))
	}
	return f
}

// changed returns lampFrames with the byte at an offset from the start of the
// second frame changed.
func changed(at int, mask byte) []byte {
	log := bytes.Clone(lampFrames)
	log[len(frames(string(upTo(1))))+at] ^= mask
	return log
}

// Offsets in a frame of frame.
const (
	descriptorAt = 4
	windowAt     = 5
	blockAt      = 6
	textAt       = 9
)
