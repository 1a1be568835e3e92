package rules

import (
	"fmt"
	"math"
	"path/filepath"

	"github.com/turnlint/turnlint/session"
)

// GenerationMismatch reports that the name of a log is of another generation than
// its header.
var GenerationMismatch = &Rule{
	ID:        "TL813",
	Name:      "generation-mismatch",
	Summary:   "the name of a log is of another format version than its header",
	Class:     Damaged,
	Severity:  Error,
	Authority: Layout,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("generation-mismatch"),
	checkDir:  checkGenerationMismatch,
}

func checkGenerationMismatch(p *storePass) {
	for _, log := range p.logs {
		if l := log.Listing(); l.Misnamed {
			refuse(&p.refusals.log, l.Blocks)
			p.report(log.Name(), "dsh cannot list any session of this store: %s", l.Blocks.Text)
		}
	}
}

// misnamed returns what dsh says of a log at a path when its name is of another
// generation than its header, or nil.
func misnamed(path string, h *session.Header) *session.Refusal {
	name, ok := session.ParseLogName(filepath.Base(path))
	if !ok || h == nil || h.Version != math.Trunc(h.Version) || h.Version == float64(name.Generation) {
		return nil
	}
	return session.Refuse(fmt.Sprintf("session generation filename identifies v%d, but its header identifies v%.0f", name.Generation, h.Version))
}
