package repair

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"

	"github.com/turnlint/turnlint/session"
)

// DefaultStateDir is where backups go unless told otherwise: below
// $XDG_STATE_HOME or its equivalent on this system.
func DefaultStateDir() string { return filepath.Join(xdg.StateHome, "turnlint") }

// key names a log in the state directory: 12 hex digits of the SHA-256 of its path.
func key(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:6])
}

// outside refuses a directory in the sessions tree that the log belongs to: dsh
// takes what lies there for sessions, and one that it cannot read hides the others
// (docs/format.md §1.1).
func outside(path, dir, what string) error {
	tree, ok := sessionsTree(path)
	if !ok {
		return nil
	}
	return outsideTree(tree, dir, what)
}

// outsideTree refuses a directory in a sessions tree.
func outsideTree(tree, dir, what string) error {
	dir, err := resolve(dir)
	if err != nil {
		return err
	}
	below, err := filepath.Rel(tree, dir)
	if err != nil || !filepath.IsLocal(below) {
		return nil
	}
	return fmt.Errorf("%s %q lies in the sessions tree %q, where dsh would look for sessions in it", what, dir, tree)
}

// sessionsTree returns the sessions directory that holds the log, when the path
// has the form <root>/<project>/<session>/session[.vN].jsonl[.zstd].
func sessionsTree(path string) (root string, ok bool) {
	if _, ok := session.ParseLogName(filepath.Base(path)); !ok {
		return "", false
	}
	project := filepath.Dir(filepath.Dir(path))
	name := filepath.Base(project)
	isProject := name == noProject || len(name) > 4 && strings.HasPrefix(name, "--") && strings.HasSuffix(name, "--")
	return filepath.Dir(project), isProject
}

// resolve returns the absolute path without links of a directory that need not
// exist yet.
func resolve(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(dir)
	if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir {
		return real, err
	}
	parent, err := resolve(filepath.Dir(dir))
	return filepath.Join(parent, filepath.Base(dir)), err
}

// noProject is the project of sessions without a working directory
// (docs/format.md §7.2).
const noProject = "_no-cwd"
