package repair_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/turnlint/turnlint/repair"
)

// tracedDisk writes down what changes on a disk, so that a test can say afterwards
// what a loss of power would have left at any moment. It assumes no more than POSIX
// does: the bytes of a file are durable once it was synced behind their write, and a
// name once its directory was synced behind the call that made or took it. What is
// not durable may be on disk or not, in any combination.
type tracedDisk struct {
	repair.Disk
	files map[string]int // path to inode, as a running system sees it
	start diskState
	ops   []diskOp
	next  int // inode
}

// diskOp is one change.
type diskOp struct {
	kind         diskOpKind
	name, second string
	inode        int
	data         []byte
}

type diskOpKind string

const (
	opCreate  diskOpKind = "create"
	opMkdir   diskOpKind = "mkdir"
	opWrite   diskOpKind = "write"
	opLink    diskOpKind = "link"
	opRename  diskOpKind = "rename"
	opRemove  diskOpKind = "remove"
	opSync    diskOpKind = "sync"
	opSyncDir diskOpKind = "sync of a directory"
)

// diskState is what a disk holds.
type diskState struct {
	root    string
	files   map[string]int // path to inode
	dirs    map[string]bool
	content map[int][]byte // by inode
}

// trace starts to write down what changes below root.
func trace(t *testing.T, root string) *tracedDisk {
	t.Helper()
	d := &tracedDisk{files: make(map[string]int), start: diskState{root, make(map[string]int), make(map[string]bool), make(map[int][]byte)}}
	must(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		must(t, err)
		if e.IsDir() {
			d.start.dirs[path] = true
			return nil
		}
		d.next++
		d.start.files[path], d.start.content[d.next] = d.next, readFile(t, path)
		return nil
	}))
	d.files = maps.Clone(d.start.files)
	return d
}

func (d *tracedDisk) note(op diskOp) { d.ops = append(d.ops, op) }

func (d *tracedDisk) Create(name string) (repair.File, error) {
	f, err := d.Disk.Create(name)
	if err != nil {
		return nil, err
	}
	d.next++
	d.files[name] = d.next
	d.note(diskOp{kind: opCreate, name: name, inode: d.next})
	return &tracedFile{f, d, d.next}, nil
}

func (d *tracedDisk) MkdirAll(name string) error {
	var missing []string
	for dir := name; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err == nil {
			break
		}
		missing = append(missing, dir)
	}
	for _, dir := range slices.Backward(missing) {
		d.note(diskOp{kind: opMkdir, name: dir})
	}
	return d.Disk.MkdirAll(name)
}

func (d *tracedDisk) Link(name, second string) error {
	err := d.Disk.Link(name, second)
	if err == nil {
		d.files[second] = d.files[name]
		d.note(diskOp{kind: opLink, name: name, second: second, inode: d.files[name]})
	}
	return err
}

func (d *tracedDisk) Rename(name, second string) error {
	err := d.Disk.Rename(name, second)
	if err == nil {
		d.files[second] = d.files[name]
		delete(d.files, name)
		d.note(diskOp{kind: opRename, name: name, second: second, inode: d.files[second]})
	}
	return err
}

func (d *tracedDisk) Remove(name string) error {
	err := d.Disk.Remove(name)
	if err == nil {
		delete(d.files, name)
		d.note(diskOp{kind: opRemove, name: name})
	}
	return err
}

func (d *tracedDisk) SyncDir(name string) error {
	d.note(diskOp{kind: opSyncDir, name: name})
	return nil
}

type tracedFile struct {
	repair.File
	disk  *tracedDisk
	inode int
}

func (f *tracedFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	f.disk.note(diskOp{kind: opWrite, inode: f.inode, data: bytes.Clone(p[:n])})
	return n, err
}

func (f *tracedFile) Sync() error {
	f.disk.note(diskOp{kind: opSync, inode: f.inode})
	return nil
}

// durable reports whether the change i cannot be lost by a loss of power before the
// change end.
func (d *tracedDisk) durable(i, end int) bool {
	op := &d.ops[i]
	synced := func(kind diskOpKind, is func(*diskOp) bool) bool {
		for j := i + 1; j < end; j++ {
			if later := &d.ops[j]; later.kind == kind && is(later) {
				return true
			}
		}
		return false
	}
	if op.kind == opWrite {
		return synced(opSync, func(s *diskOp) bool { return s.inode == op.inode })
	}
	in := func(name string) bool {
		return synced(opSyncDir, func(s *diskOp) bool { return s.name == filepath.Dir(name) })
	}
	return in(op.name) && (op.second == "" || in(op.second))
}

// pending returns the changes before end that a loss of power may undo.
func (d *tracedDisk) pending(end int) (ops []int) {
	for i := range end {
		if kind := d.ops[i].kind; kind != opSync && kind != opSyncDir && !d.durable(i, end) {
			ops = append(ops, i)
		}
	}
	return ops
}

// tear is what becomes of the last write that is not durable.
type tear string

const (
	noTear    tear = "whole"
	halfTear  tear = "half of it"
	zerosTear tear = "its length, and zeros"
)

// after returns what is on disk when power is lost before the change end, the changes
// in lost are undone, and the write torn is there in part.
func (d *tracedDisk) after(end int, lost map[int]bool, torn int, how tear) diskState {
	s := diskState{d.start.root, maps.Clone(d.start.files), maps.Clone(d.start.dirs), make(map[int][]byte)}
	maps.Copy(s.content, d.start.content)
	ends := make(map[int]int) // length of each file so far, of what is lost too
	for i := range end {
		op := &d.ops[i]
		if op.kind == opWrite {
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
			continue
		}
		if !lost[i] {
			s.name(op)
		}
	}
	return s
}

// put writes bytes into a new file. What is before them and was lost reads as zeros.
func (s *diskState) put(inode, at int, data []byte) {
	content := s.content[inode]
	if missing := at + len(data) - len(content); missing > 0 {
		content = append(content, make([]byte, missing)...)
	}
	copy(content[at:], data)
	s.content[inode] = content
}

func (s *diskState) name(op *diskOp) {
	switch op.kind {
	case opMkdir:
		s.dirs[op.name] = true
	case opCreate:
		s.files[op.name] = op.inode
	case opLink:
		s.files[op.second] = op.inode
	case opRename:
		delete(s.files, op.name)
		s.files[op.second] = op.inode
	case opRemove:
		delete(s.files, op.name)
	}
}

// visible returns the files that a path leads to.
func (s *diskState) visible() map[string][]byte {
	files := make(map[string][]byte)
	for path, inode := range s.files {
		if s.reachable(filepath.Dir(path)) {
			files[path] = s.content[inode]
		}
	}
	return files
}

// reachable reports whether dir and all directories between it and the root are there.
func (s *diskState) reachable(dir string) bool {
	return s.dirs[dir] && (dir == s.root || s.reachable(filepath.Dir(dir)))
}

// exhausted is the number of pending changes up to which every combination is tried.
// Of more, sampledCrashes are, at random.
const (
	exhausted      = 10
	sampledCrashes = 32
)

// crashes calls check with what every loss of power may leave, and returns how many
// there are. The same picture comes once.
func (d *tracedDisk) crashes(check func(at string, files map[string][]byte)) (pictures int) {
	seen := make(map[[sha256.Size]byte]bool)
	for end := range len(d.ops) + 1 {
		pending := d.pending(end)
		combinations := sampledCrashes
		if len(pending) <= exhausted {
			combinations = 1 << len(pending)
		}
		for n := range combinations {
			lost := make(map[int]bool)
			last := -1
			for b, i := range pending {
				gone := n>>b&1 != 0
				if len(pending) > exhausted {
					gone = rand.N(2) == 0
				}
				if lost[i] = gone; !gone && d.ops[i].kind == opWrite {
					last = i
				}
			}
			for _, how := range []tear{noTear, halfTear, zerosTear} {
				if how != noTear && last < 0 {
					continue
				}
				state := d.after(end, lost, last, how)
				files := state.visible()
				if sum := sumOf(files); !seen[sum] {
					seen[sum] = true
					pictures++
					check(fmt.Sprintf("power lost before change %d of %d, without %v, the last write %s", end, len(d.ops), slices.Sorted(maps.Keys(lost)), how), files)
				}
			}
		}
	}
	return pictures
}

func sumOf(files map[string][]byte) [sha256.Size]byte {
	h := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%q %x\n", path, sha256.Sum256(files[path]))
	}
	return [sha256.Size]byte(h.Sum(nil))
}
