package main

import (
	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/diff"
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/store"
)

// compared is one of the two inputs of diff.
type compared struct {
	path     string // of the file
	name     string // of the log: its path, or DATABASE#ID
	source   *shared.Source
	database *database.Database // nil for a log
	id       *string            // of the session in the database, nil for none
	log      diff.Log           // what is compared; nil of a database without id
}

// open calls use with an input.
func (d *differ) open(name string, use func(*compared) error) error {
	path, err := shared.Named(name)
	if err == nil {
		err = path.Unencoded(d.encoding)
	}
	if err != nil {
		return err
	}
	if path.Database && d.encoding == scan.Auto {
		in, err := shared.OpenDatabase(d.c.Context, path.Name, 0)
		if err != nil {
			return err
		}
		defer in.Close()
		return use(&compared{path: path.Name, database: in, id: path.Session})
	}
	return shared.Read(d.c.Context, name, d.c.App.Reader, func(src *shared.Source) error {
		side := &compared{path: name, name: name, source: src}
		if src.Spooled() && d.encoding == scan.Auto {
			in, err := shared.DatabaseIn(d.c.Context, src, 0)
			if err != nil {
				return err
			}
			if side.database = in; in != nil {
				defer in.Close()
			}
		}
		return use(side)
	})
}

// compare compares two inputs: logs, or the sessions of two databases.
func (d *differ) compare(a, b *compared) error {
	for _, side := range []*compared{a, b} {
		if side.database != nil && side.database.Refusal != nil {
			return notOpened(side.path, side.database)
		}
	}
	if a.all() && b.all() {
		return d.databases(a, b)
	}
	for _, side := range []struct{ this, other *compared }{{a, b}, {b, a}} {
		if err := d.choose(side.this, side.other); err != nil {
			return err
		}
	}
	return d.pair(a, b)
}

// all reports whether the input is a database of which no session is named.
func (in *compared) all() bool { return in.database != nil && in.id == nil }

// choose opens the log that an input is. Of a database it is the session that the
// other input is, unless one is named.
func (d *differ) choose(in, other *compared) (err error) {
	switch {
	case in.database == nil && other.database == nil:
		in.log, err = repair.Events(in.source, in.source.Size(), d.encoding)
		return err
	case in.database == nil:
		in.log, err = repair.StoredEvents(in.source, in.source.Size(), d.encoding)
		return err
	}
	id := in.id
	if id == nil {
		if id, err = d.idOf(other); err != nil {
			return err
		}
	}
	return in.take(*id)
}

// idOf returns the id of the session that an input is.
func (d *differ) idOf(in *compared) (*string, error) {
	if in.id != nil {
		return in.id, nil
	}
	encoding := d.encoding
	if encoding == scan.Auto {
		var err error
		if encoding, err = scan.Detect(in.source, in.source.Size()); err != nil {
			return nil, err
		}
	}
	line, _, err := scan.HeaderLine(in.source, in.source.Size(), encoding)
	if err != nil {
		return nil, err
	}
	header, _ := session.ParseHeader(line)
	if header.ID == "" {
		return nil, &shared.InputError{Path: in.name, What: "its header has no id, by which to find the session in the database", Hint: "name the session: DATABASE#ID"}
	}
	return &header.ID, nil
}

// take makes the input the session of its database with an id, which may be none.
func (in *compared) take(id string) error {
	s, err := in.database.Session(id)
	if err != nil {
		return err
	}
	in.name, in.id, in.log = store.SessionName(in.path, id), &id, repair.SessionEvents(s)
	return nil
}

// nothing is the error for an input in which there is nothing to compare.
func (in *compared) nothing() error {
	if in.database != nil {
		return noSession(in.path, *in.id)
	}
	return &shared.InputError{Path: in.name, What: "it has no header and no events"}
}

// databases compares the sessions of two databases, each with that of the same id.
func (d *differ) databases(a, b *compared) error {
	d.several = true
	seen := make(map[string]bool)
	for _, in := range []*compared{a, b} {
		for s, err := range sessions(in.database, nil) {
			if err != nil {
				return err
			}
			if seen[s.ID] {
				continue
			}
			seen[s.ID] = true
			one, other := *a, *b
			for _, side := range []*compared{&one, &other} {
				if err := side.take(s.ID); err != nil {
					return err
				}
			}
			if err := d.pair(&one, &other); err != nil {
				return err
			}
		}
	}
	return nil
}
