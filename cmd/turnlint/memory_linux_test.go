package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/turnlint/turnlint/internal/biglog"
	"github.com/turnlint/turnlint/internal/peak"
	"github.com/turnlint/turnlint/internal/ratio"
	"github.com/turnlint/turnlint/internal/soak"
)

// A log of 40 MiB does not fit into the memory. Where measurements are asked for, it has
// a gigabyte, and ten in the long tests.
func TestMemoryDoesNotGrowWithTheLog(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	const limit = 32 << 20
	size := int64(40 << 20)
	switch {
	case soak.On():
		size = 10 << 30
	case ratio.Asked():
		size = 1 << 30
	}
	binary := filepath.Join(t.TempDir(), "turnlint")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, framing := range biglog.Framings {
		t.Run(string(framing), func(t *testing.T) {
			var out bytes.Buffer
			cmd := exec.Command(binary, "-")
			cmd.Stdout, cmd.Stderr = &out, &out
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			written := make(chan error, 1)
			go func() {
				err := biglog.Log{Shape: biglog.Mixed, Framing: framing, Size: size, Seed: 1}.Write(stdin)
				written <- err
				stdin.Close()
			}()
			most, err := peak.Memory(cmd)
			if err != nil {
				t.Fatal(err)
			}
			if err := <-written; err != nil || cmd.ProcessState.ExitCode() != exitClean {
				t.Fatalf("exit code %d, want %d; error %v\n%s", cmd.ProcessState.ExitCode(), exitClean, err, out.Bytes())
			}
			t.Logf("%d MiB of memory for %d MiB of text", most>>20, size>>20)
			if most > limit {
				t.Errorf("%d MiB of memory, want at most %d", most>>20, limit>>20)
			}
		})
	}
}
