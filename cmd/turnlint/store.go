package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/inorder"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/store"
)

func storeCommand() *cli.Command {
	return &cli.Command{
		Name: "store", Usage: "list the sessions of a sessions directory or a database", ArgsUsage: "[DIR | DATABASE | DATABASE#ID]",
		Description: "One line a session, from the names of its logs and the two ends of the one that dsh chooses.\n" +
			"DIR is a sessions directory, or a project or session in one. Without it, that of dsh is\nlisted: $DSH_HOME/sessions, else ~/.dsh/sessions. What keeps dsh from listing any session\ncomes first. The sessions of a database are always read in full.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "deep", Usage: "read every log in full, for the exact verdict and the exact counts"},
			shared.Choice("sort", "order the sessions by `COLUMN`", "project", columnNames()...),
			&cli.StringFlag{Name: "root", Usage: "take `DIR` for the sessions directory of dsh, instead of finding it"},
			shared.Choice("format", "print the list as `FORMAT`", "text", "text", "json"),
			maxLineFlag(),
			shared.ColorFlag(), shared.LangFlag(),
		},
		Action: listStore,
	}
}

// listing is one run of the store command.
type listing struct {
	c     *cli.Context
	tree  *store.Tree
	store *rules.StoreResult
	rows  []*storeRow
	code  int // the worst exit code so far
}

func listStore(c *cli.Context) error {
	if c.NArg() == 1 {
		path, err := shared.Named(c.Args().First())
		if err != nil {
			return err
		}
		if path.Database {
			return listDatabase(c, path.Name, path.Session)
		}
	}
	tree, err := storeTree(c)
	if err != nil {
		return err
	}
	l := &listing{c: c, tree: tree}
	if err := l.survey(); err != nil {
		return err
	}
	if c.Bool("deep") {
		if err := l.readAll(); err != nil {
			return err
		}
	}
	if len(l.rows) == 0 && l.store.Lists {
		return &shared.InputError{
			Path: tree.Path, What: "no sessions here",
			Hint: "a sessions directory holds PROJECT/SESSION/session.jsonl.zstd, or other names of logs",
		}
	}
	sortRows(l.rows, c.String("sort"))
	write := l.writeText
	if c.String("format") == "json" {
		write = l.writeJSON
	}
	if err := write(); err != nil {
		return err
	}
	return shared.Status(l.exitCode())
}

// storeTree returns the sessions directory to list, or the part of one.
func storeTree(c *cli.Context) (*store.Tree, error) {
	paths, root, err := inputs(c)
	if err != nil {
		return nil, err
	}
	if len(paths) > 1 {
		return nil, shared.Usagef("want at most one directory, got %d", len(paths))
	}
	dir := paths[0]
	switch info, err := os.Stat(dir); {
	case err != nil:
		return nil, shared.Unreadable(dir, err)
	case !info.IsDir():
		return nil, shared.Usagef("%s is not a directory", dir)
	}
	if root != "" {
		if tree := store.In(root, dir); tree != nil {
			return tree, nil
		}
		return nil, shared.Usagef("%s is not in the sessions directory %s", dir, root)
	}
	return findTree(dir)
}

// findTree goes by the structure of a directory, and takes one that has none for
// a sessions directory, because the user says so.
func findTree(dir string) (*store.Tree, error) {
	if tree := store.Around(dir); tree != nil {
		return tree, nil
	}
	switch below := slices.Collect(store.Detect(dir)); len(below) {
	case 0:
		abs, err := filepath.Abs(dir)
		return &store.Tree{Path: dir, Root: abs}, err
	case 1:
		return below[0], nil
	default:
		return nil, shared.Usagef("%s holds %d sessions directories: name one of them, such as %s", dir, len(below), below[0].Path)
	}
}

// survey reads names, headers and tails, and finds what keeps dsh from listing
// the sessions.
func (l *listing) survey() (err error) {
	l.store, err = rules.CheckListing(l.c.Context, l.tree, func(yield func(*store.Dir) bool) {
		for dir, summary := range l.tree.Survey() {
			l.complain(dir)
			if summary != nil {
				l.rows = append(l.rows, newRow(summary))
			}
			if !yield(dir) {
				return
			}
		}
	})
	return err
}

// complain says on standard error what could not be read.
func (l *listing) complain(d *store.Dir) {
	if d.Err != nil && !errors.Is(d.Err, fs.ErrNotExist) {
		shared.Complain(l.c, shared.Unreadable(d.Path, d.Err))
		l.code = max(l.code, exitUnread)
	}
}

// readAll reads the logs of all sessions in full.
func (l *listing) readAll() error {
	opt := rules.Options{Root: l.tree.Root, MaxLine: shared.Size(l.c, "max-line")}
	read := func(r *storeRow) error {
		if r.Listing.Err != nil {
			return nil // and a named pipe would wait for somebody to write
		}
		return l.read(r, opt)
	}
	for err := range inorder.Map(runtime.GOMAXPROCS(0), slices.Values(l.rows), read) {
		if errors.Is(err, context.Canceled) {
			return err
		}
		if err != nil {
			shared.Complain(l.c, err)
		}
	}
	return nil
}

func (l *listing) read(r *storeRow, opt rules.Options) error {
	name := r.Winner().Path
	err := shared.Read(l.c.Context, name, l.c.App.Reader, func(src *shared.Source) (err error) {
		if opt.Path, err = filepath.Abs(name); err != nil {
			return err
		}
		opt.SameFile = store.SameFile(opt.Path)
		result, err := rules.Check(src, src.Size(), opt)
		if err == nil {
			l.store.Judge(opt.Path, result)
			r.setResult(result)
		}
		return err
	})
	if err != nil {
		r.setProblem(problem(err))
	}
	return err
}

// exitCode sums up what was found.
func (l *listing) exitCode() int {
	code := l.code
	if !l.store.Lists {
		code = max(code, exitFindings)
	}
	for _, r := range l.rows {
		code = max(code, r.exitCode())
	}
	return code
}
