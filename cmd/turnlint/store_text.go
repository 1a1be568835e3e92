package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/report"
)

// maxSaid bounds the characters of dsh's message in the list. JSON has all of it.
const maxSaid = 100

// writeText prints what is wrong with the store, then the table.
func (l *listing) writeText() error {
	w := l.c.App.Writer
	if len(l.store.Findings) > 0 {
		about := report.NewText(w, report.Options{Color: shared.ColorFor(l.c, w), Lang: shared.Lang(l.c)})
		if err := about.Store(&report.Store{StoreResult: l.store}); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if err := l.writeTable(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", l.totals())
	return err
}

func (l *listing) writeTable(w io.Writer) error {
	table := columns.NewTable(w)
	heads(table, shared.Lang(l.c), "project", "session", "generations", "size", "events", "turns", "last activity", "verdict")
	for _, r := range l.rows {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			escape.Line(r.Project()), escape.Line(r.Session()), r.generations(), bytesInWords(r.Size()),
			known(r.events), known(r.turns), r.activity(), r.verdictInWords(shared.Lang(l.c)))
	}
	return table.Flush()
}

// totals sums up the table in one line.
func (l *listing) totals() string {
	var size int64
	refused := 0
	for _, r := range l.rows {
		size += r.Size()
		if r.exitCode() != exitClean {
			refused++
		}
	}
	say := shared.Lang(l.c)
	line := say.Textf("%v, %v", say.Count(int64(len(l.rows)), "session"), bytesInWords(size))
	if refused > 0 {
		line = say.Textf("%v; %d to look at with turnlint check", line, refused)
	}
	if !l.c.Bool("deep") && refused < len(l.rows) {
		line = say.Textf("%v; - means that header and tail show nothing wrong, --deep reads the logs in full", line)
	}
	return line
}

// known returns a number, or - for one that is not known.
func known(n int64) string {
	if n < 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// activity returns the time of the last event.
func (r *storeRow) activity() string {
	if r.Tail.Events == 0 {
		return "-"
	}
	return time.UnixMilli(r.Tail.Time).UTC().Format("2006-01-02 15:04:05Z")
}

func (r *storeRow) verdictInWords(l *lang.Printer) string {
	words := "-"
	if r.verdict != nil {
		words = l.Text(r.verdict.String())
	}
	if said := cmp.Or(r.message, l.Text(r.problem)); said != "" {
		words = l.Textf("%v: %v", words, shortened(said))
	}
	if r.hides != "" {
		words = l.Textf("%v; hides %v", words, escape.Line(r.hides))
	}
	if r.InUse {
		words = l.Textf("%v, in use", words)
	}
	return words
}

// usual is how dsh's messages about headers begin.
var usual = regexp.MustCompile(`(?s)^corrupt (Zstandard )?session log( ".*?")?: `)

// shortened returns the message without its usual beginning and without the path
// that a header leads to, cut to the width of a table.
func shortened(message string) string {
	message = usual.ReplaceAllString(message, "")
	if before, _, found := strings.Cut(message, ` identify "`); found {
		message = before + " identify another path"
	}
	runes := []rune(escape.Line(message))
	if len(runes) <= maxSaid {
		return string(runes)
	}
	return string(runes[:maxSaid-1]) + "…"
}

var byteUnits = []string{"KiB", "MiB", "GiB", "TiB"}

// bytesInWords returns a size as people read it.
func bytesInWords(n int64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	size, unit := float64(n)/1024, 0
	for size >= 1024 && unit < len(byteUnits)-1 {
		size, unit = size/1024, unit+1
	}
	return fmt.Sprintf("%.1f %s", size, byteUnits[unit])
}
