package rules_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/turnlint/turnlint/internal/biglog"
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

// BenchmarkCheck measures the whole pipeline by shape of log, framing and processors.
func BenchmarkCheck(b *testing.B) {
	for _, shape := range biglog.Shapes {
		for _, framing := range biglog.Framings {
			for _, jobs := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/%s/jobs=%d", shape, framing, jobs), func(b *testing.B) {
					work := linting(b, bigLog(b, shape, framing, speedSize), jobs)
					b.SetBytes(speedSize)
					b.ReportAllocs()
					for b.Loop() {
						work()
					}
				})
			}
		}
	}
}
