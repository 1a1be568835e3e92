package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

const (
	// bigText is the text of a log that does not fit into maxMemory, nor do the facts of
	// its events one by one.
	bigText   = 40 << 20 // bytes
	maxMemory = 32 << 20 // bytes that a process may have had at most
)

// writeBigLog writes turns of a message each, a frame for each of them if compressed,
// and half of an event at the end.
func writeBigLog(t *testing.T, path string, compressed bool) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	var enc *zstd.Encoder
	if compressed {
		if enc, err = zstd.NewWriter(out, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest)); err != nil {
			t.Fatal(err)
		}
	}
	batch := func(text string) int {
		if enc == nil {
			io.WriteString(out, text)
		} else {
			enc.Reset(out)
			io.WriteString(enc, text)
			enc.Close()
		}
		return len(text)
	}
	batch(`{"type":"session","version":0,"id":"s","createdAt":1783950000000,"cwd":"/work","delegationDepth":0}` + "\n")
	said := strings.Repeat("lorem ipsum ", 40)
	for turn, written := 1, 0; written < bigText; turn++ {
		seq := 3 * (turn - 1)
		written += batch(fmt.Sprintf(`{"type":"turn/start","seq":%d,"time":10,"data":{"turn":%d}}
{"type":"user/message","seq":%d,"time":20,"data":{"id":"u%d","role":"user","content":[{"type":"text","text":%q}],"source":{"kind":"user"}},"surfaceOp":"append"}
{"type":"turn/end","seq":%d,"time":30,"data":{"turn":%d,"reason":{"kind":"completed"}}}
`, seq, turn, seq+1, turn, said, seq+2, turn))
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	info, err := file.Stat()
	if err == nil {
		err = file.Truncate(info.Size() - 40)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// runMeasured runs a command and returns the most memory, in bytes, that it has had, a
// few milliseconds before its end. The kernel's own figure at the end counts what the
// process that started it had, too.
func runMeasured(t *testing.T, name string, args ...string) (code int, output []byte, most int64) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		cmd.Wait() // the exit code tells more than the error
		close(done)
	}()
	status := fmt.Sprintf("/proc/%d/status", cmd.Process.Pid)
	for {
		select {
		case <-done:
			if most == 0 {
				t.Fatalf("%s has no VmHWM", status)
			}
			return cmd.ProcessState.ExitCode(), out.Bytes(), most
		case <-time.After(5 * time.Millisecond):
		}
		text, _ := os.ReadFile(status) // it may have ended
		if _, rest, ok := bytes.Cut(text, []byte("VmHWM:")); ok {
			var kib int64
			if _, err := fmt.Sscan(string(rest), &kib); err != nil {
				t.Fatal(err)
			}
			most = kib << 10
		}
	}
}

func TestMemoryDoesNotGrowWithTheLog(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	binary := build(t)
	for _, name := range []string{"session.jsonl", "session.jsonl.zstd"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			log := filepath.Join(dir, name)
			writeBigLog(t, log, strings.HasSuffix(name, ".zstd"))
			steps := []struct {
				code int
				args []string
			}{
				{exitDamage, []string{"plan"}},
				{exitRepaired, []string{"apply", "--output", filepath.Join(dir, "out")}},
				{exitRepaired, []string{"apply", "--assume-stopped", "--state-dir", filepath.Join(dir, "state")}},
				{exitRepaired, []string{"undo", "--assume-stopped", "--state-dir", filepath.Join(dir, "state")}},
			}
			for _, step := range steps {
				code, out, most := runMeasured(t, binary, append(step.args, log)...)
				if code != step.code {
					t.Fatalf("%s: exit code %d, want %d\n%s", step.args, code, step.code, out)
				}
				t.Logf("%s: %d MiB", step.args[:1], most>>20)
				if most > maxMemory {
					t.Errorf("%s: %d MiB, want at most %d", step.args, most>>20, maxMemory>>20)
				}
			}
		})
	}
}
