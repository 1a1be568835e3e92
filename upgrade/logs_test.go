package upgrade

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
)

// header0 is the header of the logs of v0 that the tests write.
const header0 = `{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}`

// oldLog numbers rows as a writer of v0 does: a row begins behind its "type" and
// "seq", as in `turn/start","time":1,"data":{}`.
func oldLog(header string, rows ...string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for seq, row := range rows {
		typ, rest, _ := strings.Cut(row, `"`)
		fmt.Fprintf(&b, "{\"type\":\"%s\",\"seq\":%d%s}\n", typ, seq, rest)
	}
	return b.String()
}

// eventRow returns a row for oldLog with a time and a payload.
func eventRow(typ, data string) string { return typ + `","time":10,"data":` + data }

// chunkRow returns the row of a chunk in turn 1, step 1.
func chunkRow(chunk string) string {
	return eventRow("assistant/chunk", `{"turn":1,"step":1,"chunk":`+chunk+`}`)
}

func textDelta(text string) string {
	return chunkRow(`{"type":"text-delta","index":0,"text":"` + text + `"}`)
}

// answer returns the row of an assistant message that cites the given seqs; no
// list when they are "".
func answer(sources string) string {
	row := eventRow("assistant/message", `{"turn":1,"step":1,"message":{"role":"assistant","content":[],`+
		`"source":{"kind":"model","provider":"p","model":"m"},"id":"a"}}`) + `,"surfaceOp":"append"`
	if sources != "" {
		row += `,"sourceEventSeqs":` + sources
	}
	return row
}

var (
	turnStart = eventRow("turn/start", `{"turn":1}`)
	turnEnd   = eventRow("turn/end", `{"turn":1,"reason":{"kind":"completed"}}`)
	stepStart = eventRow("step/start", `{"turn":1,"step":1}`)
	stepEnd   = eventRow("step/end", `{"turn":1,"step":1}`)
	todo      = eventRow("todo/write", `{"todos":[]}`)
)

// predict predicts the migration of a plain log.
func predict(t *testing.T, log string, from, to int, opt Options) *Result {
	t.Helper()
	opt.Encoding = scan.Plain
	got, err := Run(strings.NewReader(log), int64(len(log)), from, to, opt)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// texts returns what all refusals of a result say.
func texts(r *Result) []string {
	var texts []string
	for _, refusal := range r.Refusals {
		texts = append(texts, refusal.Text)
	}
	return texts
}

// carry sends the rows of a log through one edge and returns the lines of the
// events that come out.
func carry(t *testing.T, from int, log string) (lines []string, err error) {
	t.Helper()
	header, rows, _ := strings.Cut(log, "\n")
	var doc jsjson.Doc
	if err := doc.Parse([]byte(header)); err != nil {
		t.Fatal(err)
	}
	fields := ObjectOf(doc.Root)
	h := &Header{ID: fields.Get("id").Text(), Parent: fields.Has("parentSession"), Cut: noCut, Fields: fields}
	if cut, ok := count(fields.Get("seedLength")); ok {
		h.Cut, h.Seeded = cut, true
	}
	edge := edges[from](h, &Options{}, func(e Event) error {
		lines = append(lines, string(e.AppendText(nil)))
		return nil
	})
	decoder := newRowDecoder(h, true, edge.Event)
	for i, row := range bytes.Split(bytes.TrimSpace([]byte(rows)), []byte("\n")) {
		var doc jsjson.Doc
		if len(row) == 0 {
			continue
		}
		if err := doc.Parse(row); err != nil {
			t.Fatal(err)
		}
		if err := decoder.row(i, doc.Root); err != nil {
			return lines, err
		}
	}
	cut, err := decoder.finish()
	if err != nil {
		return lines, err
	}
	_, err = edge.Finish(cut)
	return lines, err
}
