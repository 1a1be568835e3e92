//go:build unix

package ratio

import (
	"syscall"
	"time"
)

// CPU is the processor time of the process, system calls included. Other
// processes on the machine hardly move it.
func CPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return Wall()
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
