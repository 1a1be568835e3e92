// Package cli is what the commands share: parsing arguments, help, shell
// completion, colour, exit codes and opening inputs.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/internal/escape"
)

// Program is a command-line program. Its actions say how they ended by the error
// that they return: nil is exit code 0, a [Status] its own code, and every other
// error is printed as one line.
type Program struct {
	// App has the name, the usage line and the commands. Flags belong to the
	// commands; help, version and completion are added here.
	App *cli.App
	// Default names the command that runs when the arguments name none.
	Default string
	// Examples are the lines that the help starts with.
	Examples []Example
	// Exits and Env are tables for the help.
	Exits []Exit
	Env   []EnvVar
	// Words are the arguments that shells complete for a command that takes no
	// paths, by the command's name.
	Words map[string][]string
	// SeeAlso names the other programs that the manual page refers to.
	SeeAlso []string

	// Usage is the exit code of a wrong command line, Failure that of any other
	// error, Interrupted that of a cancelled context.
	Usage, Failure, Interrupted int
}

// Example is a command line and what it does.
type Example struct{ Line, Meaning string }

// Exit documents an exit code.
type Exit struct {
	Code    int
	Meaning string
}

// EnvVar documents an environment variable.
type EnvVar struct{ Name, Meaning string }

// Status is the exit code of an action that has already said everything else.
type Status int

// Error implements error.
func (s Status) Error() string { return "exit status " + strconv.Itoa(int(s)) }

// usageError is the error of a command line, or of a file that it names, which
// make no sense.
type usageError struct{ what, hint string }

func (e usageError) Error() string { return e.what }

// Usagef returns the error of an action whose arguments make no sense.
func Usagef(format string, args ...any) error {
	return usageError{what: fmt.Sprintf(format, args...)}
}

// UsageHint returns the error of an action whose arguments make no sense, with
// something better to say about it than to see the help.
func UsageHint(err error, hint string) error {
	return usageError{err.Error(), hint}
}

// gcPercent is the growth of the heap, in percent, that starts a collection. The
// commands allocate next to nothing per line, so that frequent collections cost
// no time, and memory stays close to what is in use.
const gcPercent = 20

// Main runs the program on the process's streams until it ends, or SIGINT or
// SIGTERM cancels it, and returns the exit code. args do not include the
// program's name.
func (p *Program) Main(args []string) int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal ends the process at once, should the first not get through.
	context.AfterFunc(ctx, stop)
	return p.Run(ctx, args)
}

// Run runs the program and returns the exit code.
func (p *Program) Run(ctx context.Context, args []string) (code int) {
	p.setup()
	if err := setLang(p.App, args); err != nil {
		complain(p.App, err)
		return p.Failure
	}
	defer func() {
		if cause := recover(); cause != nil {
			p.complain(fmt.Errorf("internal error: %v", cause))
			code = p.Failure
		}
	}()
	err := p.run(ctx, args)
	var status Status
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, &usage):
		p.complain(usage)
		p.hint(cmp.Or(usage.hint, "see "+p.App.Name+" --help"))
		return p.Usage
	case errors.Is(err, context.Canceled):
		p.complain(errors.New("interrupted"))
		return p.Interrupted
	}
	complain(p.App, err)
	return p.Failure
}

// setup prepares the app for arguments that arrange has put in order. Help is
// handled here, because urfave/cli would make a command of a file called "help".
func (p *Program) setup() {
	p.App.HideHelp, p.App.HideVersion = true, true
	p.App.DisableSliceFlagSeparator = true
	p.App.ExitErrHandler = func(*cli.Context, error) {}
	if p.App.Command("help") == nil {
		p.App.Commands = append(p.App.Commands, p.helpCommand(), p.completionCommand(), p.completeCommand())
	}
	p.App.Setup()
	for _, c := range p.App.Commands {
		c.HideHelp = true
		c.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return usageError{what: err.Error()} }
	}
}

func (p *Program) run(ctx context.Context, args []string) error {
	line := p.arrange(args)
	switch {
	case line.help:
		return p.writeHelp(p.App.Writer, line.command)
	case line.version:
		_, err := fmt.Fprintf(p.App.Writer, "%s %s\n", p.App.Name, version())
		return err
	}
	return p.App.RunContext(ctx, append([]string{p.App.Name, line.command.Name}, line.args...))
}

// version returns the version of the module that the program was built from, and
// of what it was built with and for.
func version() string {
	return fmt.Sprintf("%s %s %s/%s", ModuleVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// ModuleVersion returns the version of the module that the program was built from.
func ModuleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(unknown version)"
}

func (p *Program) complain(err error) { p.say(langOf(p.App).Error(err)) }

func (p *Program) hint(what string) {
	l := langOf(p.App)
	p.say(l.Textf("hint: %v", l.Text(what)))
}

func (p *Program) say(what string) {
	fmt.Fprintf(p.App.ErrWriter, "%s: %s\n", p.App.Name, escape.Line(what))
}
