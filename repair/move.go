package repair

import (
	"encoding/json"
	"path/filepath"
	"strings"
)

// MoveKind says what becomes of a file in a sessions directory.
type MoveKind string

// The kinds of moves.
const (
	// ToPlace moves a log to the place that its header names.
	ToPlace MoveKind = "move"
	// Quarantine takes a log out of the sessions directory, because another log of
	// the same session stays.
	Quarantine MoveKind = "quarantine"
	// Adopt puts a copy that lies beside a log in the place of that log.
	Adopt MoveKind = "adopt"
	// Rehead makes the header of a log name the place where it lies.
	Rehead MoveKind = "rewrite-header"
	// LeaveBe names a file that dsh does not look at, and does nothing.
	LeaveBe MoveKind = "leave"
)

// Move is what is to be done about the place of one file in a sessions directory
// (docs/format.md §1.1). Like a [Plan] it is bound to the bytes of the file. One that
// was read from JSON says what was planned once; see [Move.SameAs].
type Move struct {
	Kind MoveKind `json:"kind"`
	Root Path     `json:"root"`            // the sessions directory, as it was named
	From Path     `json:"from"`            // the file, below Root
	To   Path     `json:"to,omitempty"`    // its new place, below Root
	With Path     `json:"other,omitempty"` // the log or copy that it is compared with, below Root

	Size   int64  `json:"size"` // bytes of the file
	SHA256 string `json:"sha256"`

	Options Options `json:"options"`
	Action  Action  `json:"action"`
	Level   Level   `json:"level,omitempty"`
	Reason  string  `json:"reason,omitempty"`
	Next    string  `json:"next,omitempty"` // what to do instead of a refused move

	// Of a comparison: the events with which both begin, and those that follow
	// them in each. The other is taken as its repair leaves it.
	Common int64 `json:"common,omitempty"`
	Own    int64 `json:"own,omitempty"`
	Others int64 `json:"others,omitempty"`

	// NewHeader is the line that Rehead writes.
	NewHeader string `json:"newHeader,omitempty"`

	withSum string // SHA-256 of With
}

// Path returns the path of the file.
func (m *Move) Path() string { return m.at(m.From) }

// Target returns the path to which ToPlace moves the log.
func (m *Move) Target() string { return m.at(m.To) }

// Other returns the path of the log or copy that the file is compared with.
func (m *Move) Other() string { return m.at(m.With) }

func (m *Move) at(below Path) string { return filepath.Join(string(m.Root), string(below)) }

// SameAs reports whether m and n would do the same with the same bytes. How the
// sessions directory was named, and words that may quote it, may differ.
func (m *Move) SameAs(n *Move) bool {
	a, b := *m, *n
	for _, x := range []*Move{&a, &b} {
		x.Root, x.Reason, x.Next = "", "", ""
	}
	x, errX := json.Marshal(&a)
	y, errY := json.Marshal(&b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// refuse makes m a refusal. level is that of the move that it would become with
// what next says, "" when there is none.
func (m *Move) refuse(level Level, reason, next string) *Move {
	m.Action, m.Level, m.Reason, m.Next = Refuse, level, reason, next
	return m
}

// do makes m an action.
func (m *Move) do(level Level, reason string) *Move {
	m.Action, m.Level, m.Reason = Repair, level, reason
	return m
}

// Replaces reports whether m decides over the content of its log, so that the log
// as it is needs no repair.
func (m *Move) Replaces() bool {
	return m.Action == Repair && (m.Kind == Quarantine || m.Kind == Adopt)
}

// sessionDepth is the number of names in the path of a log below its sessions
// directory: project, session directory, log.
const sessionDepth = 3

// split returns the components of a path below a sessions directory.
func split(below string) []string { return strings.Split(below, string(filepath.Separator)) }
