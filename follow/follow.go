// Package follow checks a log while it is being written.
//
// What stands behind the last end of a turn can still become anything: dsh may be in
// the middle of a record, and defects there are a torn tail until a turn/end follows
// (docs/format.md §3.4). So the log is checked up to the last turn/end, each time that
// there is a new one, and what is found there is certain. The rows of a session in a
// database, where a batch is there as a whole or not at all, are followed in the same way.
package follow

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/turnlint/turnlint/rules"
)

// DefaultInterval is the time between two looks at a file.
const DefaultInterval = 500 * time.Millisecond

// maxShare bounds the share of the time that is spent on reading the log, which grows
// while a check takes longer and longer: 1 of so many parts.
const maxShare = 10

// Options of [Run].
type Options struct {
	Check    rules.Options
	Interval time.Duration // between two looks; 0 means DefaultInterval

	// Update gets what is new. An error of it ends Run.
	Update func(Update) error
	// Notice gets what happened to a log or a database, in a few words, such as that it
	// has been replaced. After that, the findings start anew.
	Notice func(name, what string)
}

// Update is the state of the log at the end of a turn.
type Update struct {
	Name   string          // of the log: its path, or that of a database with the id of a session
	Result *rules.Result   // of the log up to there
	New    []rules.Finding // those of its findings that have become certain
}

// Run checks the log at path until the context is done, and returns the error of that;
// or an error before, if the file cannot be read.
func Run(ctx context.Context, path string, opt Options) error {
	f := &follower{path: path, opt: opt}
	return repeat(ctx, opt.Interval, f.look)
}

// repeat looks again and again, until the context is done or a look fails.
func repeat(ctx context.Context, interval time.Duration, look func() error) error {
	if interval == 0 {
		interval = DefaultInterval
	}
	for {
		start := time.Now()
		if err := look(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(max(interval, maxShare*time.Since(start))):
		}
	}
}

// follower follows one file.
type follower struct {
	path string
	opt  Options

	info  fs.FileInfo // of the file at the last look; nil before the first one
	gone  bool        // there is none, and that was said
	guard guard
	log   settled
	news  news
}

// What is said of a log, or behind that.
const (
	gone = "it is gone; waiting for another one"
	anew = "; starting anew"
)

// look checks the log if there is more of it.
func (f *follower) look() error {
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) && f.info != nil {
		if !f.gone {
			f.opt.Notice(f.path, gone)
		}
		f.gone = true
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if f.info != nil && !f.gone && os.SameFile(f.info, info) && info.Size() == f.info.Size() && info.ModTime().Equal(f.info.ModTime()) {
		return nil
	}
	if err := f.grown(file, info); err != nil && !shrunk(file, info) {
		return err
	}
	return nil
}

// shrunk reports whether a file has become shorter since, so that reading it failed.
// The next look starts anew then.
func shrunk(file *os.File, info fs.FileInfo) bool {
	now, err := file.Stat()
	return err == nil && now.Size() < info.Size()
}

// grown takes a file that changed.
func (f *follower) grown(file *os.File, info fs.FileInfo) error {
	why, err := f.another(file, info)
	if err != nil {
		return err
	}
	if why != "" {
		f.log, f.news, f.guard = settled{}, news{}, guard{}
		f.opt.Notice(f.path, why+anew)
	}
	f.info, f.gone = info, false
	more, err := f.log.advance(file, info.Size(), &f.opt.Check)
	if err != nil || !more {
		return err
	}
	if f.guard, err = newGuard(file, f.log.end); err != nil {
		return err
	}
	result, err := rules.Check(file, f.log.end, f.opt.Check)
	if err != nil {
		return err
	}
	return f.opt.Update(Update{Name: f.path, Result: result, New: f.news.of(result)})
}

// another says why the file is not the one that was read, with more at its end; ""
// when it is.
func (f *follower) another(file *os.File, info fs.FileInfo) (why string, err error) {
	switch {
	case f.info == nil:
		return "", nil
	case !os.SameFile(f.info, info):
		return "it has been replaced", nil
	case info.Size() < f.log.end: // a cut behind it is what a recovery does to a torn tail
		return fmt.Sprintf("it has been cut from %d to %d bytes", f.info.Size(), info.Size()), nil
	}
	same, err := f.guard.holds(file)
	if same {
		return "", err
	}
	return "it has been rewritten", err
}
