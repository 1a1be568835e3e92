package cli

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// commandLine is a command line in the order in which urfave/cli reads it.
type commandLine struct {
	command *cli.Command
	named   bool     // the arguments name the command
	args    []string // flags, "--", then everything else
	help    bool
	version bool
}

// arrange finds the command and moves its flags before its other arguments,
// because urfave/cli takes everything behind the first of those for arguments
// too. "--" ends the flags.
func (p *Program) arrange(args []string) *commandLine {
	line := &commandLine{command: p.App.Command(p.Default)}
	if at := p.firstArgument(args); at >= 0 {
		if named := p.App.Command(args[at]); named != nil {
			line.command, line.named = named, true
			args = slices.Concat(args[:at], args[at+1:])
		}
	}
	flags, rest, dangling := splitFlags(line.command, args)
	line.help = slices.ContainsFunc(flags, isHelp)
	line.version = slices.Contains(flags, "--version")
	if line.help && !line.named {
		line.command = nil
	}
	line.args = slices.Concat(flags, []string{"--"}, rest)
	if dangling {
		line.args = flags // so that "--" does not become the value
	}
	return line
}

func isHelp(arg string) bool { return arg == "--help" || arg == "-h" || arg == "-help" }

// firstArgument returns the index of the first argument that is neither a flag
// nor the value of one, and -1 when "--" or the end comes first.
func (p *Program) firstArgument(args []string) int {
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		switch {
		case !isFlag(args[i]):
			return i
		case slices.ContainsFunc(p.App.Commands, func(c *cli.Command) bool { return takesNext(c, args[i]) }):
			i++
		}
	}
	return -1
}

// splitFlags separates the flags of a command, with their values, from the
// other arguments, and reports whether the last flag lacks its value.
func splitFlags(c *cli.Command, args []string) (flags, rest []string, dangling bool) {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--":
			return flags, append(rest, args[i+1:]...), false
		case !isFlag(args[i]):
			rest = append(rest, args[i])
		case takesNext(c, args[i]):
			end := min(i+2, len(args))
			flags = append(flags, args[i:end]...)
			dangling = end < i+2
			i++
		default:
			flags = append(flags, args[i])
		}
	}
	return flags, rest, dangling
}

// isFlag reports whether an argument is written like a flag; "-" is not.
func isFlag(arg string) bool { return len(arg) > 1 && arg[0] == '-' }

// takesNext reports whether arg is a flag of the command whose value is the
// argument behind it.
func takesNext(c *cli.Command, arg string) bool {
	f := findFlag(c, strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"))
	return f != nil && f.TakesValue()
}

// findFlag returns the flag of the command with the given name, or nil.
func findFlag(c *cli.Command, name string) cli.DocGenerationFlag {
	for _, f := range c.Flags {
		if doc, ok := f.(cli.DocGenerationFlag); ok && slices.Contains(f.Names(), name) {
			return doc
		}
	}
	return nil
}
