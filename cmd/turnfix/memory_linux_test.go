package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/turnlint/turnlint/internal/biglog"
	"github.com/turnlint/turnlint/internal/peak"
	"github.com/turnlint/turnlint/internal/ratio"
)

// writeTornLog writes a log with so many bytes of text that ends in the middle of an event.
func writeTornLog(t *testing.T, path string, framing biglog.Framing, size int64) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := (biglog.Log{Shape: biglog.Mixed, Framing: framing, Size: size, Seed: 1}).Write(file); err != nil {
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

// A log of 40 MiB does not fit into 32, nor do the facts of its events one by one. One
// of a gigabyte, where measurements are asked for, has to be repaired in 64.
func TestMemoryDoesNotGrowWithTheLog(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	size, limit := int64(40<<20), int64(32<<20)
	if ratio.Asked() {
		size, limit = 1<<30, 64<<20
	}
	binary := build(t)
	for _, framing := range biglog.Framings {
		t.Run(string(framing), func(t *testing.T) {
			dir := t.TempDir()
			log, state := filepath.Join(dir, "session.jsonl"), filepath.Join(dir, "state")
			if framing != biglog.Plain {
				log += ".zstd"
			}
			writeTornLog(t, log, framing, size)
			for _, step := range []struct {
				code int
				args []string
			}{
				{exitDamage, []string{"plan"}},
				{exitRepaired, []string{"apply", "--output", filepath.Join(dir, "out")}},
				{exitRepaired, []string{"apply", "--assume-stopped", "--state-dir", state}},
				{exitRepaired, []string{"undo", "--assume-stopped", "--state-dir", state}},
			} {
				if ratio.Asked() && len(step.args) < 4 {
					continue // these are parts of those
				}
				var out bytes.Buffer
				cmd := exec.Command(binary, append(step.args, log)...)
				cmd.Stdout, cmd.Stderr = &out, &out
				most, err := peak.Memory(cmd)
				if err != nil {
					t.Fatal(err)
				}
				if code := cmd.ProcessState.ExitCode(); code != step.code {
					t.Fatalf("%s: exit code %d, want %d\n%s", step.args, code, step.code, out.Bytes())
				}
				t.Logf("%s: %d MiB of memory for %d MiB of text", step.args[0], most>>20, size>>20)
				if most > limit {
					t.Errorf("%s: %d MiB, want at most %d", step.args, most>>20, limit>>20)
				}
			}
		})
	}
}
