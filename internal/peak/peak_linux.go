// Package peak measures the memory of programs.
package peak

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Memory runs a command to its end and returns the most memory, in bytes, that it had
// in physical pages up to a few milliseconds before. The figure that the kernel gives
// at the end counts what the process that started it had, too. An exit code other than
// 0 is no error; cmd.ProcessState has it.
func Memory(cmd *exec.Cmd) (most int64, err error) {
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	status := fmt.Sprintf("/proc/%d/status", cmd.Process.Pid)
	for {
		select {
		case err := <-done:
			if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
				return 0, err
			}
			if most == 0 {
				return 0, fmt.Errorf("%s has no VmHWM", status)
			}
			return most, nil
		case <-time.After(5 * time.Millisecond):
		}
		text, _ := os.ReadFile(status) // it may have ended
		if _, rest, ok := bytes.Cut(text, []byte("VmHWM:")); ok {
			var kib int64
			if _, err := fmt.Sscan(string(rest), &kib); err == nil {
				most = kib << 10
			}
		}
	}
}
