package repair

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"
)

// ManifestVersion is the version of the JSON form of a [Manifest].
const ManifestVersion = 1

// Names in the directory of a backup.
const (
	manifestName  = "manifest.json"
	originalName  = "original" // the log before the repair
	lostFoundName = "lost+found"
	indexName     = "index.json" // of lost+found
)

// Manifest describes a backup: what was repaired, how, and what it takes to undo it.
type Manifest struct {
	Version int       `json:"version"`
	Tool    string    `json:"tool"`   // what wrote it: module and version
	Path    Path      `json:"path"`   // of the log, absolute
	Before  Fileprint `json:"before"` // the log in the backup
	After   Fileprint `json:"after"`  // the repaired log
	Mode    fileMode  `json:"mode"`
	Owner   *Owner    `json:"owner,omitempty"`
	ModTime time.Time `json:"modTime"` // of the log before the repair
	Options struct {
		Options
		Encoding      string `json:"encoding"`
		AssumeStopped bool   `json:"assumeStopped"`
	} `json:"options"`
	Ledger    Ledger `json:"ledger"`
	LostFound []Lost `json:"lostFound"`
}

// Fileprint tells the bytes of a file.
type Fileprint struct {
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"` // bytes
}

// Lost is a file in lost+found and the part of the log that it holds.
type Lost struct {
	File string `json:"file"`
	Leave
}

// backupDir returns the directory for the backup of a log in a certain state. The
// same repair, done again after a crash or an undo, has the same backup.
func (c *Committer) backupDir(path, sum string) string {
	return filepath.Join(c.StateDir, "backups", key(path)+"-"+sum[:12])
}

// backUp copies the log and what leaves it into the state directory, all of it
// durable, and returns the path of the manifest. The manifest is written last: a
// directory without one is a backup that never came to be.
func (c *Committer) backUp(log *openLog, p *Plan, after Fileprint) (string, error) {
	dir := c.backupDir(log.path, log.sum)
	lost := filepath.Join(dir, lostFoundName)
	if err := c.FS.MkdirAll(lost); err != nil {
		return "", err
	}
	if err := c.empty(dir, lost); err != nil {
		return "", err
	}
	original := io.NewSectionReader(log, 0, log.info.Size())
	if err := c.create(filepath.Join(dir, originalName), copyFrom(original)); err != nil {
		return "", err
	}
	m := c.manifest(log, p, after)
	for _, l := range m.LostFound {
		part := io.NewSectionReader(log, l.FileOff, l.Len)
		if err := c.create(filepath.Join(lost, l.File), copyFrom(part)); err != nil {
			return "", err
		}
	}
	if err := c.create(filepath.Join(lost, indexName), encode(m.LostFound)); err != nil {
		return "", err
	}
	name := filepath.Join(dir, manifestName)
	if err := c.create(name, encode(m)); err != nil {
		return "", err
	}
	return name, c.syncUp(lost)
}

func (c *Committer) manifest(log *openLog, p *Plan, after Fileprint) *Manifest {
	a := attributesOf(log.info)
	m := &Manifest{
		Version: ManifestVersion, Tool: tool(), Path: Path(log.path),
		Before: Fileprint{log.sum, log.info.Size()}, After: after,
		Mode: fileMode(a.Mode), Owner: a.Owner, ModTime: a.ModTime,
		Ledger: p.Ledger, LostFound: []Lost{},
	}
	m.Options.Options = p.Options
	m.Options.Encoding = p.Encoding
	m.Options.AssumeStopped = c.AssumeStopped
	for _, l := range p.Leaves {
		m.LostFound = append(m.LostFound, Lost{fmt.Sprintf("%012d", l.FileOff), l})
	}
	return m
}

// tool returns the module that the program was built from, with its version.
func tool() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return strings.TrimSpace(info.Main.Path + " " + info.Main.Version)
}

// empty removes what an interrupted run, or a repair that was undone, left in the
// directory of the same backup. The manifest goes first, so that it never
// describes files that are gone.
func (c *Committer) empty(dir, lost string) error {
	names, err := c.FS.ReadDir(lost)
	if err != nil {
		return err
	}
	files := []string{filepath.Join(dir, manifestName), filepath.Join(dir, originalName)}
	for _, name := range names {
		files = append(files, filepath.Join(lost, name))
	}
	for _, file := range files {
		if err := c.FS.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// create makes a new file with the content that write gives it, durable.
func (c *Committer) create(name string, write func(io.Writer) error) error {
	f, err := c.FS.Create(name)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func copyFrom(r io.Reader) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.Copy(w, r)
		return err
	}
}

func encode(v any) func(io.Writer) error {
	return func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(v)
	}
}

// syncUp makes the names durable from dir up to the parent of the state directory,
// which may be new as well.
func (c *Committer) syncUp(dir string) error {
	top := filepath.Dir(filepath.Clean(c.StateDir))
	for {
		if err := c.FS.SyncDir(dir); err != nil {
			return err
		}
		if dir == top {
			return nil
		}
		dir = filepath.Dir(dir)
	}
}

// readManifest reads the manifest at name.
func (c *Committer) readManifest(name string) (*Manifest, error) {
	f, err := c.FS.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.NewDecoder(io.NewSectionReader(f, 0, info.Size())).Decode(m); err != nil {
		return nil, fmt.Errorf("%q is no manifest: %w", name, err)
	}
	if m.Version != ManifestVersion || m.Path == "" || m.Before.SHA256 == "" {
		return nil, fmt.Errorf("%q is no manifest that this turnfix understands", name)
	}
	return m, nil
}
