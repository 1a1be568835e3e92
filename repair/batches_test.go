package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/scan"
)

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

// with returns the log with another text for one line.
func (b batches) with(i, j int, line string) batches {
	b = b.clone()
	b[i][j] = line
	return b
}

// find returns the batch and the index in it of the k-th line that has the given
// text in it, modulo their number.
func (b batches) find(k int, text string) (batch, line int) {
	var all [][2]int
	for i := range b {
		for j := range b[i] {
			if strings.Contains(b[i][j], text) {
				all = append(all, [2]int{i, j})
			}
		}
	}
	if len(all) == 0 {
		return 0, 0
	}
	found := all[k%len(all)]
	return found[0], found[1]
}

// repeatChunks writes the members [from, to) of a packed row again, as events: behind
// its batch, or at the end.
func (b batches) repeatChunks(k, from, to int, atEnd bool) batches {
	i, j := b.find(k, `"type":"text-chunks"`)
	var r scan.Record
	if r.Reparse([]byte(b[i][j])); r.Kind != scan.Row {
		return b // it is spoilt already
	}
	var lines []string
	n := 0
	for text := range r.Row.Events() {
		if n >= from && n < to {
			lines = append(lines, string(text))
		}
		n++
	}
	if atEnd {
		i = len(b) - 1
	}
	return insertBatch(b, i+1, lines)
}

func (b batches) clone() batches {
	c := make(batches, len(b))
	for i := range b {
		c[i] = slices.Clone(b[i])
	}
	return c
}

func insertBatch(b batches, i int, lines []string) batches {
	return append(append(b.clone()[:i:i], lines), b[i:]...)
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
		if lines == nil {
			continue
		}
		text := strings.ReplaceAll(strings.Join(lines, "\n")+"\n", "\x01\n", "")
		if compressed {
			out = enc.EncodeAll([]byte(text), out)
		} else {
			out = append(out, text...)
		}
	}
	return out
}
