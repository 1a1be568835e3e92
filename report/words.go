package report

import (
	"fmt"
	"strings"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// VerdictInWords answers in one line what happens when dsh opens the log
// (docs/format.md §8).
func VerdictInWords(r *rules.Result) string { return verdictInWords("dsh", r) }

// reader returns the name of the reader whose verdict stands for the file.
func reader(f *File) string {
	if len(f.Readings) == 0 {
		return "dsh"
	}
	return "dsh " + f.Readings[0].Version.Name
}

// verdictInWords is [VerdictInWords] for the reader of the given name.
func verdictInWords(dsh string, r *rules.Result) string {
	reading := r.Reading
	if reading.Generation > session.Newest {
		return forkInWords(reading)
	}
	if reading.Generation > session.Version && dsh == "dsh" {
		dsh = fmt.Sprintf("dsh of format v%d", reading.Generation)
	}
	if r.StoreRefuses {
		return dsh + " refuses it for the state of its store"
	}
	if r.Projection {
		return "a projection of a session for tests, which " + dsh + " does not open: order gives the sequence"
	}
	switch reading.Verdict {
	case scan.Opens:
		return dsh + " opens it"
	case scan.Recovers:
		return dsh + " repairs it on load, nothing is lost"
	case scan.Loses:
		return "do not open it in " + dsh + ": it would drop " + dropped(r)
	case scan.Incompatible:
		return dsh + " refuses it, although it is intact"
	case scan.Damaged:
		if reading.Bricks && reading.Refusal() == nil {
			return "do not open it in " + dsh + ": it would write an end of the turn that it cannot read again"
		}
		return dsh + " refuses it, it is damaged"
	case scan.Unreadable:
		if r.Container.Size == 0 {
			return "it is empty"
		}
		return "it could not be read as a session log"
	}
	panic("unknown verdict " + reading.Verdict.String())
}

// answerInWords names versions of dsh and what they say.
func answerInWords(a *rules.Answer) string {
	says, last := "says", len(a.Versions)-1
	names := a.Versions[last]
	if last > 0 {
		says, names = "say", strings.Join(a.Versions[:last], ", ")+" and "+names
	}
	if a.Text == "" {
		return names + " " + says + " nothing"
	}
	return names + " " + says + ": " + quoted(a.Text)
}

// forkInWords answers for a log of a format that only a fork reads.
func forkInWords(r *scan.Reading) string {
	what := fmt.Sprintf("format v%d is a fork generation, which dsh itself does not read", r.Generation)
	switch r.Verdict {
	case scan.Incompatible:
		return what + ": it is whole, as far as that can be told"
	case scan.Damaged:
		return what + ", and it is damaged"
	}
	return what
}

func dropped(r *rules.Result) string {
	var parts []string
	if n := r.Reading.Dropped; n > 0 {
		parts = append(parts, Plural(n, "event"))
	}
	if n := int64(r.Container.Hidden.Frames); n > 0 {
		parts = append(parts, Plural(n, "intact frame"))
	}
	if len(parts) == 0 {
		return "what is complete on disk"
	}
	return strings.Join(parts, " and ")
}

// Plural returns a number with its noun, such as "1 event" and "12 events".
func Plural[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// nextCommand returns the command to run after reading the report on a file, or
// "": for a repair where turnfix may have one, else for the page that explains
// the first of the worst findings.
func nextCommand(f *File) string {
	first := worst(f.Result.Findings)
	if mayRepair(f, first) && f.Path != "-" && len(f.Readings) == 0 && !f.Result.Projection {
		return "turnfix plan " + escape.ShellArg(f.Path)
	}
	if first != nil {
		return "turnlint explain " + first.Rule.ID
	}
	return ""
}

func mayRepair(f *File, worst *rules.Finding) bool {
	switch f.Result.Reading.Verdict {
	case scan.Recovers, scan.Loses:
		return true
	case scan.Damaged:
		return worst != nil && worst.Rule.Fix != rules.NoFix
	}
	return false
}

// worst returns the first of the most severe findings.
func worst(findings []rules.Finding) (w *rules.Finding) {
	for i := range findings {
		if w == nil || findings[i].Severity > w.Severity {
			w = &findings[i]
		}
	}
	return w
}
