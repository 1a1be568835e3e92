package store

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Locks are the files that processes of this system have locked.
type Locks map[string]bool // by device and inode, as the kernel writes them

// ReadLocks asks the kernel for the locks that are held. Trying to lock would
// tell the same, but keep dsh from locking meanwhile.
func ReadLocks() Locks {
	locks := make(Locks)
	file, err := os.Open("/proc/locks")
	if err != nil {
		return locks
	}
	defer file.Close()
	// 1: FLOCK  ADVISORY  WRITE 1234 fe:00:9978270 0 EOF
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 5 && words[1] == "FLOCK" {
			locks[words[5]] = true
		}
	}
	return locks
}

// Held reports whether a process held a lock of the file when the locks were
// read.
func (l Locks) Held(path string) bool {
	var stat unix.Stat_t
	if len(l) == 0 || unix.Stat(path, &stat) != nil {
		return false
	}
	return l[fmt.Sprintf("%02x:%02x:%d", unix.Major(stat.Dev), unix.Minor(stat.Dev), stat.Ino)]
}
