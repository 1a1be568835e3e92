package report

import (
	"strings"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// Aside says what a configuration and a baseline did to findings, so that a report never looks better in silence.
type Aside struct {
	Regraded int // findings that have another severity than their rule gives them
	Hidden   int // findings of rules that are off
	Known    int // findings that a baseline knows
	// Excluded says why the file has no findings in the report; "" for a file that
	// is not excluded.
	Excluded string
}

// Reading is what a version of dsh makes of a file.
type Reading = rules.VersionReading

// asides sums up what was set aside in a run.
type asides struct {
	Aside
	excluded, unopened int // files; those of them that dsh does not open as they are
}

func (a *asides) add(aside *Aside) {
	a.Regraded += aside.Regraded
	a.Hidden += aside.Hidden
	a.Known += aside.Known
}

func (a *asides) addFile(f *File) {
	a.add(&f.Aside)
	if f.Aside.Excluded == "" {
		return
	}
	a.excluded++
	if f.Result != nil && f.Result.Reading.Verdict >= scan.Loses {
		a.unopened++
	}
}

// lines returns what to say about it, each part on a line of its own.
func (a *asides) lines(opt Options) (all []string) {
	l := opt.Lang
	var parts []string
	if a.Regraded > 0 {
		parts = append(parts, l.Textf("%v re-graded", l.Count(int64(a.Regraded), "finding")))
	}
	if a.Hidden > 0 {
		parts = append(parts, l.Textf("%v hidden", l.Count(int64(a.Hidden), "finding")))
	}
	if a.excluded > 0 {
		part := l.Textf("%v excluded", l.Count(int64(a.excluded), "log"))
		if a.unopened > 0 {
			part += l.Textf(" (%d not safe to open in dsh)", a.unopened)
		}
		parts = append(parts, part)
	}
	if len(parts) > 0 {
		all = append(all, l.Textf("%v by %v", strings.Join(parts, l.Text(", ")), escape.Line(opt.Config)))
	}
	if a.Known > 0 {
		all = append(all, l.Textf("%v known by %v", l.Count(int64(a.Known), "finding"), escape.Line(opt.Baseline)))
	}
	return all
}
