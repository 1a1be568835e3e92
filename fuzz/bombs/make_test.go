//go:build unix

package bombs

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

const header = `{"type":"session","version":0,"id":"s","createdAt":1783950000000,"cwd":"/work","delegationDepth":0}` + "\n"

// plainLog writes a plain log with a header.
func plainLog(t *testing.T, dir string, write func(w io.Writer)) {
	t.Helper()
	writeLog(t, dir, "session.jsonl", func(w io.Writer) {
		io.WriteString(w, header)
		write(w)
	})
}

// zstdLog writes a compressed log with a header.
func zstdLog(t *testing.T, dir string, write func(w io.Writer)) {
	t.Helper()
	writeLog(t, dir, "session.jsonl.zstd", func(w io.Writer) {
		w.Write(frame(t, header))
		write(w)
	})
}

func writeLog(t *testing.T, dir, name string, write func(w io.Writer)) {
	t.Helper()
	file, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(file, 1<<20)
	write(w)
	if err := w.Flush(); err != nil { // which has the error of every write before
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

func frame(t *testing.T, text string) []byte {
	t.Helper()
	e, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(true))
	if err != nil {
		t.Fatal(err)
	}
	return e.EncodeAll([]byte(text), nil)
}

// Blocks of a frame by hand (RFC 8878 §3.1.1).
const (
	frameStart = "\x28\xB5\x2F\xFD\x00\x38" // no checksum, a window of 128 KiB
	lastBlock  = "\x01\x00\x00"             // raw, empty
	maxBlock   = 128 << 10
)

// hugeFrame writes a frame that decodes to the given number of blanks: four bytes
// stand for 128 KiB of them.
func hugeFrame(w io.Writer, size int64) {
	io.WriteString(w, frameStart)
	h := maxBlock<<3 | 1<<1
	for ; size > 0; size -= maxBlock {
		w.Write([]byte{byte(h), byte(h >> 8), byte(h >> 16), ' '})
	}
	io.WriteString(w, lastBlock)
}

func emptyFrames(w io.Writer, n int) {
	for range n {
		io.WriteString(w, frameStart+lastBlock)
	}
}

// nested is an event with data that many levels deep.
func nested(w io.Writer, depth int) {
	fmt.Fprintf(w, `{"type":"turn/start","seq":0,"time":1,"data":{"turn":1,"x":%s%s}}`+"\n", strings.Repeat("[", depth), strings.Repeat("]", depth))
}

// replacements is n messages, each of which is then replaced.
func replacements(w io.Writer, n int) {
	message := func(seq int, rest string) {
		fmt.Fprintf(w, `{"type":"user/message","seq":%d,"time":2,"data":{"id":"u%d","role":"user","content":[],"source":{"kind":"user"}},%s}`+"\n", seq, seq, rest)
	}
	fmt.Fprintln(w, `{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}`)
	for i := range n {
		message(i+1, `"surfaceOp":"append"`)
	}
	for i := range n { // the last one first
		at := n - i
		message(n+i+1, fmt.Sprintf(`"surfaceOp":{"op":"replace","start":%d,"end":%d},"sourceEventSeqs":[%d]`, at, at, at))
	}
}

// calls is a step with n calls, of which the last one is answered first.
func calls(w io.Writer, n int) {
	const at = `"turn":1,"step":1`
	fmt.Fprintln(w, `{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}`)
	fmt.Fprintln(w, `{"type":"step/start","seq":1,"time":1,"data":{"turn":1,"step":1}}`)
	fmt.Fprintf(w, `{"type":"assistant/message","seq":2,"time":1,"data":{%s,"message":{"id":"a","role":"assistant","content":[{"type":"text","text":""}`, at)
	for i := range n {
		fmt.Fprintf(w, `,{"type":"tool-call","id":"c%d","name":"ls","arguments":{}}`, i)
	}
	fmt.Fprintln(w, `],"source":{"kind":"model","provider":"p","model":"m"}}},"surfaceOp":"append"}`)
	seq := 3
	for i := n - 1; i >= 0; i-- {
		fmt.Fprintf(w, `{"type":"tool/call","seq":%d,"time":1,"data":{%s,"callId":"c%d","name":"ls","arguments":{}}}`+"\n", seq, at, i)
		fmt.Fprintf(w, `{"type":"tool/result","seq":%d,"time":1,"data":{%s,"message":{"id":"r%d","role":"user","source":{"kind":"tool","callId":"c%d"},"content":[{"type":"tool-result","toolCallId":"c%d","content":[]}]}},"surfaceOp":"append"}`+"\n", seq+1, at, i, i, i)
		seq += 2
	}
	fmt.Fprintf(w, `{"type":"step/end","seq":%d,"time":1,"data":{%s}}`+"\n", seq, at)
	fmt.Fprintf(w, `{"type":"turn/end","seq":%d,"time":1,"data":{"turn":1,"reason":{"kind":"completed"}}}`+"\n", seq+1)
}

// junkLines is n lines that are no JSON, and a turn/end that makes dsh refuse them.
func junkLines(w io.Writer, n int) {
	for range n {
		io.WriteString(w, "{\n")
	}
	fmt.Fprintln(w, `{"type":"turn/end","seq":0,"time":1,"data":{"turn":1,"reason":{"kind":"completed"}}}`)
}

// forks is n times the same seq, each time with other data.
func forks(w io.Writer, n int) {
	for i := range n {
		fmt.Fprintf(w, `{"type":"user/message","seq":%d,"time":2,"data":{"id":"u%d","role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":"append"}`+"\n", i%3, i)
	}
}

// sessions makes n session directories with a small log each.
func sessions(t *testing.T, dir string, n int) {
	t.Helper()
	for i := range n {
		session := filepath.Join(dir, "sessions", "--work--", fmt.Sprintf("s%d", i))
		if err := os.MkdirAll(session, 0o700); err != nil {
			t.Fatal(err)
		}
		log := strings.Replace(header, `"id":"s"`, fmt.Sprintf(`"id":"s%d"`, i), 1)
		if err := os.WriteFile(filepath.Join(session, "session.jsonl"), []byte(log), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
