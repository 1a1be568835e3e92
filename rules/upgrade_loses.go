package rules

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/upgrade"
)

// UpgradeLoses reports that an upgrade silently leaves out events.
var UpgradeLoses = &Rule{
	ID:        "TL918",
	Name:      "upgrade-loses",
	Summary:   "an upgrade silently leaves out events",
	Class:     Damaged,
	Severity:  Error,
	Authority: Upgrade,
	Reader:    Drops,
	Fix:       Lossy,
	Remedy:    "repair the log as one of its own format before a newer dsh opens it: what the upgrade leaves out is still there",
	Doc:       page("upgrade-loses"),
}

// loses reports what an upgrade leaves out without a word.
func (f *forecast) loses(v *scan.ReaderVersion, result *upgrade.Result, r *scan.Reading) {
	h := hindrance{UpgradeLoses, -1}
	found := f.findings[h]
	if found == nil {
		what, place := words.Count(r.Dropped, "complete event"), result.FirstDropped
		if c := f.pass.container; r.Dropped == 0 && c.Torn != nil {
			what = words.Count(int64(c.Hidden.Frames), "intact frame")
			place = f.pass.filePlace(c.Torn.FileOff, c.CompleteLen, c.Torn.Number)
		}
		found = f.keep(h, place, fmt.Sprintf("an upgrade silently leaves out %s from here on", what))
	}
	found.answer(v.ShortName(), "")
}
