package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/database"
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/store"
)

// databaseListing is one run of the store command over a database.
type databaseListing struct {
	c     *cli.Context
	path  string
	store *rules.StoreResult
	rows  []databaseRow
}

// databaseRow is a session of a database in the list.
type databaseRow struct {
	session *database.Session
	result  *rules.Result
}

// listDatabase lists the sessions of a database, or the one with an id.
func listDatabase(c *cli.Context, path string, id *string) error {
	order, err := databaseOrder(c.String("sort"))
	if err != nil {
		return err
	}
	d, err := shared.OpenDatabase(c.Context, path, shared.Size(c, "max-line"))
	if err != nil {
		return err
	}
	defer d.Close()
	l := &databaseListing{c: c, path: path}
	if l.store, err = rules.CheckDatabase(c.Context, d, path); err != nil {
		return err
	}
	for s, err := range sessions(d, id) {
		if err != nil {
			return err
		}
		result, err := rules.CheckSession(s, rules.Options{})
		if err != nil {
			return err
		}
		if err := missing(path, s, result); err != nil {
			return err
		}
		l.rows = append(l.rows, databaseRow{s, result})
	}
	slices.SortStableFunc(l.rows, order)
	write := l.writeText
	if c.String("format") == "json" {
		write = l.writeJSON
	}
	if err := write(); err != nil {
		return err
	}
	return shared.Status(l.exitCode())
}

// databaseOrder returns the order of the list by a column of [sortColumns]. Sessions in a
// database lie in no project: they come in the order in which they were stored.
func databaseOrder(column string) (func(a, b databaseRow) int, error) {
	switch column {
	case "project":
		return func(_, _ databaseRow) int { return 0 }, nil
	case "session":
		return func(a, b databaseRow) int { return cmp.Compare(a.session.ID, b.session.ID) }, nil
	case "size":
		return func(a, b databaseRow) int { return cmp.Compare(b.result.Container.Size, a.result.Container.Size) }, nil
	case "events":
		return func(a, b databaseRow) int { return cmp.Compare(b.result.Events, a.result.Events) }, nil
	case "turns":
		return func(a, b databaseRow) int { return cmp.Compare(b.result.Turns, a.result.Turns) }, nil
	case "verdict":
		return func(a, b databaseRow) int { return cmp.Compare(b.result.Reading.Verdict, a.result.Reading.Verdict) }, nil
	}
	return nil, shared.Usagef("--sort %s: the sessions of a database have no such column", column)
}

func (l *databaseListing) writeText() error {
	w := l.c.App.Writer
	if len(l.store.Findings) > 0 || l.store.New {
		about := report.NewText(w, report.Options{Color: shared.ColorFor(l.c, w), Lang: shared.Lang(l.c)})
		if err := about.Store(&report.Store{StoreResult: l.store}); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if len(l.rows) > 0 {
		if err := l.writeTable(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%s\n", shared.Lang(l.c).Count(int64(len(l.rows)), "session"))
	return err
}

func (l *databaseListing) writeTable(w io.Writer) error {
	table, say := columns.NewTable(w), shared.Lang(l.c)
	heads(table, say, "session", "created", "size", "events", "turns", "verdict")
	for i := range l.rows {
		r := &l.rows[i]
		created := "-"
		if h := r.result.Reading.Header; h != nil && h.CreatedAt > 0 {
			created = timestamp(h.CreatedAt)
		}
		words := say.Text(r.result.Reading.Verdict.String())
		if refusal := r.result.Reading.Refusal(); refusal != nil {
			words = say.Textf("%v: %v", words, shortened(refusal.Text))
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%s\n", printable(database.Name(r.session.ID)), created,
			bytesInWords(r.result.Container.Size), r.result.Events, r.result.Turns, words)
	}
	fmt.Fprintln(table)
	return table.Flush()
}

// storedSessionJSON is a row of the list.
type storedSessionJSON struct {
	Session       string          `json:"session"`
	Path          string          `json:"path"` // DATABASE#ID
	CreatedAt     *int64          `json:"createdAt,omitempty"`
	Revision      *int64          `json:"revision,omitempty"` // absent without a row of the session
	Encoding      string          `json:"encoding"`
	Bytes         int64           `json:"bytes"` // of the log that the rows would be
	Events        int64           `json:"events"`
	Turns         int64           `json:"turns"`
	Verdict       scan.Verdict    `json:"verdict"`
	ReaderMessage json.RawMessage `json:"readerMessage,omitempty"`
}

func (l *databaseListing) writeJSON() error {
	return writeStoreJSON(l.c.App.Writer, l.store, func(yield func(any) bool) {
		for i := range l.rows {
			if !yield(l.rows[i].json(l.path)) {
				return
			}
		}
	})
}

func (r *databaseRow) json(path string) *storedSessionJSON {
	j := &storedSessionJSON{
		Session: database.Name(r.session.ID), Path: escape.UTF8(store.SessionName(path, r.session.ID)),
		Encoding: scan.SQLite.String(), Bytes: r.result.Container.Size,
		Events: r.result.Events, Turns: r.result.Turns, Verdict: r.result.Reading.Verdict,
	}
	if h := r.session.Header; h != nil && !h.Damaged {
		j.CreatedAt, j.Revision = &h.Header.CreatedAt, &h.Revision
	}
	if refusal := r.result.Reading.Refusal(); refusal != nil {
		j.ReaderMessage = jsjson.AppendQuoted(nil, refusal.Text)
	}
	return j
}

// exitCode sums up what was found.
func (l *databaseListing) exitCode() int {
	code := exitClean
	switch {
	case l.store.Unprocessed:
		return exitUnread
	case report.Count(l.store.Findings).Errors > 0:
		code = exitFindings
	}
	for i := range l.rows {
		switch r := l.rows[i].result; {
		case !processed(r):
			code = exitUnread
		case r.Reading.Verdict >= scan.Loses, report.Count(r.Findings).Errors > 0:
			code = max(code, exitFindings)
		}
	}
	return code
}
