//go:build darwin || freebsd || linux

package diskroom

import (
	"math"
	"math/bits"

	"golang.org/x/sys/unix"
)

func free(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	// Types and signs of the members differ between systems; a reserve that is
	// used up makes Bavail negative on some.
	blocks := max(int64(s.Bavail), 0)
	over, free := bits.Mul64(uint64(blocks), uint64(s.Bsize))
	if over > 0 || free > math.MaxInt64 {
		return math.MaxInt64, nil
	}
	return int64(free), nil
}
