package rules

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/store"
)

// HiddenPredecessor reports that a log which dsh refuses hides one of an earlier
// generation that is sound.
var HiddenPredecessor = &Rule{
	ID:        "TL814",
	Name:      "hidden-predecessor",
	Summary:   "a log that dsh refuses hides a sound one of an earlier generation",
	Class:     Damaged,
	Severity:  Error,
	Authority: Layout,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("hidden-predecessor"),
	judge:     judgeHiddenPredecessor,
}

// judgeHiddenPredecessor reads the earlier logs only where the one that dsh
// chooses is refused, which is rare.
func judgeHiddenPredecessor(j *judgement) {
	if j.result.Reading.Verdict < scan.Incompatible || j.result.StoreRefuses {
		return
	}
	dir := store.ReadSession(filepath.Dir(j.path))
	for _, winner := range dir.Winners() {
		if winner.Path != j.path {
			continue
		}
		if p := j.soundest(dir.Predecessors(winner)); p != nil {
			f := j.report(fmt.Sprintf("dsh refuses this log, and does not look at %q beside it, which is sound", p.Name()))
			f.relateFile(p.Path, "the sound log")
		}
	}
}

// soundest returns the last log that its own generation opens, or nil.
func (j *judgement) soundest(logs []*store.Log) (sound *store.Log) {
	for _, log := range logs {
		if r, err := j.check(log.Path); err == nil && r.Reading.Verdict <= scan.Recovers {
			sound = log
		}
	}
	return sound
}

func checkFile(path string) (*Result, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return Check(file, info.Size(), Options{Path: path})
}
