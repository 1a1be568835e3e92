package main

import (
	"os"

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
	}
}

// commitFlags choose how a repair is published.
func commitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "assume-stopped", Usage: "do not check whether the log is in use"},
		&cli.StringFlag{Name: "state-dir", Usage: "keep backups and locks in `DIR` (default $" + stateEnv + ", else turnlint in the state directory of the user)"},
	}
}

// reportFlags choose what is printed.
func reportFlags() []cli.Flag {
	return []cli.Flag{
		shared.Choice("format", "print `FORMAT`", "text", "text", "json"),
		shared.ColorFlag(),
		&cli.BoolFlag{Name: "quiet", Usage: "print problems only"},
	}
}

// options returns what the repair flags say.
func options(c *cli.Context) (repair.Options, error) {
	encoding, err := scan.ParseEncoding(c.String("encoding"))
	if err != nil {
		return repair.Options{}, err
	}
	opt := repair.Options{LikeDsh: c.Bool("like-dsh"), AllowLoss: c.Int64("allow-loss"), Encoding: encoding}
	switch {
	case opt.AllowLoss < 0:
		return opt, shared.Usagef("--allow-loss wants a number of events, not %d", opt.AllowLoss)
	case opt.AllowLoss > 0 && opt.LikeDsh:
		return opt, shared.Usagef("--like-dsh drops what dsh would drop: --allow-loss has no meaning with it")
	}
	return opt, nil
}

// committer returns what publishes repairs, as the commit flags say.
func committer(c *cli.Context) *repair.Committer {
	dir := c.String("state-dir")
	if dir == "" {
		dir = os.Getenv(stateEnv)
	}
	if dir == "" {
		dir = repair.DefaultStateDir()
	}
	return &repair.Committer{FS: repair.Disk{}, StateDir: dir, AssumeStopped: c.Bool("assume-stopped")}
}
