package repair

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/turnlint/turnlint/session"
)

// Relocation says how a log got another place, in a manifest.
type Relocation struct {
	Kind MoveKind `json:"kind"`
	Root Path     `json:"root"`         // the sessions directory
	To   Path     `json:"to,omitempty"` // the new place; "" for quarantine
	// Whole says that the session directory of the log went as a whole.
	Whole bool `json:"whole,omitempty"`
	// Left are the directories that were empty then and are removed, the inner ones
	// first, and Made those that were made, the outer ones first.
	Left []Directory `json:"left,omitempty"`
	Made []Directory `json:"made,omitempty"`
}

// Directory is a directory that a relocation removes or makes.
type Directory struct {
	Path  Path     `json:"path"`
	Mode  fileMode `json:"mode"`
	Owner *Owner   `json:"owner,omitempty"`
}

// dirMode is the mode of the directories that dsh makes (docs/format.md §1.1).
const dirMode = 0o700

// below reports whether everything that r names, and the log at path, lies below
// its root: a manifest may have been written by anybody.
func (r *Relocation) below(path string) bool {
	paths := []string{path}
	if r.Kind != Quarantine {
		paths = append(paths, string(r.To))
	}
	for _, d := range slices.Concat(r.Left, r.Made) {
		paths = append(paths, string(d.Path))
	}
	return !slices.ContainsFunc(paths, func(p string) bool {
		below, err := filepath.Rel(string(r.Root), p)
		return err != nil || below == "." || !filepath.IsLocal(below) || !filepath.IsAbs(p)
	})
}

// way is the way of a log from one place to another.
type way struct {
	from, to   string // paths of the log
	whole      bool   // its session directory goes along
	made, left []Directory
}

// out returns the way that a relocation of the log at path describes, and back the
// way back.
func (r *Relocation) out(path string) *way {
	return &way{path, string(r.To), r.Whole, r.Made, r.Left}
}

func (r *Relocation) back(path string) *way {
	made, left := slices.Clone(r.Left), slices.Clone(r.Made)
	slices.Reverse(made)
	slices.Reverse(left)
	return &way{string(r.To), path, r.Whole, made, left}
}

// relocation plans how a log gets from one place below root to another, "" for
// quarantine. Its session directory goes as a whole when it holds no other log, and
// nothing is in its place.
func (c *Committer) relocation(kind MoveKind, root, from, to string) (*Relocation, error) {
	r := &Relocation{Kind: kind, Root: Path(root), To: Path(to)}
	inSession := filepath.Dir(filepath.Dir(filepath.Dir(from))) == root
	if to != "" {
		free, err := c.missing(filepath.Dir(to))
		if err != nil {
			return nil, err
		}
		lone, err := c.isLone(from)
		if err != nil {
			return nil, err
		}
		r.Whole = inSession && free && lone
	}
	child := from
	if r.Whole {
		child = filepath.Dir(from)
	}
	if err := c.willMake(r, to); err != nil {
		return nil, err
	}
	return r, c.willLeave(r, child)
}

// willMake finds the directories that the log needs at its new place.
func (c *Committer) willMake(r *Relocation, to string) error {
	if to == "" {
		return nil
	}
	dir := filepath.Dir(to)
	if r.Whole {
		dir = filepath.Dir(dir)
	}
	for ; dir != string(r.Root); dir = filepath.Dir(dir) {
		missing, err := c.missing(dir)
		if err != nil {
			return err
		}
		if missing {
			r.Made = slices.Insert(r.Made, 0, Directory{Path: Path(dir), Mode: dirMode})
		}
	}
	return nil
}

// willLeave finds the directories that are empty when child has gone.
func (c *Committer) willLeave(r *Relocation, child string) error {
	for dir := filepath.Dir(child); dir != string(r.Root); child, dir = dir, filepath.Dir(dir) {
		names, err := c.FS.ReadDir(dir)
		if err != nil {
			return err
		}
		toDir := filepath.Dir(string(r.To))
		if len(names) != 1 || r.To != "" && (dir == toDir || dir == filepath.Dir(toDir)) {
			return nil
		}
		info, err := c.FS.Lstat(dir)
		if err != nil {
			return err
		}
		a := attributesOf(info)
		r.Left = append(r.Left, Directory{Path(dir), fileMode(a.Mode), a.Owner})
	}
	return nil
}

func (c *Committer) missing(path string) (bool, error) {
	_, err := c.FS.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	return false, err
}

// isLone reports whether a log is the only one in its directory.
func (c *Committer) isLone(path string) (bool, error) {
	names, err := c.FS.ReadDir(filepath.Dir(path))
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		_, isLog := session.ParseLogName(name)
		return name != filepath.Base(path) && isLog
	}), nil
}

// travel takes a log the way w and completes out. Nothing is ever replaced, and as
// the rename is one step, a crash leaves the log at one of its places.
func (c *Committer) travel(ctx context.Context, log *openLog, g *guard, w *way, out *Outcome) error {
	made, err := c.makeDirs(w.made)
	if err == nil {
		err = errors.Join(ctx.Err(), c.recheck(log))
	}
	if err == nil {
		log.close() // Windows renames no open file, and no directory that holds one
		if runtime.GOOS == "windows" {
			g.releaseTheirs()
		}
		err = c.rename(w)
	}
	if err != nil {
		slices.Reverse(made)
		c.removeDirs(made)
		return err
	}
	out.Published = true
	// The new name first: were only the old one's end durable, the log would be gone.
	err = errors.Join(c.syncNames(filepath.Dir(w.to)), c.syncNames(filepath.Dir(w.from)))
	c.removeDirs(w.left)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnconfirmed, err)
	}
	return c.confirm(w.to, log.sum)
}

// makeDirs makes those of some directories that are missing, the outer ones first,
// with their names durable, and returns which it has made.
func (c *Committer) makeDirs(dirs []Directory) (made []Directory, err error) {
	for _, d := range dirs {
		dir := string(d.Path)
		missing, err := c.missing(dir)
		switch {
		case err != nil:
			return made, err
		case !missing:
			continue
		}
		if err := c.FS.MkdirAll(dir); err != nil {
			return made, err
		}
		made = append(made, d)
		err = c.FS.Adopt(dir, Attributes{Mode: fs.FileMode(d.Mode), Owner: d.Owner})
		if err == nil {
			err = c.FS.SyncDir(filepath.Dir(dir))
		}
		if err != nil {
			return made, err
		}
	}
	return made, nil
}

// removeDirs removes directories that ought to be empty, the inner ones first. One
// that is not, or that cannot be removed, does no harm: dsh passes over it.
func (c *Committer) removeDirs(dirs []Directory) {
	for _, d := range dirs {
		if c.removeIfThere(string(d.Path)) != nil {
			return
		}
		_ = c.FS.SyncDir(filepath.Dir(string(d.Path)))
	}
}

// rename gives a log, or its directory, its new name if that is free.
func (c *Committer) rename(w *way) error {
	from, to := w.from, w.to
	if w.whole {
		from, to = filepath.Dir(from), filepath.Dir(to)
	}
	err := c.FS.RenameNew(from, to)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%q exists: nothing is overwritten", to)
	}
	return err
}

// syncNames makes the names durable in a directory that a log has left and in the
// one above it, as far as they are still there.
func (c *Committer) syncNames(dir string) error {
	for _, d := range []string{dir, filepath.Dir(dir)} {
		missing, err := c.missing(d)
		if err == nil && !missing {
			err = c.FS.SyncDir(d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
