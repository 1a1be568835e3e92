package repair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
)

// Copy writes the repaired log to target, which must not exist, and leaves src
// alone. A log that needs no repair is copied as it is; of one that is refused,
// nothing is written. path is the name of src, "" when it has none.
//
// The copy appears under its name once it is complete, verified and durable.
func (c *Committer) Copy(ctx context.Context, src io.ReaderAt, size int64, path, target string, opt Options) (*Outcome, error) {
	opt.Copy = true
	p, err := NewPlan(src, size, path, opt)
	if err != nil {
		return nil, err
	}
	if c.Expect != nil && !p.SameAs(c.Expect) {
		return nil, ErrMismatch
	}
	out := &Outcome{Plan: p}
	return out, c.writeCopy(ctx, src, path, target, out)
}

// CopyMoved is Copy for the log of a move that [PlanMoves] has planned: the copy has
// the content that the log has after the move. Of a log that goes into quarantine,
// nothing is written.
func (c *Committer) CopyMoved(ctx context.Context, m *Move, target string) (*Outcome, error) {
	out := &Outcome{Move: m}
	if m.Action == Refuse || m.Kind == Quarantine {
		return out, nil
	}
	root, err := resolve(string(m.Root))
	if err != nil {
		return out, err
	}
	if err := outsideTree(root, filepath.Dir(target), "the output directory"); err != nil {
		return out, err
	}
	file := m.Path()
	if m.Kind == Adopt {
		file = m.Other()
	}
	src, err := openRegular(ctx, file)
	if err != nil {
		return out, err
	}
	defer src.close()
	if m.Kind == Rehead {
		out.Plan, err = newHeaderPlan(src, src.info.Size(), m.Path(), m)
	} else {
		out.Plan, err = NewPlan(src, src.info.Size(), m.Path(), m.Options)
	}
	if err != nil {
		return out, err
	}
	return out, c.writeCopy(ctx, src, m.Path(), target, out)
}

// writeCopy writes the copy of src for which out has the plan, and completes out.
func (c *Committer) writeCopy(ctx context.Context, src io.ReaderAt, path, target string, out *Outcome) error {
	p := out.Plan
	if p.Action == Refuse {
		return nil
	}
	if err := c.prepareTarget(path, target, p.Size+p.taken()); err != nil {
		return err
	}
	if err := c.writeSidecar(ctx, src, target, out); err != nil {
		return err
	}
	made, err := c.stage(filepath.Dir(target), filepath.Base(target), Attributes{Mode: 0o600}, content{
		write:  func(w io.Writer) error { return p.Write(w, src) },
		verify: p.Verify,
	})
	if err != nil {
		return err
	}
	if err := errors.Join(ctx.Err(), c.publishNew(made.path, target)); err != nil {
		return c.discard(made, err)
	}
	out.Published, out.Target = true, target
	return c.confirm(target, made.print.SHA256)
}

// sidecarSuffix is that of the name of the record of edits beside a mended copy.
const sidecarSuffix = ".edits.ndjson"

// writeSidecar writes what the edits of a mended log take away beside the copy. A
// copy that fails after it leaves no more than that file.
func (c *Committer) writeSidecar(ctx context.Context, src io.ReaderAt, target string, out *Outcome) error {
	if !out.Plan.Mends() {
		return nil
	}
	sidecar := target + sidecarSuffix
	made, err := c.stage(filepath.Dir(sidecar), filepath.Base(sidecar), Attributes{Mode: 0o600}, content{
		write:  func(w io.Writer) error { return out.Plan.writeEdits(w, src) },
		verify: func(io.ReaderAt, int64) error { return nil },
	})
	if err != nil {
		return err
	}
	if err := errors.Join(ctx.Err(), c.publishNew(made.path, sidecar)); err != nil {
		return c.discard(made, err)
	}
	out.Sidecar = sidecar
	return c.confirm(sidecar, made.print.SHA256)
}

// prepareTarget makes the directory of a copy. It refuses one in the sessions tree
// that the log comes from, one without room for size bytes, and a target that exists.
func (c *Committer) prepareTarget(path, target string, size int64) error {
	dir := filepath.Dir(target)
	if path != "" {
		source, err := c.locate(path)
		if err != nil {
			return err
		}
		if err := outside(source, dir, "the output directory"); err != nil {
			return err
		}
	}
	if err := c.checkRoom(dir, size+roomSlack); err != nil {
		return err
	}
	if err := c.FS.MkdirAll(dir); err != nil {
		return err
	}
	switch _, err := c.FS.Lstat(target); {
	case err == nil:
		return fmt.Errorf("%q exists: nothing is overwritten", target)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// publishNew gives a staged file its name without replacing another one. A second
// link fails where the name has come to exist, and a rename would not; so the
// rename is for file systems without links only.
func (c *Committer) publishNew(staged, target string) error {
	err := c.FS.Link(staged, target)
	if err == nil {
		// The copy is complete under its name. A staged name that cannot be removed
		// is a leftover for the next run.
		_ = c.FS.Remove(staged)
		return nil
	}
	if errors.Is(err, fs.ErrExist) || !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return c.FS.Rename(staged, target)
}
