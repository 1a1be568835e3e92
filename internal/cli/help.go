package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"
)

func (p *Program) helpCommand() *cli.Command {
	return &cli.Command{
		Name: "help", Usage: "explain the program or one of its commands", ArgsUsage: "[COMMAND]",
		Action: func(c *cli.Context) error {
			if !c.Args().Present() {
				return p.writeHelp(c.App.Writer, nil)
			}
			command := c.App.Command(c.Args().First())
			if command == nil {
				return Usagef("unknown command %q", c.Args().First())
			}
			return p.writeHelp(c.App.Writer, command)
		},
	}
}

// writeHelp explains a command, or the whole program when command is nil. What
// most people look for, an example to copy, comes first.
func (p *Program) writeHelp(out io.Writer, command *cli.Command) error {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	shown := command
	if command == nil {
		fmt.Fprintf(w, "%s: %s\n\n", p.App.Name, p.App.Usage)
		p.writeSynopsis(w)
		p.writeExamples(w)
		p.writeCommands(w)
		shown = p.App.Command(p.Default)
	} else {
		fmt.Fprintf(w, "%s %s: %s\n\n  %s\n", p.App.Name, command.Name, command.Usage, p.synopsis(command))
		if command.Description != "" {
			fmt.Fprintf(w, "\n%s\n", strings.TrimRight(command.Description, "\n"))
		}
	}
	writeOptions(w, shown)
	p.writeTables(w)
	return w.Flush()
}

func (p *Program) writeSynopsis(w io.Writer) {
	for _, c := range p.App.VisibleCommands() {
		fmt.Fprintf(w, "  %s\n", p.synopsis(c))
	}
}

func (p *Program) synopsis(c *cli.Command) string {
	words := []string{p.App.Name, c.Name}
	if c.Name == p.Default {
		words[1] = "[" + c.Name + "]"
	}
	if len(c.Flags) > 0 {
		words = append(words, "[flags]")
	}
	if c.ArgsUsage != "" {
		words = append(words, c.ArgsUsage)
	}
	return strings.Join(words, " ")
}

func (p *Program) writeExamples(w io.Writer) {
	fmt.Fprint(w, "\nEXAMPLES\n")
	for _, e := range p.Examples {
		fmt.Fprintf(w, "  %s\t%s\n", e.Line, e.Meaning)
	}
}

func (p *Program) writeCommands(w io.Writer) {
	fmt.Fprint(w, "\nCOMMANDS\n")
	for _, c := range p.App.VisibleCommands() {
		fmt.Fprintf(w, "  %s\t%s\n", c.Name, c.Usage)
	}
}

func writeOptions(w io.Writer, c *cli.Command) {
	fmt.Fprintf(w, "\nOPTIONS of %s (before or after the paths; -- ends them)\n", c.Name)
	for _, f := range c.Flags {
		names, placeholder, usage := flagDoc(f)
		fmt.Fprintf(w, "  %s\t%s\n", strings.Join(names, placeholder+", ")+placeholder, usage)
	}
	fmt.Fprint(w, "  --help, -h\tthis text\n  --version\tthe version of the program\n")
}

// flagDoc returns the names of a flag with their dashes, the name of its value
// behind a space, or "", and its usage text. The usage has the name of the value
// in backquotes.
func flagDoc(f cli.Flag) (names []string, placeholder, usage string) {
	for _, name := range f.Names() {
		names = append(names, dashed(name))
	}
	if doc, ok := f.(cli.DocGenerationFlag); ok {
		usage = doc.GetUsage()
	}
	if before, rest, ok := strings.Cut(usage, "`"); ok {
		word, after, _ := strings.Cut(rest, "`")
		return names, " " + word, before + word + after
	}
	return names, "", usage
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func (p *Program) writeTables(w io.Writer) {
	fmt.Fprint(w, "\nEXIT STATUS\n")
	for _, e := range p.Exits {
		fmt.Fprintf(w, "  %s\t%s\n", strconv.Itoa(e.Code), e.Meaning)
	}
	if len(p.Env) == 0 {
		return
	}
	fmt.Fprint(w, "\nENVIRONMENT\n")
	for _, e := range p.Env {
		fmt.Fprintf(w, "  %s\t%s\n", e.Name, e.Meaning)
	}
}
