package scan

import (
	"fmt"
	"path/filepath"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// scanRefusal returns why the physical read fails, in the order of dsh's checks
// (docs/format.md §1.4), or nil.
func (m *Model) scanRefusal(c *Container) *session.Refusal {
	if c.Encoding == Plain {
		if m.header == nil {
			return session.Refuse("empty or header-less session log")
		}
		if m.headerErr != nil {
			return m.headerErr
		}
		return m.scan.fatal
	}
	if refusal := m.headerFrameRefusal(c); refusal != nil {
		return refusal
	}
	return m.eventFrameRefusal(c)
}

func (m *Model) headerFrameRefusal(c *Container) *session.Refusal {
	switch {
	case c.Fault != nil:
		return session.Refuse(fmt.Sprintf("corrupt Zstandard session log: %s at byte %d",
			faultTexts[c.Fault.Kind], c.Fault.FileOff))
	case c.Frames == 0:
		return session.Refuse("empty or header-less Zstandard session log")
	case len(c.Broken) > 0 && c.Broken[0].Frame.Number == 1:
		return brokenFrame(c)
	case !c.HeaderFrame:
		return session.Refuse("corrupt Zstandard session log: first frame is not exactly one header line")
	}
	return m.headerErr
}

var faultTexts = [...]string{
	BadMagic:      "invalid frame magic",
	ReservedBit:   "reserved frame-header bit",
	ReservedBlock: "reserved block type",
}

func brokenFrame(c *Container) *session.Refusal {
	return session.Refuse(fmt.Sprintf("corrupt Zstandard session log: frame at byte %d failed validation",
		c.Broken[0].Frame.FileOff))
}

// eventFrameRefusal finds the first fault behind the header in file order. dsh
// decodes a frame before it scans its text, so text that was read from a frame
// that fails in the end counts for nothing.
func (m *Model) eventFrameRefusal(c *Container) *session.Refusal {
	fatal := m.scan.fatal
	if len(c.Broken) > 0 && (fatal == nil || m.scan.fatalFrame >= c.Broken[0].Frame.Number) {
		return brokenFrame(c)
	}
	if fatal != nil && m.scan.fatalFrame <= c.Frames {
		return fatal
	}
	committed := m.scan.committed
	if m.tornEntry != nil {
		committed = m.tornEntry.committed
	}
	if committed != c.CompleteLen {
		return session.Refuse("corrupt Zstandard session log: complete frame contains a torn JSONL record")
	}
	return fatal
}

// identity checks that the header can name a path and, given a root, that the
// log lies there (docs/format.md §1.1).
func (m *Model) identity(c *Container) *session.Refusal {
	corrupt := func(format string, args ...any) *session.Refusal {
		return session.Refuse(`corrupt session log "` + m.opt.Path + `": ` + fmt.Sprintf(format, args...))
	}
	id := jsjson.ToValidUTF8(m.header.ID)
	if m.opt.Root != "" {
		requested, _ := session.DecodeID(filepath.Base(filepath.Dir(m.opt.Path)))
		if requested != m.header.ID {
			return corrupt(`requested id "%s" does not match header id "%s"`, jsjson.ToValidUTF8(requested), id)
		}
	}
	name, idErr := session.EncodeID(m.header.ID)
	project, cwdErr := session.ProjectKey(m.header.CWD)
	if idErr != nil || cwdErr != nil {
		return corrupt("header id cannot name a storage path")
	}
	file := session.PlainName
	if c.Encoding == Zstd {
		file = session.ZstdName
	}
	if derived := filepath.Join(m.opt.Root, project, name, file); m.opt.Root != "" && derived != m.opt.Path {
		return corrupt(`header id "%s" and cwd identify "%s"`, id, derived)
	}
	return nil
}

// located adds the path that dsh appends to refusals of intact logs.
func (m *Model) located(refusal *session.Refusal) *session.Refusal {
	return locate(refusal, m.opt.Path)
}

func locate(refusal *session.Refusal, path string) *session.Refusal {
	if refusal.Class != session.ClassUnsupported || path == "" {
		return refusal
	}
	return &session.Refusal{Class: refusal.Class, Text: refusal.Text + " (raw log: " + path + ")"}
}
