package follow

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"math"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/store"
)

// Database is [Run] for the sessions of the database at path, those that are still to
// come included, or for the one with the id that session points to. Each change of the
// database is looked at in a private copy, so that a large one is looked at less often.
func Database(ctx context.Context, path string, session *string, opt Options) error {
	f := &storeFollower{ctx: ctx, path: path, id: session, opt: opt, sessions: make(map[string]*followed)}
	return repeat(ctx, opt.Interval, f.look)
}

// storeFollower follows the sessions of a database.
type storeFollower struct {
	ctx  context.Context
	path string
	id   *string // of the only session that is followed, nil for all
	opt  Options

	moment   database.Moment // of the last look; nil before the first one
	said     string          // why there was nothing to look at, "" when there was
	sessions map[string]*followed
}

// look checks the sessions of which there is more.
func (f *storeFollower) look() error {
	now, err := database.Look(f.path)
	if errors.Is(err, fs.ErrNotExist) && f.moment != nil {
		f.say(gone)
		return nil
	}
	if err != nil || f.said != gone && f.moment != nil && f.moment.Same(now) {
		return err
	}
	d, err := database.Open(f.ctx, f.path, database.Options{Path: f.path, MaxValue: f.opt.Check.MaxLine})
	if errors.Is(err, database.ErrInUse) || errors.Is(err, fs.ErrNotExist) {
		return nil // the next look tells
	}
	if err != nil {
		return err
	}
	defer d.Close()
	if f.moment != nil && !f.moment.SameFile(now) {
		clear(f.sessions)
		f.opt.Notice(f.path, "it has been replaced"+anew)
	}
	f.moment = now
	if d.Refusal != nil {
		f.say("dsh opens no session of it: " + d.Refusal.Text)
		return nil
	}
	f.said = ""
	return f.all(d)
}

// say tells why there is nothing to look at, once.
func (f *storeFollower) say(what string) {
	if f.said != what {
		f.opt.Notice(f.path, what)
	}
	f.said = what
}

// all takes the sessions as they are now.
func (f *storeFollower) all(d *database.Database) error {
	there := make(map[string]bool)
	for s, err := range f.chosen(d) {
		if err != nil {
			return err
		}
		if s.Header == nil {
			continue // nothing that dsh finds
		}
		there[s.ID] = true
		if f.sessions[s.ID] == nil {
			f.sessions[s.ID] = &followed{name: store.SessionName(f.path, s.ID)}
		}
		if err := f.sessions[s.ID].take(s, &f.opt); err != nil {
			return err
		}
	}
	for id, known := range f.sessions {
		if !there[id] {
			f.opt.Notice(known.name, gone)
			delete(f.sessions, id)
		}
	}
	return nil
}

// chosen yields the sessions that are followed.
func (f *storeFollower) chosen(d *database.Database) iter.Seq2[*database.Session, error] {
	if f.id == nil {
		return d.Sessions()
	}
	return func(yield func(*database.Session, error) bool) { yield(d.Session(*f.id)) }
}

// followed is a session of a database that is followed.
type followed struct {
	name        string
	print       string // of all that is stored of it
	incarnation string
	end         int64  // seq of the last end of a turn, noEnd before the first one
	guard       string // print of the rows up to there
	news        news
}

// noEnd is below every seq that a row of dsh has.
const noEnd = -1

// take checks the session if there is more of it.
func (k *followed) take(s *database.Session, opt *Options) error {
	print, err := printOf(s.Print())
	if err != nil || print == k.print {
		return err
	}
	first := k.print == ""
	k.print = print
	end, err := settledRows(s)
	if err != nil {
		return err
	}
	if !first {
		why, err := k.another(s)
		if err != nil {
			return err
		}
		if first = why != ""; first {
			opt.Notice(k.name, why+anew)
			k.news = news{}
		}
	}
	if !first && end <= k.end {
		return nil
	}
	k.incarnation, k.end = s.Header.Incarnation, end
	part := s.Until(end)
	if k.guard, err = printOf(part.PrintRows()); err != nil {
		return err
	}
	result, err := rules.CheckSession(part, opt.Check)
	if err != nil {
		return err
	}
	return opt.Update(Update{Name: k.name, Result: result, New: k.news.of(result)})
}

// another says why the session is not the one that was read, with more at its end; ""
// when it is.
func (k *followed) another(s *database.Session) (why string, err error) {
	if s.Header.Incarnation != k.incarnation {
		return "it has been replaced", nil
	}
	guard, err := printOf(s.Until(k.end).PrintRows())
	if err != nil || guard == k.guard {
		return "", err
	}
	return "it has been rewritten", nil
}

// printOf takes damage of the file for what is stored: it is no error.
func printOf(print string, err error) (string, error) {
	if refusal, other := database.RefusalOf(err); refusal != nil {
		return refusal.Text, nil
	} else if other != nil {
		return "", other
	}
	return print, nil
}

// settledRows returns the seq of the last row that ends a turn: that of the last row of
// all where the file is damaged, which no later row changes.
func settledRows(s *database.Session) (end int64, err error) {
	end = noEnd
	r := s.Reader()
	for record := range r.Records() {
		switch {
		case record.Stored.Damaged:
			return math.MaxInt64, nil
		case record.Kind == scan.Event && record.Event.Kind == session.TurnEnd:
			end = record.Key
		}
	}
	return end, r.Err()
}
