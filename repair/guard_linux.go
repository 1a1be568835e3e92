package repair

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// openElsewhere looks for another process that has the file open, among those
// whose descriptors the user may see.
func openElsewhere(file fs.FileInfo) (pid int, open bool) {
	descriptors, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return 0, false
	}
	for _, name := range descriptors {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(name))))
		if err != nil || pid == os.Getpid() {
			continue
		}
		if other, err := os.Stat(name); err == nil && os.SameFile(file, other) {
			return pid, true
		}
	}
	return 0, false
}
