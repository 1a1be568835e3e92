package repair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/store"
)

// parentLog is the log of the session that a forked one took its first events from.
// It is only read.
type parentLog struct {
	path string
	sum  string // SHA-256 of its bytes
	size int64
}

// parentText is the text of the log of a parent, which may be that of the rows of a
// session in a database.
type parentText interface {
	io.ReaderAt
	io.Closer
}

// openParent opens the log of a parent. It waits for nobody, as it would for a named
// pipe.
func openParent(path string) (parentText, *parentLog, error) {
	if name, id, ok := store.SplitSession(path); ok {
		return openParentSession(path, name, id)
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
	}
	if err != nil {
		return nil, nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	p := &parentLog{path: path}
	if info, err = file.Stat(); err == nil {
		p.size = info.Size()
		p.sum, err = hashOf(file, p.size)
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, p, nil
}

// openParentSession opens the session with an id in the database of the given name.
func openParentSession(path, name, id string) (parentText, *parentLog, error) {
	d, err := (&StoreSource{Path: name}).open(context.Background())
	if err != nil {
		return nil, nil, err
	}
	defer d.Close()
	if d.Refusal != nil {
		return nil, nil, fmt.Errorf("%s: dsh does not open it: %q", name, d.Refusal.Text)
	}
	found, err := selectSessions(d, &id)
	if err != nil {
		return nil, nil, err
	}
	text, err := newSpool(func(w io.Writer) error { return writeText(w, found[0]) })
	if err != nil {
		return nil, nil, err
	}
	p := &parentLog{path: path, size: text.size}
	if p.sum, err = hashOf(text, p.size); err != nil {
		return nil, nil, errors.Join(err, text.Close())
	}
	return text, p, nil
}

// errOtherParent says that the log of a parent is not what a plan was made with.
var errOtherParent = errors.New("the log of the parent session has changed since the plan was made")

// events gives the first n events of the log to take, as records. A packed row that
// goes on behind them is cut.
func (p *parentLog) events(n int64, take func(*scan.Record) error) error {
	if p == nil {
		return errOtherParent
	}
	file, now, err := openParent(p.path)
	if err != nil {
		return err
	}
	defer file.Close()
	if *now != *p {
		return errOtherParent
	}
	r, err := scan.NewReader(file, p.size, scan.Options{})
	if err != nil {
		return err
	}
	var part scan.Record
	for record := range r.Records() {
		switch events := record.Events(); {
		case n == 0:
			return nil
		case record.Kind == scan.Header:
			continue
		case events > n:
			part.Reparse(record.Row.AppendPart(nil, 0, int(n)))
			record, n = &part, 0
		default:
			n -= events
		}
		if err := take(record); err != nil {
			return err
		}
	}
	return r.Err()
}

// write writes the first n events as lines.
func (p *parentLog) write(w io.Writer, n int64) error {
	return p.events(n, func(r *scan.Record) error { return writeLine(w, r.Text) })
}

// findParents finds the logs of the session with an id beside the log: in its sessions
// tree, or in its database.
func (p *Plan) findParents(id string) []string {
	if p.Options.Siblings != nil {
		return p.Options.Siblings(id)
	}
	return findParents(string(p.Path), id)
}

// findParents looks in the sessions tree of the log at path for the logs of the
// session with an id, in any project and encoding (docs/format.md §1.1 and §7.1).
// Directories that cannot be read are passed over.
func findParents(path, id string) (found []string) {
	if path == "" { // a log that lies nowhere, such as the text of a session in a database
		return nil
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil
	}
	root, ok := sessionsTree(path)
	name, err := session.EncodeID(id)
	if !ok || err != nil {
		return nil
	}
	projects, _ := os.ReadDir(root)
	for _, project := range projects {
		dir := filepath.Join(root, project.Name(), name)
		if info, err := os.Lstat(dir); !project.IsDir() || err != nil || !info.IsDir() {
			continue // dsh follows no links to directories
		}
		for _, log := range []string{session.PlainName, session.ZstdName} {
			if info, err := os.Stat(filepath.Join(dir, log)); err == nil && info.Mode().IsRegular() {
				found = append(found, filepath.Join(dir, log))
			}
		}
	}
	return found
}
