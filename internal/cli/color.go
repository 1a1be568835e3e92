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
	f := fileOf(w)
	return f != nil && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(f)
}

func isTerminal(f *os.File) bool {
	return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
}

// fileOf returns the file that a stream of the program is, or goes to; nil when it is
// none.
func fileOf(w io.Writer) *os.File {
	switch w := w.(type) {
	case *os.File:
		return w
	case *aboveBar:
		return w.file
	}
	return nil
}
