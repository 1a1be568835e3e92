package upgrade

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// oldTurns returns a log of v0 with a number of turns, each with a packed row of
// chunks that its message cites.
func oldTurns(turns int) []byte {
	var log bytes.Buffer
	log.WriteString(header0 + "\n")
	seq := 0
	put := func(typ, rest string) {
		fmt.Fprintf(&log, `{"type":%q,"seq":%d,"time":1,"data":%s}`+"\n", typ, seq, rest)
		seq++
	}
	const chunks = 300
	for turn := 1; turn <= turns; turn++ {
		put("turn/start", fmt.Sprintf(`{"turn":%d}`, turn))
		put("step/start", fmt.Sprintf(`{"turn":%d,"step":1}`, turn))
		fmt.Fprintf(&log, `{"type":"text-chunks","seq0":%d,"time0":1,"data":{"turn":%d,"step":1,"index":0,"dt":[%s],"texts":[%s]}}`+"\n",
			seq, turn, strings.Repeat("1,", chunks-2)+"1", strings.Repeat(`"some words ",`, chunks-1)+`""`)
		seq += chunks
		put("assistant/message", fmt.Sprintf(`{"turn":%d,"step":1,"message":{"role":"assistant","content":[],`+
			`"source":{"kind":"model","provider":"p","model":"m"},"id":"a"}},"surfaceOp":"append","sourceEventSeqs":[[%d,%d]]`,
			turn, seq-chunks, seq-1))
		put("step/end", fmt.Sprintf(`{"turn":%d,"step":1}`, turn))
		put("turn/end", fmt.Sprintf(`{"turn":%d,"reason":{"kind":"completed"}}`, turn))
	}
	return log.Bytes()
}

func BenchmarkMigrationFromV0ToV2(b *testing.B) {
	log := oldTurns(200)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		got, err := Run(bytes.NewReader(log), int64(len(log)), 0, 2, Options{})
		if err != nil || got.Refusal() != nil {
			b.Fatal(err, got.Refusal())
		}
	}
}
