package rules_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/turnlint/turnlint/rules"
)

// manyTurns returns a sound log of n turns with three events each.
func manyTurns(n int) []byte {
	var b bytes.Buffer
	b.Write(upTo(1))
	for i := range n {
		fmt.Fprintf(&b, `{"type":"turn/start","seq":%d,"time":179%010[1]d,"data":{"turn":%[2]d}}`+"\n", 3*i, i+1)
		fmt.Fprintf(&b, `{"type":"user/message","seq":%d,"time":179%010[1]d,"data":{"id":"m%[1]d","role":"user","content":[{"type":"text","text":"Is the lamp on?"}],"source":{"kind":"user"}},"surfaceOp":"append"}`+"\n", 3*i+1)
		fmt.Fprintf(&b, `{"type":"turn/end","seq":%d,"time":179%010[1]d,"data":{"turn":%[2]d,"reason":{"kind":"completed"}}}`+"\n", 3*i+2, i+1)
	}
	return b.Bytes()
}

func BenchmarkCheck(b *testing.B) {
	log := manyTurns(10_000)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rules.Check(bytes.NewReader(log), int64(len(log)), rules.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
