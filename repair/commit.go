package repair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"
)

// Errors that a caller tells apart.
var (
	// ErrInUse is wrapped by the refusal of a log that somebody may be writing.
	ErrInUse = errors.New("in use")
	// ErrUnconfirmed is wrapped when the new bytes are in place, but a later step
	// failed, so that nobody knows whether they survive a loss of power.
	ErrUnconfirmed = errors.New("published, durability unconfirmed")
	// ErrMismatch is returned for a plan that was made for other bytes.
	ErrMismatch = errors.New("the plan was made for another log or another state of it")
)

// DefaultSettle is how long a log must have been left alone unless told otherwise.
// dsh writes batches at most 200 ms apart while a turn runs (docs/format.md §1.1);
// the rest is for tools and people that are slower.
const DefaultSettle = 5 * time.Second

// Committer publishes repairs.
type Committer struct {
	FS       FS
	StateDir string // holds the backups; made when needed
	// Settle is how long a log must have been left alone; 0 means DefaultSettle.
	// Manifests record it.
	Settle time.Duration
	// Waiting, when set, is called before a wait of at most settle for the log at
	// path to have been left alone that long.
	Waiting func(path string, settle time.Duration)
	// AssumeStopped skips the checks that a log is in use. Manifests record it.
	AssumeStopped bool
	// Expect, when set, is the plan to carry out: a log that now has another plan
	// is left alone, with ErrMismatch.
	Expect *Plan
}

// Outcome is what became of one log.
type Outcome struct {
	Plan      *Plan    // nil where no content changes
	Move      *Move    // nil unless the outcome is that of a move
	Published bool     // a new file is in place, or a log at another one
	Target    string   // path of that file; "" for a log in quarantine
	Manifest  string   // path of the manifest of the backup; "" for a copy
	Sidecar   string   // path of the record of edits of a log that is mended for an upgrade, else ""
	Kind      SwapKind // "" for a copy, and when nothing is published
}

// Apply repairs the log at path in place, in an order that leaves the old bytes
// or the new ones there at any moment:
//
//  1. write the repaired log beside the old one, under a new name that dsh ignores;
//  2. verify the bytes on disk, fsync them;
//  3. copy the old log and what leaves it to the backup, fsync files and directories;
//  4. make sure that the old log is still the one that was read;
//  5. rename the new log over it, fsync the directory, read it again.
//
// A crash before 5 leaves the old log and a file that the next run removes; the
// rename itself is atomic; a crash after it leaves the new log with its backup.
//
// An error without ErrUnconfirmed means that the log is as it was.
func (c *Committer) Apply(ctx context.Context, path string, opt Options) (*Outcome, error) {
	log, err := c.open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer log.close()
	out, err := c.plan(log, opt)
	if err != nil || out.Plan.Action != Repair {
		return out, err
	}
	return out, c.swap(ctx, log, out, out.writeChecked(log))
}

// swap gives a log other content, with the steps of Apply, and completes out.
func (c *Committer) swap(ctx context.Context, log *openLog, out *Outcome, content content) error {
	if err := c.checkPlace(log, 2*max(log.info.Size(), out.Plan.Size)+out.Plan.taken()); err != nil {
		return err
	}
	guard, err := c.guard(ctx, log)
	if err != nil {
		return err
	}
	defer guard.release()
	made, err := c.stage(log.dir(), log.base(), attributesWithoutTime(log.info), content)
	if err != nil {
		return err
	}
	manifest, err := c.backUp(log, out.Plan, made.print)
	if err != nil {
		return c.discard(made, err)
	}
	out.Target, out.Manifest, out.Kind = log.name, manifest, Applied
	return c.replace(ctx, log, made, out)
}

// plan makes the plan of an open log and compares it with the expected one.
func (c *Committer) plan(log *openLog, opt Options) (*Outcome, error) {
	p, err := NewPlan(log, log.info.Size(), log.path, opt)
	if err != nil {
		return nil, err
	}
	if c.Expect != nil && !p.SameAs(c.Expect) {
		return nil, ErrMismatch
	}
	return &Outcome{Plan: p}, nil
}

// writeChecked writes the repaired log and verifies what came to lie on the disk.
func (o *Outcome) writeChecked(log *openLog) content {
	return content{
		write:  func(w io.Writer) error { return o.Plan.Write(w, log) },
		verify: o.Plan.Verify,
	}
}

// replace swaps the old log for the new one.
func (c *Committer) replace(ctx context.Context, log *openLog, made *staged, out *Outcome) error {
	err := ctx.Err()
	if err == nil {
		err = c.recheck(log)
	}
	if err == nil {
		log.close() // Windows renames over no open file
		err = c.FS.Rename(made.path, log.path)
	}
	if err != nil {
		return c.discard(made, err)
	}
	out.Published = true
	return c.confirm(log.path, made.print.SHA256)
}

// recheck makes sure that the path still names the file that was read, with the
// bytes that were read.
func (c *Committer) recheck(log *openLog) error {
	if err := c.checkUnchanged(log); err != nil {
		return err
	}
	sum, err := c.hash(log.path)
	if err == nil && sum != log.sum {
		err = fmt.Errorf("%w: its bytes changed a moment ago", ErrInUse)
	}
	return err
}

// confirm makes a rename durable and reads the file back.
func (c *Committer) confirm(path, sum string) error {
	if err := c.FS.SyncDir(filepath.Dir(path)); err != nil {
		return fmt.Errorf("%w: %w", ErrUnconfirmed, err)
	}
	got, err := c.hash(path)
	if err == nil && got != sum {
		err = errors.New("other bytes are in its place now")
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnconfirmed, err)
	}
	return nil
}

// hash returns the SHA-256 of a file in lower-case hex.
func (c *Committer) hash(path string) (string, error) {
	f, err := c.FS.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	return hashOf(f, info.Size())
}
