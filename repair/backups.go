package repair

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// BackupState says how a backup and its log stand to each other.
type BackupState string

// The states.
const (
	BackupCurrent BackupState = "current" // the log is as the repair left it
	BackupUndone  BackupState = "undone"  // the log is as it was before the repair
	BackupStale   BackupState = "stale"   // the log has other bytes by now, or cannot be read
	BackupPartial BackupState = "partial" // no manifest can be read, as when a repair is interrupted before it swaps
)

// Backup is a backup in the state directory.
type Backup struct {
	Dir   Path        `json:"dir"`
	State BackupState `json:"state"`
	Size  int64       `json:"size"` // bytes of its copies of the log and of lost+found, see [Committer.Usage]

	// The rest comes from the manifest, and a partial backup lacks it.

	Path   Path      `json:"path,omitzero"`   // of the log
	Move   MoveKind  `json:"move,omitzero"`   // what was done with the place of the log; "" for a repair of its content
	To     Path      `json:"to,omitzero"`     // where it was moved to
	Time   time.Time `json:"time,omitzero"`   // of the last swap
	Before Fileprint `json:"before,omitzero"` // the log before the repair
	After  Fileprint `json:"after,omitzero"`  // the repaired log
	// Sessions are the ids of those that were repaired in a database.
	Sessions []string `json:"sessions,omitempty"`
	// Original is the copy in the backup of what was there before the repair.
	Original Fileprint `json:"-"`
}

// log returns what the directories of the backups of one log have in common.
func (b *Backup) log() string {
	key, _, _ := strings.Cut(filepath.Base(string(b.Dir)), "-")
	return key
}

// Backups returns the backups in the state directory by log, the newest first. To
// tell their state it reads the logs whose size fits.
func (c *Committer) Backups(ctx context.Context) ([]Backup, error) {
	dir := filepath.Join(c.StateDir, "backups")
	names, err := c.FS.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Backup
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if info, err := c.FS.Lstat(filepath.Join(dir, name)); err == nil && info.IsDir() {
			all = append(all, c.describe(ctx, filepath.Join(dir, name)))
		}
	}
	slices.SortFunc(all, func(a, b Backup) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.log(), b.log()), b.Time.Compare(a.Time), cmp.Compare(a.Dir, b.Dir))
	})
	return all, nil
}

// describe looks at one backup and its log. Damage to the backup is a state of it.
func (c *Committer) describe(ctx context.Context, dir string) Backup {
	b := Backup{Dir: Path(dir), State: BackupPartial}
	files, err := c.filesOf(dir)
	if err != nil {
		return b
	}
	for _, file := range files {
		if info, err := c.FS.Lstat(file); err == nil && filepath.Base(file) != indexName {
			b.Size += info.Size()
		}
	}
	m, err := c.readManifest(filepath.Join(dir, manifestName))
	if err != nil {
		return b
	}
	b.Path, b.Time, b.Before, b.After = m.Path, m.last(), m.Before.Fileprint, m.After.Fileprint
	if m.Move != nil {
		b.Move, b.To = m.Move.Kind, m.Move.To
		if b.State, err = c.stateOfMove(m); err != nil {
			b.State = BackupStale
		}
		return b
	}
	b.Original = b.Before
	if m.Sessions != nil {
		for _, s := range m.Sessions {
			b.Sessions = append(b.Sessions, s.ID)
		}
		b.Original, b.State = *m.Original, stateOfSessions(ctx, m)
		return b
	}
	b.State = c.stateOf(&b)
	return b
}

func (c *Committer) stateOf(b *Backup) BackupState {
	for _, s := range []struct {
		print Fileprint
		state BackupState
	}{{b.After, BackupCurrent}, {b.Before, BackupUndone}} {
		if c.holds(string(b.Path), s.print) {
			return s.state
		}
	}
	return BackupStale
}

// holds reports whether a file can be read and has the given bytes.
func (c *Committer) holds(path string, want Fileprint) bool {
	ok, err := c.compare(path, want)
	return ok && err == nil
}

// compare reports whether a file is there and has the given bytes. An error means that
// nobody can tell.
func (c *Committer) compare(path string, want Fileprint) (bool, error) {
	info, err := c.FS.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !info.Mode().IsRegular() || info.Size() != want.Size:
		return false, nil
	}
	sum, err := c.hash(path)
	return sum == want.SHA256, err
}

// Surplus returns the backups among all, which [Committer.Backups] gave, that may go
// when the newest keep of each log stay. It spares three kinds, unless force is set:
// partial backups, logs in quarantine, and of a log that no backup is current for,
// the newest backup that is intact, because it may be the only good copy of that log.
func (c *Committer) Surplus(all []Backup, keep int, force bool) []Backup {
	var surplus []Backup
	for rest := all; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].log() == rest[0].log() {
			n++
		}
		surplus = append(surplus, c.surplusOf(rest[:n], keep, force)...)
		rest = rest[n:]
	}
	return surplus
}

// surplusOf is Surplus for the backups of one log.
func (c *Committer) surplusOf(backups []Backup, keep int, force bool) []Backup {
	complete := slices.DeleteFunc(slices.Clone(backups), func(b Backup) bool { return b.State == BackupPartial })
	surplus := slices.Clone(complete[min(keep, len(complete)):])
	if force {
		return append(surplus, slices.DeleteFunc(slices.Clone(backups), func(b Backup) bool { return b.State != BackupPartial })...)
	}
	surplus = slices.DeleteFunc(surplus, func(b Backup) bool { return b.Move == Quarantine && b.State != BackupUndone })
	if slices.ContainsFunc(complete, func(b Backup) bool { return b.State == BackupCurrent }) {
		return surplus
	}
	good := slices.IndexFunc(complete, func(b Backup) bool {
		return c.holds(filepath.Join(string(b.Dir), originalName), b.Original)
	})
	if good < 0 {
		return surplus
	}
	return slices.DeleteFunc(surplus, func(b Backup) bool { return b.Dir == complete[good].Dir })
}

// Remove removes a backup for good. It refuses one that has changed since it was
// listed, or whose log is being repaired.
func (c *Committer) Remove(ctx context.Context, b *Backup) error {
	lock, err := c.lockOwn(b.log())
	if err != nil {
		return err
	}
	defer lock.Close()
	dir := string(b.Dir)
	if now := c.describe(ctx, dir); now.State != b.State || !now.Time.Equal(b.Time) {
		return fmt.Errorf("%w: it has changed since it was listed", ErrInUse)
	}
	if err := c.empty(dir); err != nil {
		return err
	}
	for _, d := range []string{filepath.Join(dir, lostFoundName), dir} {
		if err := c.removeIfThere(d); err != nil {
			return err
		}
	}
	return c.FS.SyncDir(filepath.Dir(dir))
}
