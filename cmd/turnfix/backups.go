package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/repair"
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
			shared.Choice("format", "print `FORMAT`", "text", "text", "json"),
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
	lines, failed := prune(c, store, all, surplus)
	write := writeBackups
	if c.String("format") == "json" {
		write = writeBackupsJSON
	}
	if err := errors.Join(write(c.App.Writer, lines), c.Context.Err()); err != nil || !failed {
		return err
	}
	return shared.Status(exitFailure)
}

// prune removes the surplus if that is asked for.
func prune(c *cli.Context, store *repair.Committer, all, surplus []repair.Backup) (lines []backupLine, failed bool) {
	for _, b := range all {
		line := backupLine{Backup: b, Surplus: slices.ContainsFunc(surplus, func(s repair.Backup) bool { return s.Dir == b.Dir })}
		if line.Surplus && c.Bool("prune") && c.Context.Err() == nil {
			if err := store.Remove(&b); err != nil {
				failed = true
				line.Error = err.Error()
				shared.Complain(c, &shared.InputError{Path: string(b.Dir), What: err.Error(), Err: err})
			}
			line.Removed = line.Error == ""
		}
		lines = append(lines, line)
	}
	return lines, failed
}

func writeBackupsJSON(w io.Writer, lines []backupLine) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(struct {
		SchemaVersion int          `json:"schemaVersion"`
		Backups       []backupLine `json:"backups"`
	}{1, append([]backupLine{}, lines...)})
}

func writeBackups(out io.Writer, lines []backupLine) error {
	if len(lines) == 0 {
		_, err := fmt.Fprintln(out, "no backups")
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "last change\tstate\tbytes\tbefore\tafter\tbackup\t\tlog")
	for i := range lines {
		b := &lines[i]
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", timeText(b.Time), b.State, b.Size,
			hashText(b.Before), hashText(b.After), printable(filepath.Base(string(b.Dir))), fate(b), cmp.Or(printable(string(b.Path)), "-"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "\n"+backupTotals(lines))
	return err
}

// backupTotals sums up the sizes of the backups.
func backupTotals(lines []backupLine) string {
	var bytes, surplus, removed int64
	for i := range lines {
		b := &lines[i]
		bytes += b.Size
		switch {
		case b.Removed:
			removed += b.Size
		case b.Surplus:
			surplus += b.Size
		}
	}
	text := count(int64(len(lines)), "backup") + ", " + count(bytes, "byte")
	if surplus > 0 {
		text += "; " + count(surplus, "byte") + " could go with --prune"
	}
	if removed > 0 {
		text += "; " + count(removed, "byte") + " removed"
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
