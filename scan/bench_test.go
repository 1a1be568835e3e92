package scan_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/turnlint/turnlint/internal/biglog"
	"github.com/turnlint/turnlint/scan"
)

// BenchmarkReader measures what comes before the rules, by shape of log, framing
// and processors: decoding, lines, JSON and the envelopes of events.
func BenchmarkReader(b *testing.B) {
	const size = 16 << 20
	for _, shape := range biglog.Shapes {
		for _, framing := range biglog.Framings {
			var log bytes.Buffer
			if err := (biglog.Log{Shape: shape, Framing: framing, Size: size, Seed: 1}).Write(&log); err != nil {
				b.Fatal(err)
			}
			for _, jobs := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/%s/jobs=%d", shape, framing, jobs), func(b *testing.B) {
					b.SetBytes(size)
					b.ReportAllocs()
					for b.Loop() {
						drain(b, log.Bytes(), scan.Options{Jobs: jobs})
					}
				})
			}
		}
	}
}

// BenchmarkModel adds what dsh makes of the records.
func BenchmarkModel(b *testing.B) {
	const size = 16 << 20
	var log bytes.Buffer
	if err := (biglog.Log{Shape: biglog.Mixed, Framing: biglog.Plain, Size: size, Seed: 1}).Write(&log); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		model := scan.NewModel(scan.ModelOptions{Bounded: true})
		r, err := scan.NewReader(bytes.NewReader(log.Bytes()), int64(log.Len()), scan.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for rec := range r.Records() {
			model.Add(rec)
		}
	}
}

func drain(b *testing.B, log []byte, opt scan.Options) {
	r, err := scan.NewReader(bytes.NewReader(log), int64(len(log)), opt)
	if err != nil {
		b.Fatal(err)
	}
	for range r.Records() {
	}
	if r.Err() != nil {
		b.Fatal(r.Err())
	}
}
