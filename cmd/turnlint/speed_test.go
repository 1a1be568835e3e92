package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/internal/biglog"
	"github.com/turnlint/turnlint/internal/ratio"
)

// A store of the size of a real one has 2,500 logs; the gate looks at a part of it.
const (
	storeLogs    = 100
	storeLogText = 1 << 20 // bytes; in frames as dsh writes them, 0.44 MB
)

// decodeAll is the least that a check of a store can do: two workers decode its logs.
func decodeAll(t *testing.T, logs []string) {
	names := make(chan string, len(logs))
	for _, log := range logs {
		names <- log
	}
	close(names)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(false))
			if err != nil {
				t.Error(err)
				return
			}
			defer dec.Close()
			for name := range names {
				log, err := os.ReadFile(name)
				if err == nil {
					err = dec.Reset(bytes.NewReader(log))
				}
				if err == nil {
					_, err = io.Copy(io.Discard, dec.IOReadCloser())
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	workers.Wait()
}

func TestSpeedOfAStore(t *testing.T) {
	if !ratio.Asked() {
		t.Skip("set " + ratio.Variable + "=1 to measure")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	if spare := ratio.Processors(2); spare < 1.7 {
		t.Skipf("other work leaves %.1f of 2 processors", spare)
	}
	dir := t.TempDir()
	var logs []string
	for i := range storeLogs {
		var log bytes.Buffer
		if err := (biglog.Log{Shape: biglog.Mixed, Framing: biglog.Batches, Size: storeLogText, Seed: uint64(i)}).Write(&log); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, fmt.Sprintf("%d", i), "session.jsonl.zstd")
		writeFile(t, name, log.Bytes())
		logs = append(logs, name)
	}
	times := ratio.Medians(ratio.Wall, 5, func() { decodeAll(t, logs) }, func() {
		if code, _, stderr := run(t, "check", "-q", "--no-config", dir); code != exitClean {
			t.Errorf("exit code %d, want %d\n%s", code, exitClean, stderr)
		}
	})
	const limit, goal = 2.5, 1.4
	got := float64(times[1]) / float64(times[0])
	t.Logf("%d logs take %.2f times what decoding alone takes, %v against %v; at most %.2f, goal %.2f", storeLogs, got, times[1], times[0], limit, goal)
	if got > limit {
		t.Errorf("%.2f times, want at most %.2f", got, limit)
	}
}
