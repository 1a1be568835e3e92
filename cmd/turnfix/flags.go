package main

import (
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

const stateEnv = "TURNLINT_STATE"

// repairFlags choose what a repair may do.
func repairFlags() []cli.Flag {
	return []cli.Flag{
		shared.Choice("encoding", "how the text lies in the file, `HOW`", "auto", "auto", "raw", "zstd"),
		&cli.BoolFlag{Name: "like-dsh", Usage: "do exactly what dsh's own recovery would do, also where that drops events"},
		&cli.Int64Flag{Name: "allow-loss", Usage: "let up to `N` complete events go to lost+found"},
		&cli.StringSliceFlag{Name: "allow", Usage: "do a kind of repair that is done on request only, `NAME`: " + permissionNames()},
		&cli.IntFlag{Name: "branch", Usage: "of a log with several histories keep `N`, as plan numbers them"},
		&cli.StringFlag{Name: "parent", Usage: "give a forked session that has lost its first events those of its parent session, whose log is `FILE`, or DATABASE#ID"},
		&cli.StringFlag{Name: "header-from", Usage: "give a log that has lost its header the one that `FILE` starts with"},
		&cli.StringFlag{Name: "cwd", Usage: "with --allow rebuild-header or rewrite-header: the session ran in `DIR`"},
		&cli.StringSliceFlag{Name: "keep-copy", Usage: "of logs of one session that differ keep the one at `PATH`, and quarantine the others"},
	}
}

func permissionNames() string { return strings.Join(repair.Permissions(), ", ") }

// commitFlags choose how a repair is published.
func commitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.DurationFlag{Name: "settle", Value: repair.DefaultSettle, Usage: "wait until a log has been left alone for `TIME`, such as 5s (the default)"},
		&cli.BoolFlag{Name: "assume-stopped", Usage: "do not check whether the log is in use, and do not wait"},
		stateDirFlag(),
	}
}

func stateDirFlag() cli.Flag {
	return &cli.StringFlag{Name: "state-dir", Usage: "keep backups and locks in `DIR` (default $" + stateEnv + ", else turnlint in the state directory of the user)"}
}

func quietFlag() cli.Flag { return &cli.BoolFlag{Name: "quiet", Usage: "print problems only"} }

// reportFlags choose what is printed.
func reportFlags() []cli.Flag {
	return []cli.Flag{
		shared.Choice("format", "print `FORMAT`", "text", "text", "json"),
		shared.ProgressFlag(), shared.ColorFlag(), shared.LangFlag(),
		quietFlag(),
	}
}

// options returns what the repair flags say.
func options(c *cli.Context) (repair.Options, error) {
	encoding, err := scan.ParseEncoding(c.String("encoding"))
	if err != nil {
		return repair.Options{}, err
	}
	opt := repair.Options{LikeDsh: c.Bool("like-dsh"), AllowLoss: c.Int64("allow-loss"), Branch: c.Int("branch"), CWD: c.String("cwd"), Encoding: encoding}
	for _, name := range c.StringSlice("allow") {
		permission := repair.Permission(name)
		if !permission.Known() {
			return opt, shared.Usagef("unknown name %q: --allow takes %s", name, permissionNames())
		}
		opt.Allow = append(opt.Allow, permission)
	}
	opt.CWD = c.String("cwd")
	for _, path := range c.StringSlice("keep-copy") {
		opt.KeepCopies = append(opt.KeepCopies, repair.Path(path))
	}
	switch {
	case opt.AllowLoss < 0:
		return opt, shared.Usagef("--allow-loss wants a number of events, not %d", opt.AllowLoss)
	case opt.Branch < 0:
		return opt, shared.Usagef("--branch wants the number of a history, not %d", opt.Branch)
	case opt.CWD != "" && !slices.Contains(opt.Allow, repair.RebuildHeader) && !slices.Contains(opt.Allow, repair.RewriteHeader):
		return opt, shared.Usagef("--cwd wants --allow rebuild-header or --allow rewrite-header")
	case opt.LikeDsh && (opt.AllowLoss > 0 || opt.Branch > 0 || opt.Allow != nil || opt.KeepCopies != nil || c.IsSet("header-from") || c.IsSet("parent")):
		return opt, shared.Usagef("--like-dsh does what dsh would do and no more: --allow-loss, --allow, --branch, --keep-copy, --header-from and --parent have no meaning with it")
	}
	if opt.Parent = c.String("parent"); opt.Parent != "" {
		if _, err := shared.Named(opt.Parent); err != nil {
			return opt, err
		}
	}
	if name := c.String("header-from"); name != "" {
		opt.Header, err = headerFrom(name)
	}
	return opt, err
}

// headerFrom returns the line that a log, or another file, starts with.
func headerFrom(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	r, err := scan.NewReader(f, info.Size(), scan.Options{})
	if err != nil {
		return "", err
	}
	for record := range r.Records() {
		return string(record.Text), nil
	}
	return "", errors.Join(r.Err(), shared.Usagef("--header-from: %q has no line", name))
}

// committer returns what publishes repairs, as the commit flags say.
func committer(c *cli.Context) (*repair.Committer, error) {
	settle := c.Duration("settle")
	if settle <= 0 {
		return nil, shared.Usagef("--settle wants a time over 0, such as 5s; --assume-stopped does not wait")
	}
	committer := backupStore(c)
	committer.Settle, committer.AssumeStopped = settle, c.Bool("assume-stopped")
	if !c.Bool("quiet") {
		committer.Waiting = func(path string, settle time.Duration) {
			shared.Complain(c, &shared.InputError{
				Path: path, What: "it has just changed: waiting until it has been left alone for " + settle.String(),
			})
		}
	}
	return committer, nil
}

// backupStore returns what knows the backups, which is all that needs no settle time.
func backupStore(c *cli.Context) *repair.Committer {
	dir := c.String("state-dir")
	if dir == "" {
		dir = os.Getenv(stateEnv)
	}
	if dir == "" {
		dir = repair.DefaultStateDir()
	}
	return &repair.Committer{FS: repair.Disk{}, StateDir: dir}
}
