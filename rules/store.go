package rules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"sync"

	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/store"
)

// StoreResult of a [CheckStore].
type StoreResult struct {
	Path     string // of the directory, as it was named
	Projects int64  // directories that count as projects
	Sessions int64  // session directories that hold a log, or rows of sessions
	// Lists says whether dsh can list the sessions.
	Lists bool
	// Refusal is what dsh says when it cannot list them: the first of its own
	// reasons, nil when there are only those of the system.
	Refusal *session.Refusal
	// Database says that the directory is a session database instead, and New that dsh
	// makes a new store of it.
	Database, New bool
	// Unprocessed says of a session database that nobody can look at its sessions.
	Unprocessed bool
	// Findings are first those for which dsh cannot list any session, then the
	// others by path. Each has a Path.
	Findings []Finding

	all        *session.Refusal            // of every session
	duplicates map[string]*session.Refusal // of sessions, by the absolute path of their directory
}

// CheckStore returns what is wrong with a sessions directory beyond the content
// of its logs, of which it reads the headers only. Its memory grows by some bytes
// for each session. An error is that of ctx; a directory or a log that cannot be
// read is a finding, because dsh then cannot list the others either.
func CheckStore(ctx context.Context, tree *store.Tree) (*StoreResult, error) {
	return newStorePass(ctx, tree).check(tree.Dirs())
}

// CheckListing is [CheckStore] for what keeps dsh from listing the sessions, and
// nothing else. dirs are those of the tree.
func CheckListing(ctx context.Context, tree *store.Tree, dirs iter.Seq[*store.Dir]) (*StoreResult, error) {
	p := newStorePass(ctx, tree)
	p.listingOnly = true
	return p.check(dirs)
}

func (p *storePass) check(dirs iter.Seq[*store.Dir]) (*StoreResult, error) {
	ctx := p.ctx
	for dir := range dirs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.take(dir)
	}
	p.ask(func(r *Rule) func(*storePass) { return r.checkStore })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.result.all = cmp.Or(p.refusals.encoding, p.refusals.flat)
	p.result.Refusal = cmp.Or(p.result.all, p.refusals.log)
	p.result.Findings = p.sorted()
	return &p.result, nil
}

// storePass is one walk over a sessions directory.
type storePass struct {
	ctx  context.Context
	tree *store.Tree
	rule *Rule // that is asked now
	dir  *store.Dir
	logs []*store.Log // of which dsh chooses one, in dir
	// listingOnly leaves out the rules that do not matter to the listing, and what
	// takes reading whole logs.
	listingOnly bool
	// hasLater says whether any log in the store is of a later generation than v0.
	hasLater func() bool

	projects []string            // names of all projects
	sessions map[uint64]struct{} // hashes of the names of session directories with a log
	seed     maphash.Seed
	plain    encodingTally
	zstd     encodingTally

	refusals refusals
	found    collector
	result   StoreResult
}

func newStorePass(ctx context.Context, tree *store.Tree) *storePass {
	p := &storePass{ctx: ctx, tree: tree, sessions: make(map[uint64]struct{}), seed: maphash.MakeSeed()}
	p.hasLater = sync.OnceValue(tree.HasLater)
	p.result = StoreResult{Path: tree.Path, Lists: true, duplicates: make(map[string]*session.Refusal)}
	p.found.tallies = make(map[*Rule]*tally)
	return p
}

// encodingTally is how many logs have an encoding, and the paths of the first.
type encodingTally struct {
	count int
	paths []string
}

func (t *encodingTally) add(path string) {
	if t.count++; len(t.paths) <= maxRelated {
		t.paths = append(t.paths, path)
	}
}

// take asks the rules about the next directory.
func (p *storePass) take(dir *store.Dir) {
	p.dir, p.logs = dir, nil
	switch dir.Level {
	case store.Root:
		p.projects = dir.Find(store.Subdirectory)
	case store.Project:
		p.result.Projects++
	case store.Session:
		p.takeLogs()
	}
	p.ask(func(r *Rule) func(*storePass) { return r.checkDir })
}

// ask calls the given function of every rule that has one.
func (p *storePass) ask(of func(*Rule) func(*storePass)) {
	for _, rule := range catalogue {
		p.rule = rule
		if check := of(rule); check != nil && (!p.listingOnly || rule.Severity == Error) {
			check(p)
		}
	}
}

func (p *storePass) takeLogs() {
	p.logs = p.dir.Winners()
	if len(p.logs) > 0 {
		p.result.Sessions++
	}
	for _, log := range p.dir.Logs {
		t := &p.plain
		if log.Zstd {
			t = &p.zstd
		}
		t.add(log.Path)
	}
}

// report makes a finding of the current rule about an entry of the directory, ""
// for the directory itself.
func (p *storePass) report(name, format string, args ...any) *Finding {
	return p.reportAt(filepath.Join(p.dir.Path, name), format, args...)
}

func (p *storePass) reportAt(path, format string, args ...any) *Finding {
	return p.keep(p.finding(path, format, args...))
}

func (p *storePass) finding(path, format string, args ...any) Finding {
	r := p.rule
	return Finding{
		Rule: r, Path: path, Class: r.Class, Severity: r.Severity, Reader: r.Reader,
		Message: fmt.Sprintf(format, args...),
	}
}

// keep takes a finding, and whether dsh still lists the sessions.
func (p *storePass) keep(f Finding) *Finding {
	p.result.Lists = p.result.Lists && f.Severity < Error
	return p.found.add(f, 0)
}

// sorted returns the findings in the order of [StoreResult]. Only what keeps dsh
// from listing the sessions is an error.
func (p *storePass) sorted() []Finding {
	findings := p.found.all()
	slices.SortStableFunc(findings, func(a, b Finding) int {
		if a.Severity == Error && b.Severity == Error {
			return cmp.Or(cmp.Compare(a.Rule.ID, b.Rule.ID), cmp.Compare(a.Path, b.Path))
		}
		return cmp.Or(cmp.Compare(b.Severity/Error, a.Severity/Error), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule.ID, b.Rule.ID))
	})
	return findings
}

// refusals are the first reasons for which dsh lists no session, in the order in
// which it looks for them (docs/format.md §1.1).
type refusals struct {
	encoding, flat, log *session.Refusal
}

// refuse keeps a reason, unless there is one of its kind.
func refuse(kept **session.Refusal, r *session.Refusal) { *kept = cmp.Or(*kept, r) }

// absolute returns a path as dsh prints it.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// reason returns what an error of the file system says without the path.
func reason(err error) string {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err.Error()
	}
	return err.Error()
}
