package cli

import (
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/internal/lang"
)

const langFlag = "lang"

// LangFlag returns the flag that [Lang] reads.
func LangFlag() cli.Flag {
	f := Choice(langFlag, "write text and pages in `LANGUAGE`", "", lang.Names...)
	f.Usage += " (default from LC_ALL, LC_MESSAGES or LANG)"
	return f
}

// Lang returns the printer of the language that a command writes in for people.
func Lang(c *cli.Context) *lang.Printer { return langOf(c.App) }

// langOf returns the printer of [setLang]; nil, which is English, before.
func langOf(app *cli.App) *lang.Printer {
	p, _ := app.Metadata[langFlag].(*lang.Printer)
	return p
}

// setLang chooses the language of everything that follows: that of the flag, else that of the
// environment. It looks for the flag itself, because what is wrong with the other arguments is
// said in that language too. A language that is unknown is left to the flag to complain of.
func setLang(app *cli.App, args []string) error {
	name := flagValue(args, langFlag)
	if !slices.Contains(lang.Names, name) {
		name = lang.FromEnv(os.Getenv)
	}
	p, err := lang.For(name)
	if err != nil {
		return err
	}
	app.Metadata[langFlag] = p
	return nil
}

// flagValue returns the value of a flag among arguments, "" for none.
func flagValue(args []string, name string) (value string) {
	for i, arg := range args {
		if arg == "--" {
			break
		}
		flag, inline, ok := strings.Cut(arg, "=")
		switch {
		case flag != "-"+name && flag != "--"+name:
		case ok:
			value = inline
		case i+1 < len(args):
			value = args[i+1]
		}
	}
	return value
}
