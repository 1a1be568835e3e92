package main

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/follow"
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
)

// notFollowing are flags of check that have no meaning for a log that is being
// written, whose check does not end.
var notFollowing = []string{
	"output", "root", "files-from", "quiet", "baseline", "write-baseline", "show-known", "reader", "fail-on", "progress",
}

// followLog checks a log that is being written until it is interrupted.
func followLog(c *cli.Context) error {
	for _, name := range notFollowing {
		if c.IsSet(name) {
			return shared.Usagef("--follow and --%s contradict each other", name)
		}
	}
	path, err := followed(c)
	if err != nil {
		return err
	}
	opt, s, err := followOptions(c, path.Name)
	if err != nil {
		return err
	}
	live, err := report.NewLive(c.String("format"), c.App.Writer, report.Options{Color: shared.ColorFor(c, c.App.Writer), Lang: shared.Lang(c)})
	if err != nil {
		return shared.Usagef("--follow: %v", err)
	}
	opt.Update = func(u follow.Update) error {
		fresh := *u.Result
		fresh.Findings = u.New
		now, news := &report.File{Path: u.Name, Result: u.Result}, &report.File{Path: u.Name, Result: &fresh}
		now.Unprocessed = !processed(u.Result)
		s.log(now)
		s.log(news)
		return live.Update(now, fresh.Findings)
	}
	opt.Notice = func(name, what string) { shared.Complain(c, &shared.InputError{Path: name, What: what}) }
	if path.Database {
		err = followDatabase(c, path, opt)
	} else {
		err = follow.Run(c.Context, path.Name, opt)
	}
	if _, file := errors.AsType[*fs.PathError](err); file {
		return shared.Unreadable(path.Name, err)
	}
	return err
}

// followDatabase follows the sessions of a database, or the one that is named, if dsh
// opens it.
func followDatabase(c *cli.Context, path shared.Path, opt follow.Options) error {
	if err := followable(c, path, opt.Check.MaxLine); err != nil {
		return err
	}
	return follow.Database(c.Context, path.Name, path.Session, opt)
}

// followable returns why there is nothing to follow in a database.
func followable(c *cli.Context, path shared.Path, maxValue int64) error {
	d, err := shared.OpenDatabase(c.Context, path.Name, maxValue)
	if err != nil {
		return err
	}
	defer d.Close()
	if d.Refusal != nil {
		return notOpened(path.Name, d)
	}
	if path.Session == nil {
		return nil
	}
	s, err := d.Session(*path.Session)
	if err == nil && s.Header == nil {
		err = noSession(path.Name, *path.Session)
	}
	return err
}

// followed returns the one input that is to be followed.
func followed(c *cli.Context) (shared.Path, error) {
	name := c.Args().First()
	if c.NArg() != 1 || name == shared.Stdin {
		return shared.Path{}, shared.Usagef("--follow wants one file")
	}
	for path, err := range shared.Inputs([]string{name}) {
		switch {
		case path.Root != "" || path.Stream:
			return path, shared.Usagef("--follow wants a file, and %q is none", name)
		case c.String("encoding") != "auto":
			path.Database = false
		}
		return path, err
	}
	return shared.Path{}, nil
}

// followOptions reads the flags, and the configuration, that say how to check.
func followOptions(c *cli.Context, path string) (opt follow.Options, s *sieve, err error) {
	settings, err := readSettings(c)
	if err != nil {
		return opt, nil, err
	}
	if opt.Check, err = ruleOptions(c, ""); err != nil {
		return opt, nil, err
	}
	if opt.Check.Dialect, err = rules.ParseDialect(settings.dialect.value); err != nil {
		return opt, nil, err
	}
	if opt.Check.Path, err = filepath.Abs(path); err != nil {
		return opt, nil, err
	}
	s, err = newSieve(c, settings.config)
	return opt, s, err
}
