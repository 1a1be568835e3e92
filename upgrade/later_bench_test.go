package upgrade

import (
	"bytes"
	"fmt"
	"testing"
)

// longLog returns a log of v2 with a number of turns, each with a stream of chunks.
func longLog(turns int) []byte {
	var log bytes.Buffer
	log.WriteString(`{"type":"session","version":2,"id":"s","createdAt":1,"isSeeded":false,"delegationDepth":0}` + "\n")
	seq := 0
	put := func(typ, data, more string) {
		fmt.Fprintf(&log, `{"type":%q,"seq":%d,"time":1,"data":%s%s}`+"\n", typ, seq, data, more)
		seq++
	}
	var stream bytes.Buffer
	for i := range 200 {
		fmt.Fprintf(&stream, `,{"type":"chunk","time":%d,"chunk":{"type":"text-delta","index":0,"text":"some words and more of them"}}`, i)
	}
	for turn := 1; turn <= turns; turn++ {
		put("turn/start", fmt.Sprintf(`{"turn":%d}`, turn), "")
		put("step/start", fmt.Sprintf(`{"turn":%d,"step":1}`, turn), "")
		put("user/message", fmt.Sprintf(`{"id":"u%d","role":"user","content":[{"type":"text","text":"hi"}],"source":{"kind":"user"}}`, turn), `,"surfaceOp":"append"`)
		put("request/header", fmt.Sprintf(`{"header":{"config":{"provider":"p","model":"m"},"system":"prompt %d"},"reason":"initial"}`, turn/10), "")
		put("assistant/message", fmt.Sprintf(`{"turn":%d,"step":1,"message":{"id":"a%d","role":"assistant","content":[{"type":"text","text":"ok"}],`+
			`"source":{"kind":"model","provider":"p","model":"m"}},"stream":[%s]}`, turn, turn, stream.Bytes()[1:]), `,"surfaceOp":"append"`)
		put("step/end", fmt.Sprintf(`{"turn":%d,"step":1}`, turn), "")
		put("turn/end", fmt.Sprintf(`{"turn":%d,"reason":{"kind":"completed"}}`, turn), "")
	}
	return log.Bytes()
}

func BenchmarkMigrationFromV2ToV4(b *testing.B) {
	log := longLog(200)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		got, err := Run(bytes.NewReader(log), int64(len(log)), 2, 4, Options{})
		if err != nil || got.Refusal() != nil {
			b.Fatal(err, got.Refusal())
		}
	}
}
