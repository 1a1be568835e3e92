package scan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// story tells what a Reader gave, in order: records, and ends of frames.
func story(t *testing.T, data []byte, opt Options, records func(*Reader) func(func(*Record) bool)) string {
	t.Helper()
	var b strings.Builder
	opt.Frame = func(f FrameInfo) { fmt.Fprintf(&b, "frame %d of %d bytes, error %v\n", f.Number, f.PlainLen, f.Err) }
	r, err := NewReader(bytes.NewReader(data), int64(len(data)), opt)
	if err != nil {
		t.Fatal(err)
	}
	for rec := range records(r) {
		fmt.Fprintf(&b, "%+v kind %d last frame %d torn %v gap %v: %s\n", rec.Place, rec.Kind, rec.LastFrame, rec.Torn, rec.AfterGap, rec.Text)
	}
	container, err := json.Marshal(r.Container())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "error %v, container %s", r.Err(), container)
	return b.String()
}

func corpusLogs(t *testing.T) map[string][]byte {
	t.Helper()
	logs := make(map[string][]byte)
	err := filepath.WalkDir(filepath.FromSlash("../testdata/corpus"), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, ".json") {
			return err
		}
		logs[filepath.Base(name)], err = os.ReadFile(name)
		return err
	})
	if err != nil || len(logs) == 0 {
		t.Fatalf("%d logs, error %v", len(logs), err)
	}
	return logs
}

func TestBatchesOfAnySizeGiveTheSameRecords(t *testing.T) {
	inTurn := func(r *Reader) func(func(*Record) bool) { return r.Records() }
	for name, data := range corpusLogs(t) {
		for _, opt := range []Options{{}, {MaxLine: 150}, {Salvage: true}} {
			want := story(t, data, opt, inTurn)
			for _, size := range []struct{ text, lines int }{{1, 1}, {100, 7}, {batchText, 2}, {batchText, batchLines}} {
				opt.Jobs = 3
				got := story(t, data, opt, func(r *Reader) func(func(*Record) bool) {
					p := newRelay(r)
					p.maxText, p.maxLines = size.text, size.lines
					return p.records
				})
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%s, options %+v, batches of %+v (-want +got):\n%s", name, opt, size, diff)
				}
			}
		}
	}
}

// manyLines is a log of so many short lines behind its header.
func manyLines(n int) []byte {
	return []byte(`{"type":"session"}` + "\n" + strings.Repeat(`{"type":"turn/start","seq":0}`+"\n", n))
}

// manyFrames is the same in frames of a few lines.
func manyFrames(n int) []byte {
	data := join(storedFrame(`{"type":"session"}` + "\n"))
	lines := storedFrame(strings.Repeat(`{"type":"turn/start","seq":0}`+"\n", 10))
	for range n / 10 {
		data = append(data, lines...)
	}
	return data
}

func TestWhoStopsReadingLeavesNothingRunning(t *testing.T) {
	for name, data := range map[string][]byte{"lines": manyLines(100_000), "frames": manyFrames(100_000)} {
		for how, stop := range map[string]func() bool{
			"by leaving the loop": func() bool { return true },
			"by a panic":          func() bool { panic("enough") },
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				before := runtime.NumGoroutine()
				readSome(t, data, stop)
				for wait := 0; runtime.NumGoroutine() > before; wait++ {
					if wait == 1000 {
						t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
					}
					time.Sleep(time.Millisecond) // the last ones are about to end
				}
			})
		}
	}
}

// readSome reads until stop says so, and recovers from its panic.
func readSome(t *testing.T, data []byte, stop func() bool) {
	t.Helper()
	defer func() { _ = recover() }()
	r, err := NewReader(bytes.NewReader(data), int64(len(data)), Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	for rec := range r.Records() {
		if rec.Line == 1000 && stop() {
			return
		}
		if rec.Line > 1000 {
			t.Fatal("a record came behind the stop")
		}
	}
}

// failingReader fails behind some bytes.
type failingReader struct {
	*bytes.Reader
	good int64
}

var errDisk = errors.New("disk on fire")

func (f failingReader) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.good {
		return 0, errDisk
	}
	return f.Reader.ReadAt(p, off)
}

func TestAnErrorOfTheFileEndsTheRecordsOnSeveralProcessors(t *testing.T) {
	data := manyLines(100_000)
	r, err := NewReader(failingReader{bytes.NewReader(data), 1 << 20}, int64(len(data)), Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	records := 0
	for range r.Records() {
		records++
	}
	if r.Err() != errDisk || records == 0 || records > 100_000 {
		t.Errorf("error %v after %d records", r.Err(), records)
	}
}

func TestLongLinesPassAlone(t *testing.T) {
	long := `{"type":"user/message","seq":1,"data":"` + strings.Repeat("a", 3*batchText) + `"}` + "\n"
	data := append(manyLines(300), strings.Repeat(long+`{"seq":2}`+"\n", 5)...)
	inTurn := func(r *Reader) func(func(*Record) bool) { return r.Records() }
	want := story(t, data, Options{}, inTurn)
	if got := story(t, data, Options{Jobs: 2}, inTurn); got != want {
		t.Error("the records differ")
	}
}
