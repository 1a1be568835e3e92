package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	urfave "github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/internal/cli"
)

func TestMain(m *testing.M) {
	os.Setenv("LC_ALL", "C") // what is expected is in English
	os.Exit(m.Run())
}

// codes are the exit codes of the test program.
const (
	usage       = 4
	failure     = 3
	interrupted = 130
)

// run runs a small program whose commands print how they were called.
func run(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = program(&out, &errs).Run(ctx, args)
	return code, out.String(), errs.String()
}

func program(out, errs io.Writer) *cli.Program {
	return &cli.Program{
		App: &urfave.App{
			Name: "prog", Usage: "test arguments", Writer: out, ErrWriter: errs,
			Commands: []*urfave.Command{showCommand("check"), showCommand("plan"), endCommand()},
		},
		Default:  "check",
		Examples: []cli.Example{{Line: "prog FILE", Meaning: "show it"}},
		Exits:    []cli.Exit{{Code: 0, Meaning: "fine"}, {Code: usage, Meaning: "wrong command line"}},
		Env:      []cli.EnvVar{{Name: "PROG_HOME", Meaning: "where it lives"}},
		Words:    map[string][]string{"end": {"status", "usage", "cancelled"}},
		SeeAlso:  []string{"other"},
		Usage:    usage, Failure: failure, Interrupted: interrupted,
	}
}

func showCommand(name string) *urfave.Command {
	return &urfave.Command{
		Name: name, Usage: "show the arguments", ArgsUsage: "PATH...",
		Flags: []urfave.Flag{
			cli.Choice("format", "print as `FORMAT`", "text", "text", "json"),
			&urfave.StringSliceFlag{Name: "output"},
			&urfave.BoolFlag{Name: "quiet", Aliases: []string{"q"}},
			cli.SizeFlag("max", "at most `SIZE`"),
		},
		Action: func(c *urfave.Context) error {
			fmt.Fprintf(c.App.Writer, "%s format=%s output=%q quiet=%t max=%d args=%q\n", name,
				c.String("format"), c.StringSlice("output"), c.Bool("quiet"), cli.Size(c, "max"), c.Args().Slice())
			return nil
		},
	}
}

func endCommand() *urfave.Command {
	some := cli.ChoicesFlag("some", "what to print", "red", "green", "blue")
	return &urfave.Command{Name: "end", Usage: "end in some way", Flags: []urfave.Flag{some}, Action: func(c *urfave.Context) error {
		switch how := c.Args().First(); how {
		case "":
			fmt.Fprintf(c.App.Writer, "%q\n", cli.Choices(c, "some"))
			return nil
		case "status":
			return cli.Status(17)
		case "usage":
			return cli.Usagef("want %q", "more\n")
		case "hint":
			return cli.UsageHint(errors.New("colours.yaml is wrong"), "mend it")
		case "error":
			return errors.New("disk on fire")
		case "input":
			return &cli.InputError{Path: "a\x1bb", What: "is gone", Hint: "look elsewhere"}
		case "cancelled":
			return fmt.Errorf("reading: %w", context.Canceled)
		default:
			panic(how)
		}
	}}
}

func TestArguments(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"the default command needs no name", []string{"a"}, `check format=text output=[] quiet=false max=0 args=["a"]`},
		{"the default command runs without arguments", nil, `check format=text output=[] quiet=false max=0 args=[]`},
		{"a command by its name", []string{"plan", "a"}, `plan format=text output=[] quiet=false max=0 args=["a"]`},
		{"flags before paths", []string{"--format", "json", "-q", "a"}, `check format=json output=[] quiet=true max=0 args=["a"]`},
		{"flags behind paths", []string{"a", "--format=json", "b", "--quiet"}, `check format=json output=[] quiet=true max=0 args=["a" "b"]`},
		{"flags before the command", []string{"--format", "json", "plan", "a"}, `plan format=json output=[] quiet=false max=0 args=["a"]`},
		{"a value that is a command's name", []string{"--output", "plan", "a"}, `check format=text output=["plan"] quiet=false max=0 args=["a"]`},
		{"two dashes end the flags", []string{"--", "--format", "plan", "-x"}, `check format=text output=[] quiet=false max=0 args=["--format" "plan" "-x"]`},
		{"one dash is a path", []string{"-", "-q"}, `check format=text output=[] quiet=true max=0 args=["-"]`},
		{"a comma does not split a value", []string{"--output", "a,b", "--output=c"}, `check format=text output=["a,b" "c"] quiet=false max=0 args=[]`},
		{"a path called like a flag of the command", []string{"check", "format"}, `check format=text output=[] quiet=false max=0 args=["format"]`},
		{"paths called like what other programs take for help", []string{"check", "help", "h"}, `check format=text output=[] quiet=false max=0 args=["help" "h"]`},
		{"some of a few words", []string{"end", "--some", "blue,red", "--some=green,red"}, `["blue" "red" "green"]`},
		{"none of a few words", []string{"end"}, `[]`},
		{"a size with a unit", []string{"--max", "64K"}, `check format=text output=[] quiet=false max=65536 args=[]`},
		{"a size with a binary unit", []string{"--max=3MiB"}, `check format=text output=[] quiet=false max=3145728 args=[]`},
		{"a size in bytes", []string{"--max=7"}, `check format=text output=[] quiet=false max=7 args=[]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := run(t.Context(), tt.args...)
			if code != 0 || stderr != "" {
				t.Errorf("exit code %d, stderr %q", code, stderr)
			}
			if diff := cmp.Diff(tt.want+"\n", stdout); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEndings(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name   string
		ctx    context.Context
		args   []string
		code   int
		stderr string
	}{
		{"a status says nothing", t.Context(), []string{"end", "status"}, 17, ""},
		{"a usage error is escaped", t.Context(), []string{"end", "usage"}, usage, "prog: want \"more\\n\"\nprog: hint: see prog --help\n"},
		{"any other error is a failure", t.Context(), []string{"end", "error"}, failure, "prog: disk on fire\n"},
		{"an input error has its hint", t.Context(), []string{"end", "input"}, failure, "prog: a\\x1bb: is gone\nprog: hint: look elsewhere\n"},
		{"a cancelled run is interrupted", cancelled, []string{"end", "cancelled"}, interrupted, "prog: interrupted\n"},
		{"a panic is one line", t.Context(), []string{"end", "boom\n"}, failure, "prog: internal error: boom\\n\n"},
		{"a usage error with a hint of its own", t.Context(), []string{"end", "hint"}, usage, "prog: colours.yaml is wrong\nprog: hint: mend it\n"},
		{"one word too many", t.Context(), []string{"end", "--some", "red,pink"}, usage, "prog: invalid value \"red,pink\" for flag -some: want red, green or blue\nprog: hint: see prog --help\n"},
		{"an unknown flag", t.Context(), []string{"a", "--nope"}, usage, "prog: flag provided but not defined: -nope\nprog: hint: see prog --help\n"},
		{"a flag without its value", t.Context(), []string{"a", "--output"}, usage, "prog: flag needs an argument: -output\nprog: hint: see prog --help\n"},
		{
			"a value that is not allowed", t.Context(),
			[]string{"--format", "xml"},
			usage,
			"prog: invalid value \"xml\" for flag -format: want text or json\nprog: hint: see prog --help\n",
		},
		{
			"a size that is none", t.Context(),
			[]string{"--max", "9000000000G"},
			usage,
			"prog: invalid value \"9000000000G\" for flag -max: want a number of bytes such as 65536, 64K, 16MiB or 1G\nprog: hint: see prog --help\n",
		},
		{"help for an unknown command", t.Context(), []string{"help", "me"}, usage, "prog: unknown command \"me\"\nprog: hint: see prog --help\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := run(tt.ctx, tt.args...)
			if code != tt.code || stdout != "" {
				t.Errorf("exit code %d, want %d; stdout %q, want none", code, tt.code, stdout)
			}
			if diff := cmp.Diff(tt.stderr, stderr); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

const wantHelp = `prog: test arguments

  prog [check] [flags] PATH...
  prog plan [flags] PATH...
  prog end [flags]
  prog help [COMMAND]
  prog completion SHELL

EXAMPLES
  prog FILE   show it

COMMANDS
  check        show the arguments
  plan         show the arguments
  end          end in some way
  help         explain the program or one of its commands
  completion   print a completion script for bash, zsh, fish or powershell

OPTIONS of check (before or after the paths; -- ends them)
  --format FORMAT     print as FORMAT: text or json (default text)
  --output            
  --quiet, -q         
  --max SIZE          at most SIZE
  --help, -h          this text
  --version           the version of the program

EXIT STATUS
  0   fine
  4   wrong command line

ENVIRONMENT
  PROG_HOME   where it lives
`

func TestHelpStartsWithExamples(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"a", "-h"}, {"help"}} {
		code, stdout, stderr := run(t.Context(), args...)
		if code != 0 || stderr != "" {
			t.Errorf("%q: exit code %d, stderr %q", args, code, stderr)
		}
		if diff := cmp.Diff(trimLines(wantHelp), trimLines(stdout)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", args, diff)
		}
	}
}

// trimLines drops the padding of empty cells and of columns.
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.Join(lines, "\n")
}

func TestHelpOfACommand(t *testing.T) {
	for _, args := range [][]string{{"plan", "--help"}, {"help", "plan"}} {
		_, stdout, _ := run(t.Context(), args...)
		if !strings.HasPrefix(stdout, "prog plan: show the arguments\n\n  prog plan [flags] PATH...\n\nOPTIONS of plan") {
			t.Errorf("%q:\n%s", args, stdout)
		}
	}
}

func TestVersionNamesTheProgram(t *testing.T) {
	code, stdout, _ := run(t.Context(), "--version")
	if code != 0 || !strings.HasPrefix(stdout, "prog ") || !strings.Contains(stdout, " go1.") {
		t.Errorf("exit code %d, stdout %q", code, stdout)
	}
}
