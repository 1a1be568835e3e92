package repair_test

import (
	"bytes"
	"io/fs"
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
// not durable may be on disk or not, in any combination; only a rename is one step,
// until one of its two directories was synced.
type tracedDisk struct {
	repair.Disk
	now, start *diskState
	ops        []diskOp
	next       int // inode
}

// diskOp is one change, or the sync of a file or a directory, which is inode then.
type diskOp struct {
	kind  diskOpKind
	path  string // for people
	inode int
	data  []byte
	names []nameChange
}

type diskOpKind string

const (
	opWrite   diskOpKind = "write"
	opNames   diskOpKind = "change of names"
	opSync    diskOpKind = "sync"
	opSyncDir diskOpKind = "sync of a directory"
)

// nameChange gives a name in a directory to an inode, or takes it away: 0.
type nameChange struct {
	dir   int
	name  string
	inode int
}

// trace starts to write down what changes below root.
func trace(t *testing.T, root string) *tracedDisk {
	t.Helper()
	d := &tracedDisk{start: newDiskState(root), next: rootInode}
	must(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		must(t, err)
		if path == root {
			return nil
		}
		dir, name := d.start.place(path)
		d.next++
		d.start.names[dir][name] = d.next
		if e.IsDir() {
			d.start.names[d.next] = make(map[string]int)
		} else {
			d.start.content[d.next] = readFile(t, path)
		}
		return nil
	}))
	d.now = d.start.clone()
	return d
}

// change notes changes of names that have been made.
func (d *tracedDisk) change(path string, names ...nameChange) {
	for _, n := range names {
		d.now.apply(n)
	}
	d.ops = append(d.ops, diskOp{kind: opNames, path: path, names: names})
}

// added is the change that makes a name, and removed the one that takes it.
func (d *tracedDisk) added(path string, inode int) nameChange {
	dir, name := d.now.place(path)
	return nameChange{dir, name, inode}
}

func (d *tracedDisk) removed(path string) nameChange { return d.added(path, 0) }

func (d *tracedDisk) Create(name string) (repair.File, error) {
	f, err := d.Disk.Create(name)
	if err != nil {
		return nil, err
	}
	d.next++
	d.change(name, d.added(name, d.next))
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
		d.next++
		d.now.names[d.next] = make(map[string]int)
		d.change(dir, d.added(dir, d.next))
	}
	return d.Disk.MkdirAll(name)
}

func (d *tracedDisk) Link(name, second string) error {
	err := d.Disk.Link(name, second)
	if err == nil {
		d.change(second, d.added(second, d.now.inode(name)))
	}
	return err
}

func (d *tracedDisk) Rename(name, second string) error {
	return d.renamed(name, second, d.Disk.Rename(name, second))
}

func (d *tracedDisk) RenameNew(name, second string) error {
	return d.renamed(name, second, d.Disk.RenameNew(name, second))
}

func (d *tracedDisk) renamed(name, second string, err error) error {
	if err == nil {
		d.change(second, d.added(second, d.now.inode(name)), d.removed(name))
	}
	return err
}

func (d *tracedDisk) Remove(name string) error {
	err := d.Disk.Remove(name)
	if err == nil {
		d.change(name, d.removed(name))
	}
	return err
}

func (d *tracedDisk) SyncDir(name string) error {
	d.ops = append(d.ops, diskOp{kind: opSyncDir, path: name, inode: d.now.inode(name)})
	return nil
}

type tracedFile struct {
	repair.File
	disk  *tracedDisk
	inode int
}

func (f *tracedFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	f.disk.ops = append(f.disk.ops, diskOp{kind: opWrite, inode: f.inode, data: bytes.Clone(p[:n])})
	return n, err
}

func (f *tracedFile) Sync() error {
	f.disk.ops = append(f.disk.ops, diskOp{kind: opSync, inode: f.inode})
	return nil
}

// synced reports whether something was synced behind the change i and before end.
func (d *tracedDisk) synced(kind diskOpKind, inode, i, end int) bool {
	return slices.ContainsFunc(d.ops[i+1:end], func(later diskOp) bool { return later.kind == kind && later.inode == inode })
}

// losable reports whether a loss of power before the change end may undo the change i,
// or one half of a rename.
func (d *tracedDisk) losable(i, end int) bool {
	op := &d.ops[i]
	if op.kind == opWrite {
		return !d.synced(opSync, op.inode, i, end)
	}
	return slices.ContainsFunc(op.names, func(n nameChange) bool { return !d.synced(opSyncDir, n.dir, i, end) })
}

// pending returns the changes before end that a loss of power may undo.
func (d *tracedDisk) pending(end int) (ops []int) {
	for i := range end {
		if d.losable(i, end) {
			ops = append(ops, i)
		}
	}
	return ops
}
