package cli

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"
)

const colorFlag = "color"

// ColorFlag returns the flag that [ColorFor] reads.
func ColorFlag() cli.Flag {
	return Choice(colorFlag, "use colours `WHEN`", "auto", "auto", "always", "never")
}

// ColorFor reports whether to write colours to w. Each stream is asked for on
// its own, because standard error may be a terminal when standard output is not.
func ColorFor(c *cli.Context, w io.Writer) bool {
	switch c.String(colorFlag) {
	case "always":
		return true
	case "never":
		return false
	}
	f, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" &&
		(isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
