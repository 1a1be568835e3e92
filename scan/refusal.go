package scan

import (
	"fmt"
	"path/filepath"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// identity checks that the header can name a path and, given a root, that the
// log lies there (docs/format.md §1.1).
func identity(h *session.Header, c *Container, opt *ModelOptions) *session.Refusal {
	if opt.Root != "" {
		requested, _ := session.DecodeID(filepath.Base(filepath.Dir(opt.Path)))
		if requested != h.ID {
			return session.Refuse(fmt.Sprintf(`corrupt session log "%s": requested id "%s" does not match header id "%s"`,
				opt.Path, jsjson.ToValidUTF8(requested), jsjson.ToValidUTF8(h.ID)))
		}
	}
	name, _ := session.ParseLogName(filepath.Base(opt.Path))
	name.Zstd = c.Encoding == Zstd // which dsh takes for granted
	return misplaced(h, name, opt)
}

// misplaced returns why the header leads to no path or to another one than that
// of the log (docs/format.md §7), or nil.
func misplaced(h *session.Header, log session.LogName, opt *ModelOptions) *session.Refusal {
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
	derived := filepath.Join(opt.Root, project, name, log.String())
	if derived == opt.Path || opt.SameFile != nil && opt.SameFile(derived) {
		return nil
	}
	return corrupt(fmt.Sprintf(`header id "%s" and cwd identify "%s"`, jsjson.ToValidUTF8(h.ID), derived))
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
