package repair

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/store"
)

// ErrOneHistory is returned for a log of which no branches can be exported.
var ErrOneHistory = errors.New("it tells one history only: there are no branches to export")

// ExportBranches writes each history that the log tells, and that dsh would open,
// as a session of its own with a new id, at its place below dir, a sessions
// directory. It leaves src alone. The outcomes are in the order of the histories.
func (c *Committer) ExportBranches(ctx context.Context, src io.ReaderAt, size int64, path, dir string, opt Options) ([]*Outcome, error) {
	opt.Branch, opt.Export = 0, false
	p, err := NewPlan(src, size, path, opt)
	if err != nil {
		return nil, err
	}
	if len(p.Candidates) < 2 {
		return nil, ErrOneHistory
	}
	var all []*Outcome
	opt.Export = true
	for i := range p.Candidates {
		if p.Candidates[i].Refusal != "" {
			continue
		}
		opt.Branch = p.Candidates[i].Number
		target, err := branchPath(dir, p, opt.Branch)
		if err != nil {
			return all, err
		}
		out, err := c.Copy(ctx, src, size, path, target, opt)
		if out != nil {
			all = append(all, out)
		}
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// branchPath returns where dsh looks for the session of a branch
// (docs/format.md §1.1).
func branchPath(dir string, p *Plan, branch int) (string, error) {
	id, err := session.EncodeID(branchID(p.header.ID, branch))
	if err != nil {
		return "", err
	}
	project, err := session.ProjectKey(p.header.CWD)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, project, id, p.logName()), nil
}

// branchID returns the id of the session of a branch, in the form of dsh's ids.
func branchID(id string, branch int) string {
	return "session-" + newUUID(fmt.Sprintf("turnfix branch %d of %s", branch, id))
}

// newUUID returns a UUID of version 8 (RFC 9562 §5.8) that depends on the text alone.
func newUUID(text string) string {
	sum := sha256.Sum256([]byte(text))
	sum[6], sum[8] = sum[6]&0x0F|0x80, sum[8]&0x3F|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// renamed returns the header line with another id, its other members as they are.
func renamed(header []byte, id string) []byte {
	return withMember(header, "id", jsjson.AppendQuoted(nil, id))
}

// ExportStoreBranches is [Committer.ExportBranches] for the sessions of a database, or
// the one with the id that session points to: the histories become plain logs. Those
// sessions that tell one history only are passed over, unless they are all there are.
func (c *Committer) ExportStoreBranches(ctx context.Context, source StoreSource, session *string, dir string, opt Options) ([]*Outcome, error) {
	d, err := source.open(ctx)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if d.Refusal != nil {
		return nil, fmt.Errorf("dsh does not open it: %q", d.Refusal.Text)
	}
	sessions, err := selectSessions(d, session)
	if err != nil {
		return nil, err
	}
	var all []*Outcome
	for _, s := range sessions {
		some, err := c.exportSession(ctx, s, dir, opt)
		for _, out := range some {
			out.Plan.Path = Path(store.SessionName(source.Path, s.ID))
		}
		if all = append(all, some...); err != nil && !errors.Is(err, ErrOneHistory) {
			return all, fmt.Errorf("session %q: %w", s.ID, err)
		}
	}
	if len(all) == 0 {
		return nil, ErrOneHistory
	}
	return all, nil
}

// exportSession writes the histories of one session.
func (c *Committer) exportSession(ctx context.Context, s *database.Session, dir string, opt Options) ([]*Outcome, error) {
	text, err := newSpool(func(w io.Writer) error { return writeText(w, s) })
	if err != nil {
		return nil, err
	}
	defer text.Close()
	return c.ExportBranches(ctx, text, text.size, "", dir, opt)
}
