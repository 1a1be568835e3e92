package report

import (
	"strings"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// VerdictInWords answers in one line what happens when dsh opens the log
// (docs/format.md §8).
func VerdictInWords(l *lang.Printer, r *rules.Result) string { return verdictInWords(l, "dsh", r) }

// reader returns the name of the reader whose verdict stands for the file.
func reader(f *File) string {
	if len(f.Readings) == 0 {
		return "dsh"
	}
	return "dsh " + f.Readings[0].Version.Name
}

// verdictInWords is [VerdictInWords] for the reader of the given name.
func verdictInWords(l *lang.Printer, dsh string, r *rules.Result) string {
	reading := r.Reading
	if reading.Generation > session.Newest {
		return forkInWords(l, reading)
	}
	if reading.Generation > session.Version && dsh == "dsh" {
		dsh = l.Textf("dsh of format v%d", reading.Generation)
	}
	if r.StoreRefuses {
		return l.Textf("%v refuses it for the state of its store", dsh)
	}
	if r.Projection {
		return l.Textf("a projection of a session for tests, which %v does not open: order gives the sequence", dsh)
	}
	switch reading.Verdict {
	case scan.Opens:
		return l.Textf("%v opens it", dsh)
	case scan.Recovers:
		return l.Textf("%v repairs it on load, nothing is lost", dsh)
	case scan.Loses:
		return l.Textf("do not open it in %v: it would drop %v", dsh, dropped(l, r))
	case scan.Incompatible:
		return l.Textf("%v refuses it, although it is intact", dsh)
	case scan.Damaged:
		if reading.Bricks && reading.Refusal() == nil {
			return l.Textf("do not open it in %v: it would write an end of the turn that it cannot read again", dsh)
		}
		if reading.Spent && reading.Refusal() == nil {
			return l.Textf("do not open it in %v: after its repair it could not read the session again", dsh)
		}
		return l.Textf("%v refuses it, it is damaged", dsh)
	case scan.Unreadable:
		if r.Container.Size == 0 {
			return l.Text("it is empty")
		}
		return l.Text("it could not be read as a session log")
	}
	panic("unknown verdict " + reading.Verdict.String())
}

// answerInWords names versions of dsh and what they say.
func answerInWords(l *lang.Printer, a *rules.Answer) string {
	last := len(a.Versions) - 1
	names := a.Versions[last]
	if last > 0 {
		names = l.Textf("%v and %v", strings.Join(a.Versions[:last], ", "), names)
	}
	switch {
	case a.Text == "" && last > 0:
		return l.Textf("dsh %v say nothing", names)
	case a.Text == "":
		return l.Textf("dsh %v says nothing", names)
	case last > 0:
		return l.Textf("dsh %v say: %v", names, quoted(a.Text))
	}
	return l.Textf("dsh %v says: %v", names, quoted(a.Text))
}

// forkInWords answers for a log of a format that only a fork reads.
func forkInWords(l *lang.Printer, r *scan.Reading) string {
	what := l.Textf("format v%d is a fork generation, which dsh itself does not read", r.Generation)
	switch r.Verdict {
	case scan.Incompatible:
		return l.Textf("%v: it is whole, as far as that can be told", what)
	case scan.Damaged:
		return l.Textf("%v, and it is damaged", what)
	}
	return what
}

func dropped(l *lang.Printer, r *rules.Result) string {
	events, frames := r.Reading.Dropped, int64(r.Container.Hidden.Frames)
	switch {
	case events > 0 && frames > 0:
		return l.Textf("%v and %v", l.Count(events, "event"), l.Count(frames, "intact frame"))
	case events > 0:
		return l.Count(events, "event")
	case frames > 0:
		return l.Count(frames, "intact frame")
	}
	return l.Text("what is complete on disk")
}

// nextCommand returns the command to run after reading the report on a file, or
// "": for a repair where turnfix may have one, else for the page that explains
// the first of the worst findings.
func nextCommand(f *File) string {
	first := worst(f.Result.Findings)
	if mayRepair(f, first) && isFile(f.Path) && len(f.Readings) == 0 && !f.Result.Projection {
		return "turnfix plan " + escape.ShellArg(f.Path)
	}
	if first != nil {
		return "turnlint explain " + first.Rule.ID
	}
	return ""
}

// isFile reports whether a path is not standard input, nor a session in a database
// that came there.
func isFile(path string) bool { return path != "-" && !strings.HasPrefix(path, "-#") }

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
