package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/store"
)

func backupsCommand() *cli.Command {
	return &cli.Command{
		Name: "backups", Usage: "list the backups, and remove those that are not needed any more",
		Description: "A backup is current when the log is as the repair left it, undone when it is as before, and stale when\n" +
			"it has other bytes by now. Partial ones are of repairs that were interrupted.",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "keep", Value: -1, Usage: "keep the newest `N` backups of each log; the others could go"},
			&cli.BoolFlag{Name: "prune", Usage: "remove what could go"},
			&cli.BoolFlag{Name: "force", Usage: "let also go what may be the only good copy of a log, and partial backups"},
			stateDirFlag(),
			shared.Choice("format", "print `FORMAT`", "text", "text", "json"), shared.LangFlag(),
		},
		Action: runBackups,
	}
}

// backupLine is a backup in the list.
type backupLine struct {
	repair.Backup
	Surplus bool   `json:"surplus"` // it could go
	Removed bool   `json:"removed"`
	Error   string `json:"error,omitempty"` // why it could not be removed
}

func runBackups(c *cli.Context) error {
	switch {
	case c.Args().Present():
		return shared.Usagef("backups takes no path")
	case c.IsSet("keep") && c.Int("keep") < 0:
		return shared.Usagef("--keep wants a number of backups, not %d", c.Int("keep"))
	case (c.Bool("prune") || c.Bool("force")) && !c.IsSet("keep"):
		return shared.Usagef("--prune and --force want --keep N")
	}
	store := backupStore(c)
	all, err := store.Backups(c.Context)
	if err != nil {
		return err
	}
	var surplus []repair.Backup
	if c.IsSet("keep") {
		surplus = store.Surplus(all, c.Int("keep"), c.Bool("force"))
	}
	list, failed := prune(c, store, all, surplus)
	if c.String("format") == "json" {
		err = list.writeJSON(c.App.Writer)
	} else {
		err = list.writeText(c.App.Writer, shared.Lang(c))
	}
	if err := errors.Join(err, c.Context.Err()); err != nil || !failed {
		return err
	}
	return shared.Status(exitFailure)
}

// backupList is what the command has found and done. Bytes that several backups
// share count once in its sums.
type backupList struct {
	lines                 []backupLine
	bytes, freed, removed int64 // of all, of those that could go and do not, of those removed
}

// prune removes the surplus if that is asked for.
func prune(c *cli.Context, store *repair.Committer, all, surplus []repair.Backup) (l *backupList, failed bool) {
	l = &backupList{bytes: store.Usage(all)}
	defer func() { l.sum(store) }()
	for _, b := range all {
		line := backupLine{Backup: b, Surplus: slices.ContainsFunc(surplus, func(s repair.Backup) bool { return s.Dir == b.Dir })}
		if line.Surplus && c.Bool("prune") && c.Context.Err() == nil {
			if err := store.Remove(c.Context, &b); err != nil {
				failed = true
				line.Error = err.Error()
				shared.Complain(c, &shared.InputError{Path: string(b.Dir), What: err.Error(), Err: err})
			}
			line.Removed = line.Error == ""
		}
		l.lines = append(l.lines, line)
	}
	return l, failed
}

// sum fills in what goes from the disk.
func (l *backupList) sum(store *repair.Committer) {
	var left, needed []repair.Backup
	for i := range l.lines {
		if b := &l.lines[i]; !b.Removed {
			left = append(left, b.Backup)
			if !b.Surplus {
				needed = append(needed, b.Backup)
			}
		}
	}
	l.removed = l.bytes - store.Usage(left)
	l.freed = l.bytes - l.removed - store.Usage(needed)
}

func (l *backupList) writeJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(struct {
		SchemaVersion int          `json:"schemaVersion"`
		Bytes         int64        `json:"bytes"` // of all before any was removed
		Backups       []backupLine `json:"backups"`
	}{1, l.bytes, append([]backupLine{}, l.lines...)})
}

func (l *backupList) writeText(out io.Writer, p *lang.Printer) error {
	if len(l.lines) == 0 {
		_, err := fmt.Fprintln(out, p.Text("no backups"))
		return err
	}
	w := columns.NewTable(out)
	fmt.Fprintln(w, headings(p, "last change", "state", "bytes", "before", "after", "backup", "", "log"))
	for i := range l.lines {
		b := &l.lines[i]
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", timeText(b.Time), p.Text(string(b.State)), b.Size,
			hashText(b.Before), hashText(b.After), printable(filepath.Base(string(b.Dir))), p.Text(fate(b)), placeOf(p, b))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "\n"+l.totals(p))
	return err
}

// totals puts the sums into words.
func (l *backupList) totals(p *lang.Printer) string {
	text := p.Textf("%v, %v", p.Count(int64(len(l.lines)), "backup"), p.Count(l.bytes, "byte"))
	if l.freed > 0 {
		text = p.Textf("%v; %v could go with --prune", text, p.Count(l.freed, "byte"))
	}
	if l.removed > 0 {
		text = p.Textf("%v; %v removed", text, p.Count(l.removed, "byte"))
	}
	return text
}

func fate(b *backupLine) string {
	switch {
	case b.Removed:
		return "removed"
	case b.Surplus:
		return "could go"
	}
	return ""
}

// placeOf returns the path of the log, and where it has gone.
func placeOf(p *lang.Printer, b *backupLine) string {
	path := cmp.Or(printable(string(b.Path)), "-")
	switch {
	case len(b.Sessions) == 1:
		path = printable(store.SessionName(string(b.Path), b.Sessions[0]))
	case b.Sessions != nil:
		path = p.Textf("%v, %v", path, p.Count(int64(len(b.Sessions)), "session"))
	case b.Move == repair.Quarantine:
		path = p.Textf("%v, quarantined", path)
	case b.Move != "":
		path = p.Textf("%v, moved to %v", path, printable(string(b.To)))
	}
	return path
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

// hashText returns the start of a hash, which is also what names backups.
func hashText(p repair.Fileprint) string {
	if p.SHA256 == "" {
		return "-"
	}
	return p.SHA256[:12]
}
