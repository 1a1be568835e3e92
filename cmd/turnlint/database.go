package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/turnlint/turnlint/database"
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/picture"
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/store"
)

// database checks a database of sessions, or one session in it.
func (ch *checker) database(path shared.Path) error {
	d, err := shared.OpenDatabase(ch.c.Context, path.Name, ch.options.MaxLine)
	if errors.Is(err, context.Canceled) {
		return err
	}
	if err != nil {
		return ch.note(&report.File{Path: path.Name}, err)
	}
	defer d.Close()
	return ch.opened(d, path)
}

// databaseIn checks the database that a stream is, and reports whether it is one.
func (ch *checker) databaseIn(src *shared.Source, name string) (found bool, err error) {
	d, err := shared.DatabaseIn(ch.c.Context, src, ch.options.MaxLine)
	if d == nil || err != nil {
		return false, err
	}
	defer d.Close()
	return true, ch.opened(d, shared.Path{Name: name})
}

// opened checks an open database. What is wrong with all of it comes first, but where one
// session is named, only if it concerns that.
func (ch *checker) opened(d *database.Database, path shared.Path) error {
	if err := ch.checkReaders(path.Name); err != nil {
		return ch.note(&report.File{Path: path.Name}, err)
	}
	result, err := rules.CheckDatabase(ch.c.Context, d, path.Name)
	if err != nil {
		return err
	}
	if path.Session == nil || d.Refusal != nil || concerns(result, store.SessionName(path.Name, *path.Session)) {
		if err := ch.noteStore(result); err != nil {
			return err
		}
	}
	for s, err := range sessions(d, path.Session) {
		if err == nil {
			err = ch.session(s, path.Name)
		}
		if err != nil {
			return err
		}
		if ch.decided() {
			break
		}
	}
	return nil
}

// concerns takes the findings about a database that do not concern the session of the
// given name out of the result, and reports whether some are left: damage of the file
// may hide rows of any.
func concerns(result *rules.StoreResult, session string) bool {
	result.Findings = slices.DeleteFunc(result.Findings, func(f rules.Finding) bool {
		return f.Rule != rules.DatabaseDamaged && (f.Rule != rules.DuplicateRow || f.Path != session)
	})
	return len(result.Findings) > 0
}

// noteStore takes what is wrong with a sessions directory or a database to the reports
// and the exit code.
func (ch *checker) noteStore(result *rules.StoreResult) error {
	shown := ch.sieve.store(result)
	ch.atLeast(ch.gate.store(shown))
	return ch.reports.store(shown)
}

// sessions yields the session with an id, or all for nil. A database that dsh refuses
// or that is empty has none.
func sessions(d *database.Database, id *string) iter.Seq2[*database.Session, error] {
	switch {
	case d.Refusal != nil:
		return func(func(*database.Session, error) bool) {}
	case id == nil:
		return d.Sessions()
	}
	return func(yield func(*database.Session, error) bool) { yield(d.Session(*id)) }
}

// session checks one session of the database at path.
func (ch *checker) session(s *database.Session, path string) error {
	if err := ch.c.Context.Err(); err != nil {
		return err
	}
	file := &report.File{Path: store.SessionName(path, s.ID)}
	var err error
	if file.Result, err = rules.CheckSession(s, ch.options); err != nil {
		return err
	}
	if ch.reports.draw {
		opt := picture.Options{ShowText: ch.c.Bool("show-text")}
		if file.Picture, err = picture.DrawSession(s.Reader(), file.Result, opt); err != nil {
			return err
		}
	}
	return ch.note(file, missing(path, s, file.Result))
}

// missing returns the error for a session of the database at path of which there is
// neither a header nor an event, nil for others. A row that is no event makes a second
// finding beside the one that there is no header.
func missing(path string, s *database.Session, r *rules.Result) error {
	if s.Header != nil || r.Events > 0 || len(r.Findings) > 1 {
		return nil
	}
	return noSession(path, s.ID)
}

// noSession is the error for a session that is not in the database at path.
func noSession(path, id string) error {
	name := escape.ShellArg(path)
	if path == shared.Stdin {
		name = "DATABASE"
	}
	return &shared.InputError{Path: store.SessionName(path, id), What: "no such session", Hint: "turnlint store " + name + " lists those that there are"}
}

// notOpened is the error for a database that dsh does not open, and whose sessions
// nobody should look at for that.
func notOpened(name string, d *database.Database) error {
	return &shared.InputError{
		Path: name, What: "dsh opens no session of it: " + d.Refusal.Text,
		Hint: "turnlint check says more", Err: errors.New(d.Refusal.Text),
	}
}

// otherReader is the error for a database that another version of dsh is to read.
func otherReader(name string) error {
	return &shared.InputError{
		Path: name, What: "the session database of other versions of dsh is not known",
		Hint: "leave out --reader, or name " + scan.DefaultReader().Name + " with it",
	}
}

// checkReaders refuses a database for versions of dsh of which it is not known. Where the
// one of which it is known is among them, its answer is given, and that it is the only one.
func (ch *checker) checkReaders(name string) error {
	known := len(ch.options.Readers) == 0
	others := false
	for _, v := range ch.options.Readers {
		known = known || v == scan.DefaultReader()
		others = others || v != scan.DefaultReader()
	}
	switch {
	case !known:
		return otherReader(name)
	case others:
		shared.Complain(ch.c, &shared.InputError{
			Path: name, What: fmt.Sprintf("read as dsh %s: the session database of other versions is not known", scan.DefaultReader().Name),
		})
	}
	return nil
}
