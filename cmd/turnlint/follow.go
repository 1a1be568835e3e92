package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/follow"
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/store"
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
	opt, s, err := followOptions(c, path)
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
		now, news := &report.File{Path: path, Result: u.Result}, &report.File{Path: path, Result: &fresh}
		now.Unprocessed = !processed(u.Result)
		s.log(now)
		s.log(news)
		return live.Update(now, fresh.Findings)
	}
	opt.Notice = func(what string) { shared.Complain(c, &shared.InputError{Path: path, What: what}) }
	return follow.Run(c.Context, path, opt)
}

// followed returns the one file that is to be followed.
func followed(c *cli.Context) (string, error) {
	if c.NArg() != 1 || c.Args().First() == shared.Stdin {
		return "", shared.Usagef("--follow wants one file")
	}
	path := c.Args().First()
	info, err := os.Stat(path)
	var pathErr *os.PathError
	switch {
	case errors.As(err, &pathErr):
		return "", &shared.InputError{Path: path, What: pathErr.Err.Error(), Err: err}
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", shared.Usagef("--follow wants a file, and %q is none", path)
	case store.IsDatabase(path):
		return "", shared.Usagef("--follow wants a log, and %q is a database", path)
	}
	return path, nil
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
