package scan

import (
	"path/filepath"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// OwnGeneration returns the format whose reader a log belongs to: the one that its
// name states where that is one of dsh's, for dsh goes by the name, else the one
// that its header record states, from v2 on; 0 where neither says. A header alone
// does not make a log one of v1, of which dsh has no reader: the first logs of
// June 2026 had that number too (docs/generations.md §1.3).
func OwnGeneration(header []byte, path string) int64 {
	if name, ok := session.ParseLogName(filepath.Base(path)); ok {
		return name.Generation
	}
	var doc jsjson.Doc
	if doc.Parse(header) != nil {
		return 0
	}
	if version, ok := doc.Get("version").SafeInt(); ok && version > 1 {
		return version
	}
	return 0
}
