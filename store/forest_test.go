package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/session"
)

// forest is a sessions directory of many sessions.
type forest struct {
	sessions int
	mixture  [][]int64 // the generations in the session directories, in turn
	events   int       // of each log
	zstd     bool
}

// mixture is what a store looks like after some upgrades.
var mixture = [][]int64{{0}, {0, 4}, {2}, {0, 3, 4}, {4}}

// batch is the events of one append of dsh.
const batch = 3

// plant makes the sessions directory. The logs differ in their headers only,
// because compressing is slow.
func (f *forest) plant(tb testing.TB) (dir string) {
	tb.Helper()
	dir = tb.TempDir()
	body := f.body(tb)
	for i := range f.sessions {
		cwd, id := fmt.Sprintf("/home/ada/p%d", i%20), fmt.Sprintf("s%05d", i)
		at := filepath.Join(dir, fmt.Sprintf("--home-ada-p%d--", i%20), id)
		if err := os.MkdirAll(at, 0o700); err != nil {
			tb.Fatal(err)
		}
		for _, generation := range f.mixture[i%len(f.mixture)] {
			log := append(f.part(tb, laterHeader(generation, id, cwd)), body...)
			name := session.LogName{Generation: generation, Zstd: f.zstd}
			if err := os.WriteFile(filepath.Join(at, name.String()), log, 0o600); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return dir
}

// laterHeader returns the header line of any generation.
func laterHeader(generation int64, id, cwd string) string {
	seeded := ""
	if generation > 1 {
		seeded = `"isSeeded":false,`
	}
	return fmt.Sprintf(`{"type":"session","version":%d,"id":%q,"createdAt":1790000000000,"cwd":%q,%s"delegationDepth":0}`+"\n",
		generation, id, cwd, seeded)
}

// body returns the events of a log: short turns, in batches.
func (f *forest) body(tb testing.TB) (body []byte) {
	var text strings.Builder
	for seq := range f.events {
		kind, data := "turn/start", ""
		if seq%2 == 1 {
			kind, data = "turn/end", `,"reason":{"kind":"completed"}`
		}
		fmt.Fprintf(&text, `{"type":%q,"seq":%d,"time":%d,"data":{"turn":%d%s}}`+"\n", kind, seq, 1790000000000+int64(seq), seq/2+1, data)
		if seq%batch == batch-1 || seq == f.events-1 {
			body = append(body, f.part(tb, text.String())...)
			text.Reset()
		}
	}
	return body
}

// part returns text as it lies in a log: a frame of its own in a zstd log.
func (f *forest) part(tb testing.TB, text string) []byte {
	if !f.zstd {
		return []byte(text)
	}
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1), zstd.WithSingleSegment(false))
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}
