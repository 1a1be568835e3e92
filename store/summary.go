package store

import (
	"iter"
	"os"
	"path/filepath"
	"runtime"

	"github.com/turnlint/turnlint/internal/inorder"
	"github.com/turnlint/turnlint/scan"
)

// Summary is what the names, the header and the last events of a session's logs
// tell of it (docs/generations.md §7.5).
type Summary struct {
	Dir     string // the session directory; begins with the path of the tree
	Logs    []*Log // as in [Dir]; the last one is the winner
	Sizes   []int64
	Listing Listing   // of the winner
	Tail    scan.Tail // of the winner
	// InUse says that a process holds the lock of the session, where the system
	// tells (docs/generations.md §7.4).
	InUse bool
}

// Survey yields the directories of the tree as [Tree.Dirs] does, and a summary of
// each that holds a log, nil for the others. It works on all processors, on a few
// directories at a time.
func (t *Tree) Survey() iter.Seq2[*Dir, *Summary] {
	type surveyed struct {
		dir     *Dir
		summary *Summary
	}
	return func(yield func(*Dir, *Summary) bool) {
		locks := ReadLocks()
		for s := range inorder.Map(runtime.GOMAXPROCS(0), t.Dirs(), func(d *Dir) surveyed { return surveyed{d, summarize(d, locks)} }) {
			if !yield(s.dir, s.summary) {
				return
			}
		}
	}
}

// summarize reads the two ends of the winner of a session directory.
func summarize(d *Dir, locks Locks) *Summary {
	winner := d.Winner()
	if winner == nil {
		return nil
	}
	s := &Summary{Dir: d.Path, Logs: d.Logs, Sizes: make([]int64, len(d.Logs)), Tail: scan.Tail{Turns: -1}}
	for i, log := range d.Logs {
		if info, err := os.Stat(log.Path); err == nil && info.Mode().IsRegular() {
			s.Sizes[i] = info.Size()
		}
	}
	winner.listing = &Listing{}
	winner.listing.Err = winner.Read(func(file *os.File, size int64) (err error) {
		if err = winner.list(file, size); err == nil {
			s.Tail, err = scan.ReadTail(file, size, winner.Encoding())
		}
		return err
	})
	s.Listing = *winner.listing
	s.InUse = len(d.Find(LockFile)) > 0 && locks.Held(filepath.Join(d.Path, LockName))
	return s
}

// Project returns the name of the project directory.
func (s *Summary) Project() string { return filepath.Base(filepath.Dir(s.Dir)) }

// Session returns the name of the session directory.
func (s *Summary) Session() string { return filepath.Base(s.Dir) }

// Winner returns the log that dsh chooses.
func (s *Summary) Winner() *Log { return s.Logs[len(s.Logs)-1] }

// Size returns the bytes of the winner.
func (s *Summary) Size() int64 { return s.Sizes[len(s.Sizes)-1] }
