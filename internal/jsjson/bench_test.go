package jsjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// benchLines are lines as a session log has them: a streamed delta, a message
// with prose, and a tool result with many escapes and characters beyond ASCII.
var benchLines = []struct {
	name string
	line string
}{
	{"delta", `{"type":"assistant/chunk","seq":120431,"time":1785830400123,"data":{"turn":12,"step":3,"chunk":{"type":"text-delta","index":0,"text":" the reader keeps"}}}`},
	{"row", `{"type":"text-chunks","seq0":120431,"time0":1785830400123,"data":{"turn":12,"step":3,"index":0,"dt":[` +
		strings.Repeat("25,7,", 9) + `31],"texts":[` + strings.Repeat(`" the"," reader keeps",`, 9) + `"."," "]}}`},
	{"message", `{"type":"user/message","seq":5,"time":1785830400123,"surfaceOp":"append","sourceEventSeqs":[3,4],"data":{"turn":1,"message":{"id":"m-0190c2","role":"user","source":{"kind":"user"},"content":[{"type":"text","text":"` +
		strings.Repeat("Look at the scanner and tell why the second frame is not read. ", 18) + `"}]}}}`},
	{"result", `{"type":"tool/result","seq":77,"time":1785830400123,"surfaceOp":"append","data":{"turn":1,"step":2,"message":{"id":"m-1","role":"user","source":{"kind":"tool","callId":"c-1"},"content":[{"type":"tool-result","toolCallId":"c-1","content":[{"type":"text","text":"` +
		strings.Repeat(`func next(b []byte) (byte, int) {\n\tif len(b) > 0 && b[0] != '\"' {\n\t\treturn b[0], 1 // naïve — 走る\n\t}\n}\n`, 28) + `"}]}]}}}`},
}

func BenchmarkValid(b *testing.B) {
	var doc jsjson.Doc
	alike := jsjson.Doc{Skeletons: jsjson.NewSkeletons("type", "kind", "role")}
	readers := []struct {
		name  string
		valid func(text []byte) bool
	}{
		{"doc", func(text []byte) bool { return doc.Parse(text) == nil }},
		{"alike", func(text []byte) bool { return alike.Parse(text) == nil }},
		{"gjson", gjson.ValidBytes},
		{"encoding-json", json.Valid},
	}
	for _, l := range benchLines {
		for _, r := range readers {
			b.Run(l.name+"/"+r.name, func(b *testing.B) {
				text := []byte(l.line)
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if !r.valid(text) {
						b.Fatal("line is not JSON")
					}
				}
			})
		}
	}
}
