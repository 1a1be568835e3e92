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
		return c.Fault.refusal()
	case c.Frames == 0:
		return session.Refuse("empty or header-less Zstandard session log")
	case len(c.Broken) > 0 && c.Broken[0].Frame.Number == 1:
		return brokenFrame(&c.Broken[0].Frame)
	case !c.HeaderFrame:
		return notHeaderFrame()
	}
	return m.headerErr
}

func (f *FrameFault) refusal() *session.Refusal {
	return session.Refuse(fmt.Sprintf("corrupt Zstandard session log: %s at byte %d", faultTexts[f.Kind], f.FileOff))
}

func notHeaderFrame() *session.Refusal {
	return session.Refuse("corrupt Zstandard session log: first frame is not exactly one header line")
}

var faultTexts = [...]string{
	BadMagic:      "invalid frame magic",
	ReservedBit:   "reserved frame-header bit",
	ReservedBlock: "reserved block type",
}

func brokenFrame(f *Frame) *session.Refusal {
	return session.Refuse(fmt.Sprintf("corrupt Zstandard session log: frame at byte %d failed validation", f.FileOff))
}

// eventFrameRefusal finds the first fault behind the header in file order. dsh
// decodes a frame before it scans its text, so text that was read from a frame
// that fails in the end counts for nothing.
func (m *Model) eventFrameRefusal(c *Container) *session.Refusal {
	fatal := m.scan.fatal
	if len(c.Broken) > 0 && (fatal == nil || m.scan.fatalFrame >= c.Broken[0].Frame.Number) {
		return brokenFrame(&c.Broken[0].Frame)
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
	if m.opt.Root != "" {
		requested, _ := session.DecodeID(filepath.Base(filepath.Dir(m.opt.Path)))
		if requested != m.header.ID {
			return session.Refuse(fmt.Sprintf(`corrupt session log "%s": requested id "%s" does not match header id "%s"`,
				m.opt.Path, jsjson.ToValidUTF8(requested), jsjson.ToValidUTF8(m.header.ID)))
		}
	}
	return misplaced(m.header, c.Encoding, &m.opt)
}

// misplaced returns why the header leads to no path or to another one than that
// of the log (docs/format.md §7), or nil.
func misplaced(h *session.Header, encoding Encoding, opt *ModelOptions) *session.Refusal {
	corrupt := func(text string) *session.Refusal {
		return session.Refuse(`corrupt session log "` + opt.Path + `": ` + text)
	}
	name, idErr := session.EncodeID(h.ID)
	project, cwdErr := session.ProjectKey(h.CWD)
	if idErr != nil || cwdErr != nil {
		return corrupt("header id cannot name a storage path")
	}
	if opt.Root == "" {
		return nil
	}
	derived := filepath.Join(opt.Root, project, name, logName(encoding))
	if derived == opt.Path || opt.SameFile != nil && opt.SameFile(derived) {
		return nil
	}
	return corrupt(fmt.Sprintf(`header id "%s" and cwd identify "%s"`, jsjson.ToValidUTF8(h.ID), derived))
}

// logName returns the name of a log in its session directory.
func logName(encoding Encoding) string {
	if encoding == Zstd {
		return session.ZstdName
	}
	return session.PlainName
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
