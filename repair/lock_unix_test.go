//go:build unix

package repair

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestALockThatItsHolderRemovesKeepsOthersOut has several holders who remove the lock
// file when they end, as some do: whoever waits for it then has the lock of a file that
// has no name any more, and must not go on with it.
func TestALockThatItsHolderRemovesKeepsOthersOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session.lock")
	var inside, held atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for held.Load() < 300 {
				f, err := lockFile(path, os.O_RDWR|os.O_CREATE)
				if err != nil {
					if !errors.Is(err, ErrInUse) {
						t.Error(err)
					}
					continue
				}
				held.Add(1)
				if n := inside.Add(1); n > 1 {
					t.Errorf("%d hold the lock", n)
				}
				time.Sleep(20 * time.Microsecond)
				inside.Add(-1)
				if err := errors.Join(os.Remove(path), f.Close()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
