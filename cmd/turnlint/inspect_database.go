package main

import (
	"github.com/turnlint/turnlint/database"
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/picture"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/store"
)

// database inspects the sessions of a database, or the one that is named.
func (i *inspector) database(path shared.Path) (unreadable bool, err error) {
	d, err := shared.OpenDatabase(i.c.Context, path.Name, i.options.MaxLine)
	if err != nil {
		return true, err
	}
	defer d.Close()
	return i.sessions(d, path)
}

func (i *inspector) sessions(d *database.Database, path shared.Path) (unreadable bool, err error) {
	if i.version != nil && i.version != scan.DefaultReader() {
		return true, otherReader(path.Name)
	}
	if d.Refusal != nil {
		return true, notOpened(path.Name, d)
	}
	if err := i.warnDamage(d, path.Name); err != nil {
		return true, err
	}
	for s, err := range sessions(d, path.Session) {
		if err != nil {
			return true, err
		}
		if err := i.c.Context.Err(); err != nil {
			return true, err
		}
		in, err := i.session(s, path.Name)
		if err == nil {
			err = i.write(in)
		}
		if err != nil {
			return true, err
		}
		unreadable = unreadable || in.unreadable()
	}
	return unreadable, nil
}

// warnDamage says that what is shown of a database may not be all, because its file is
// damaged.
func (i *inspector) warnDamage(d *database.Database, name string) error {
	if d.New {
		return nil
	}
	faults, err := d.Integrity()
	if len(faults) > 0 {
		shared.Complain(i.c, &shared.InputError{Path: name, What: "its file is damaged, so that rows may be missing: " + faults[0], Hint: "turnlint check says more"})
	}
	return err
}

// session inspects one session of the database at path.
func (i *inspector) session(s *database.Session, path string) (in *inspection, err error) {
	in = &inspection{path: store.SessionName(path, s.ID), session: &s.ID}
	opt := i.options
	if i.c.Bool("turns") {
		opt.Turn = func(t rules.TurnInfo) { in.turns = append(in.turns, t) }
	}
	if in.result, err = rules.CheckSession(s, opt); err != nil {
		return nil, err
	}
	if err := missing(path, s, in.result); err != nil {
		return nil, err
	}
	texts := i.c.Bool("show-text")
	if i.c.IsSet("events") {
		if in.events, err = listEvents(s.Reader(), i.events, texts); err != nil {
			return nil, err
		}
	}
	if i.c.Bool("messages") {
		if in.messages, err = sessionMessages(s, in.result, texts); err != nil {
			return nil, err
		}
	}
	if !lists(i.c) && !inspectJSON(i.c) {
		in.picture, err = picture.DrawSession(s.Reader(), in.result, picture.Options{ShowText: texts})
	}
	return in, err
}

// sessionMessages reads the history of a session in a database.
func sessionMessages(s *database.Session, result *rules.Result, texts bool) (*messages, error) {
	m := &messages{texts: texts}
	if m.now.refusal = result.Reading.Refusal(); m.now.refusal != nil {
		return m, nil
	}
	return m, m.now.read(s.Reader(), texts)
}
