package repair

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"time"
)

// ManifestVersion is the version of the JSON form of a [Manifest].
const ManifestVersion = 2

// Manifest describes a backup: what was repaired, how, and what it takes to undo it.
type Manifest struct {
	Version int    `json:"version"`
	Tool    string `json:"tool"` // what wrote it: module and version
	Path    Path   `json:"path"` // of the log, absolute
	// Move, when set, says that the log has got another place and kept its bytes.
	Move *Relocation `json:"move,omitempty"`
	// Before is the log before the repair and After the repaired one, each as it
	// was when it last left its path. After has no time before it did.
	Before  FileState `json:"before"`
	After   FileState `json:"after"`
	Options struct {
		Options
		Encoding      string `json:"encoding"`
		Settle        string `json:"settle"` // how long the log had been left alone, such as "5s"
		AssumeStopped bool   `json:"assumeStopped"`
	} `json:"options"`
	Ledger    Ledger    `json:"ledger"`
	Rewrites  []Rewrite `json:"rewrites,omitempty"`
	Splice    *Splice   `json:"splice,omitempty"`
	LostFound []Lost    `json:"lostFound"`
	// Sessions, of a database, are those that were repaired, and what left them. The
	// prints in Before and After are then those of all of them.
	Sessions []SessionState `json:"sessions,omitempty"`
	// Original is the copy of a database in the backup.
	Original *Fileprint `json:"original,omitempty"`
	// History is what happened to the log, oldest first. An entry is written just
	// before its swap, so a crash may leave one without it: what the log is now,
	// only its hash tells.
	History []Swap `json:"history"`
}

// FileState is the bytes of a file, by their hash, and its attributes.
type FileState struct {
	Fileprint
	Mode    fileMode  `json:"mode"`
	Owner   *Owner    `json:"owner,omitempty"`
	ModTime time.Time `json:"modTime,omitzero"`
}

// Fileprint tells the bytes of a file.
type Fileprint struct {
	SHA256 string `json:"sha256"` // lower-case hex
	Size   int64  `json:"size"`   // bytes
}

// Lost is a file in lost+found and the part of the log that it holds.
type Lost struct {
	File string `json:"file"`
	Leave
}

// Swap is a moment at which turnfix put other bytes in the place of a log, or the
// log at another place.
type Swap struct {
	Time time.Time `json:"time"`
	Kind SwapKind  `json:"kind"`
}

// SwapKind says which bytes took the place of which.
type SwapKind string

// The swaps.
const (
	Applied SwapKind = "apply" // the repaired log replaced the damaged one, or a log was moved
	Undone  SwapKind = "undo"  // the damaged log came back, or to its old place
	Redone  SwapKind = "redo"  // the undo was undone: the repaired log came back, or the move
)

func (c *Committer) manifest(log *openLog, p *Plan, after Fileprint) *Manifest {
	m := c.manifestOf(log, p.Options)
	m.After.Fileprint, m.After.ModTime = after, time.Time{}
	m.Ledger, m.Rewrites, m.Splice, m.Options.Encoding = p.Ledger, p.Rewrites, p.Splice, p.Encoding
	for _, l := range p.Leaves {
		m.LostFound = append(m.LostFound, Lost{lostName(&l), l})
	}
	return m
}

// manifestOf returns the manifest of a log that keeps its bytes.
func (c *Committer) manifestOf(log *openLog, opt Options) *Manifest {
	m := &Manifest{
		Version: ManifestVersion, Tool: tool(), Path: Path(log.path),
		Before: log.state(), After: log.state(), LostFound: []Lost{},
	}
	m.Options.Options = opt
	m.Options.Settle = c.settle().String()
	m.Options.AssumeStopped = c.AssumeStopped
	return m
}

// lostName names what leaves a log by its place: the offset in the file and, of
// decoded text, that in the text.
func lostName(l *Leave) string {
	if l.Text == nil {
		return fmt.Sprintf("%012d", l.FileOff)
	}
	return fmt.Sprintf("%012d-text-%012d", l.FileOff, l.Text.PlainOff)
}

// state returns what the log is now.
func (l *openLog) state() FileState {
	a := attributesOf(l.info)
	return FileState{Fileprint{l.sum, l.info.Size()}, fileMode(a.Mode), a.Owner, a.ModTime}
}

// last returns the time of the last swap.
func (m *Manifest) last() time.Time { return m.History[len(m.History)-1].Time }

// tool returns the module that the program was built from, with its version.
func tool() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return strings.TrimSpace(info.Main.Path + " " + info.Main.Version)
}

func encode(v any) func(io.Writer) error {
	return func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(v)
	}
}

// readManifest reads the manifest at name. It may have been written by anybody: the
// hashes and the history of what it returns have their form, and nothing else is sure.
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
	if m.Version != ManifestVersion || m.Path == "" || len(m.History) == 0 ||
		!isHash(m.Before.SHA256) || !isHash(m.After.SHA256) || m.Sessions != nil && m.Original == nil || m.Move != nil && !m.Move.below(string(m.Path)) {
		return nil, fmt.Errorf("%q is no manifest that this turnfix understands", name)
	}
	return m, nil
}

var isHash = regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString

// historyOf returns the history in the manifest of a backup, which a repair of the
// same log in the same state goes on with.
func (c *Committer) historyOf(dir string) []Swap {
	m, err := c.readManifest(filepath.Join(dir, manifestName))
	if err != nil {
		return nil // a backup that never came to be has none
	}
	return m.History
}
