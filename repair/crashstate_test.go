package repair_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/internal/soak"
)

// diskState is what a disk holds: files and directories are inodes, which are
// reached by names.
type diskState struct {
	root    string
	names   map[int]map[string]int // by the inode of the directory
	content map[int][]byte         // by the inode of the file
}

const rootInode = 1

func newDiskState(root string) *diskState {
	return &diskState{root, map[int]map[string]int{rootInode: {}}, make(map[int][]byte)}
}

func (s *diskState) clone() *diskState {
	c := &diskState{s.root, make(map[int]map[string]int), maps.Clone(s.content)}
	for dir, names := range s.names {
		c.names[dir] = maps.Clone(names)
	}
	return c
}

// inode returns the inode that a path leads to, 0 when there is none.
func (s *diskState) inode(path string) int {
	if path == s.root {
		return rootInode
	}
	dir, name := s.place(path)
	return s.names[dir][name]
}

// place returns the inode of the directory of a path, and the name in it.
func (s *diskState) place(path string) (dir int, name string) {
	if dir = s.inode(filepath.Dir(path)); s.names[dir] == nil {
		panic(fmt.Sprintf("%s lies in no directory that is known", path))
	}
	return dir, filepath.Base(path)
}

func (s *diskState) apply(n nameChange) {
	switch {
	case n.inode == 0:
		delete(s.names[n.dir], n.name)
	case s.names[n.dir] == nil:
		s.names[n.dir] = map[string]int{n.name: n.inode}
	default:
		s.names[n.dir][n.name] = n.inode
	}
}

// put writes bytes into a new file. What is before them and was lost reads as zeros.
func (s *diskState) put(inode, at int, data []byte) {
	content := slices.Clone(s.content[inode])
	if missing := at + len(data) - len(content); missing > 0 {
		content = append(content, make([]byte, missing)...)
	}
	copy(content[at:], data)
	s.content[inode] = content
}

// visible returns the files that a path leads to, and the directories, whose paths
// end in a separator.
func (s *diskState) visible(d *tracedDisk) map[string][]byte {
	found := make(map[string][]byte)
	var walk func(dir int, path string)
	walk = func(dir int, path string) {
		for name, inode := range s.names[dir] {
			path := filepath.Join(path, name)
			if d.now.names[inode] == nil {
				found[path] = s.content[inode]
				continue
			}
			found[path+string(filepath.Separator)] = nil
			walk(inode, path)
		}
	}
	walk(rootInode, s.root)
	return found
}

// restore makes the files below root on the real disk those of a picture.
func restore(t *testing.T, root string, files map[string][]byte) {
	t.Helper()
	entries, err := os.ReadDir(root)
	must(t, err)
	for _, e := range entries {
		must(t, os.RemoveAll(filepath.Join(root, e.Name())))
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(path, string(filepath.Separator)) {
			must(t, os.MkdirAll(path, 0o700))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		writeFile(t, path, files[path])
	}
}

// tear is what becomes of the last write that is not durable.
type tear string

const (
	noTear    tear = "whole"
	halfTear  tear = "half of it"
	zerosTear tear = "its length, and zeros"
)

// after returns what is on disk when power is lost before the change end, what may be
// undone of the changes in lost is undone, and the write torn is there in part.
func (d *tracedDisk) after(end int, lost map[int]bool, torn int, how tear) *diskState {
	s := d.start.clone()
	ends := make(map[int]int) // length of each file so far, of what is lost too
	for i := range end {
		op := &d.ops[i]
		for _, n := range op.names {
			if !lost[i] || d.synced(opSyncDir, n.dir, i, end) {
				s.apply(n)
			}
		}
		if op.kind != opWrite {
			continue
		}
		at := ends[op.inode]
		ends[op.inode] += len(op.data)
		switch {
		case lost[i]:
		case i == torn && how == halfTear:
			s.put(op.inode, at, op.data[:len(op.data)/2])
		case i == torn && how == zerosTear:
			s.put(op.inode, at, make([]byte, len(op.data)))
		default:
			s.put(op.inode, at, op.data)
		}
	}
	return s
}

// exhausted is the number of pending changes up to which every combination is tried.
const exhausted = 10

// sampled returns how many of more changes are, at random.
func sampled() int {
	if soak.On() {
		return 2000
	}
	return 32
}

// combinations calls try with some of the pending changes: all sets of a few, and
// random ones of more.
func combinations(pending []int, try func(lost map[int]bool)) {
	exhaustive := len(pending) <= exhausted
	n := sampled()
	if exhaustive {
		n = 1 << len(pending)
	}
	for set := range n {
		lost := make(map[int]bool)
		for b, i := range pending {
			lost[i] = exhaustive && set>>b&1 != 0 || !exhaustive && rand.N(2) == 0
		}
		try(lost)
	}
}

// crashes calls check with what every loss of power may leave, and returns how many
// there are. The same picture comes once.
func (d *tracedDisk) crashes(check func(at string, files map[string][]byte)) (pictures int) {
	seen := make(map[[sha256.Size]byte]bool)
	for end := range len(d.ops) + 1 {
		pending := d.pending(end)
		combinations(pending, func(lost map[int]bool) {
			last := -1
			for _, i := range pending {
				if !lost[i] && d.ops[i].kind == opWrite {
					last = i
				}
			}
			for _, how := range []tear{noTear, halfTear, zerosTear} {
				if how != noTear && last < 0 {
					continue
				}
				files := d.after(end, lost, last, how).visible(d)
				if sum := sumOf(files); !seen[sum] {
					seen[sum] = true
					pictures++
					check(fmt.Sprintf("power lost before change %d of %d, without %v, the last write %s", end, len(d.ops), lostOf(lost), how), files)
				}
			}
		})
	}
	return pictures
}

// lostOf lists the changes of a set.
func lostOf(lost map[int]bool) (ops []int) {
	for i, gone := range lost {
		if gone {
			ops = append(ops, i)
		}
	}
	slices.Sort(ops)
	return ops
}

func sumOf(files map[string][]byte) [sha256.Size]byte {
	h := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%q %x\n", path, sha256.Sum256(files[path]))
	}
	return [sha256.Size]byte(h.Sum(nil))
}
