package repair

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/turnlint/turnlint/database"
)

// SessionState is a session before and after a repair, in a manifest.
type SessionState struct {
	ID     string `json:"id"`
	Before string `json:"before"` // SHA-256 of all that the database stores of it
	After  string `json:"after"`
	Ledger Ledger `json:"ledger"`
	// Rewrites are the members of events that changed, by the permission to do so.
	Rewrites []Rewrite  `json:"rewrites,omitempty"`
	Lost     string     `json:"lost,omitempty"` // file in lost+found with the rows that left
	Left     []LeftRows `json:"left,omitempty"`
}

// storeBackup is the backup of a database that is being made.
type storeBackup struct {
	dir      string
	manifest *Manifest
	states   []SessionState // of the sessions that are repaired
}

func (b *storeBackup) manifestPath() string { return filepath.Join(b.dir, manifestName) }

func (b *storeBackup) original() string { return filepath.Join(b.dir, originalName) }

// newStoreBackup describes the backup of a database before its repair.
func (c *Committer) newStoreBackup(o *openStore) *storeBackup {
	b := &storeBackup{}
	for _, p := range o.repairs() {
		s := SessionState{ID: p.session.ID, Before: p.plan.SHA256, Ledger: p.plan.Ledger, Rewrites: p.plan.Rewrites, Left: p.plan.Rows.Left}
		if p.plan.Rows.Removed > 0 {
			s.Lost = fmt.Sprintf("%04d.sql", len(b.states)+1)
		}
		b.states = append(b.states, s)
	}
	before := sumOf(b.states, SessionState.before)
	b.dir = c.backupDir(o.path, before)
	log := &openLog{path: o.path, info: o.info, sum: before}
	b.manifest = c.manifestOf(log, o.repairs()[0].plan.Options)
	b.manifest.Options.Encoding = o.repairs()[0].plan.Encoding
	return b
}

func (s SessionState) before() string { return s.Before }
func (s SessionState) after() string  { return s.After }

// sumOf returns the hash of several sessions by the prints of each.
func sumOf(states []SessionState, print func(SessionState) string) string {
	h := sha256.New()
	for _, s := range states {
		fmt.Fprintf(h, "%q %s\n", s.ID, print(s))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// saveStore copies the database and the rows that leave it into the state directory,
// all of it durable. The manifest is still to come.
func (c *Committer) saveStore(live *database.Live, b *storeBackup, o *openStore) error {
	lost := filepath.Join(b.dir, lostFoundName)
	if err := c.FS.MkdirAll(lost); err != nil {
		return err
	}
	b.manifest.History = append(c.historyOf(b.dir), Swap{time.Now().UTC(), Applied})
	if err := c.empty(b.dir); err != nil {
		return err
	}
	if err := live.Backup(b.original()); err != nil {
		return err
	}
	for i, p := range o.repairs() {
		if b.states[i].Lost == "" {
			continue
		}
		if err := c.create(filepath.Join(lost, b.states[i].Lost), p.writeLost); err != nil {
			return err
		}
	}
	return c.create(filepath.Join(lost, indexName), encode(b.states))
}

// writeLost writes the rows that leave as SQL statements that put them back.
func (s *sessionPlan) writeLost(w io.Writer) error {
	for c, err := range s.changes() {
		switch {
		case err != nil:
			return err
		case c.remove == nil:
			continue
		case c.why != "":
			fmt.Fprintf(w, "-- does not decode: %q\n", c.why)
		}
		if _, err := fmt.Fprintf(w, "%s;\n", c.remove.InsertStatement(s.session.ID)); err != nil {
			return err
		}
	}
	return nil
}

// finishBackup writes the manifest, once the states after the repair are known.
func (c *Committer) finishBackup(b *storeBackup) error {
	m := b.manifest
	m.Sessions = b.states
	m.After.Fileprint = Fileprint{sumOf(b.states, SessionState.after), m.Before.Size}
	for _, s := range b.states {
		m.Ledger.add(s.Ledger)
	}
	var err error
	if m.Original, err = c.print(b.original()); err != nil {
		return err
	}
	if err := c.create(b.manifestPath(), encode(m)); err != nil {
		return err
	}
	return c.syncUp(filepath.Join(b.dir, lostFoundName))
}

// print returns the print of a file.
func (c *Committer) print(path string) (*Fileprint, error) {
	info, err := c.FS.Lstat(path)
	if err != nil {
		return nil, err
	}
	sum, err := c.hash(path)
	return &Fileprint{sum, info.Size()}, err
}

func (l *Ledger) add(m Ledger) {
	l.Kept += m.Kept
	l.Dropped += m.Dropped
	l.Repeated += m.Repeated
	l.Rewritten += m.Rewritten
	l.Spliced += m.Spliced
	l.Synthesised += m.Synthesised
}

// stateOfSessions says how a backup of a database and its sessions stand to each other.
func stateOfSessions(ctx context.Context, m *Manifest) BackupState {
	d, err := database.Open(ctx, string(m.Path), database.Options{Path: string(m.Path)})
	if err != nil {
		return BackupStale
	}
	defer d.Close()
	if d.Refusal != nil || d.New {
		return BackupStale
	}
	after, before := 0, 0
	for _, s := range m.Sessions {
		switch print, err := printOf(d, s.ID); {
		case err != nil:
		case print == s.After:
			after++
		case print == s.Before:
			before++
		}
	}
	switch len(m.Sessions) {
	case after:
		return BackupCurrent
	case before:
		return BackupUndone
	case after + before: // some were undone alone
		return BackupCurrent
	}
	return BackupStale
}
