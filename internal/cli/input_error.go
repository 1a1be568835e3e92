package cli

import (
	"errors"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/internal/escape"
)

// InputError says that an input could not be read.
type InputError struct {
	Path string
	What string // what happened, in a few words
	Hint string // what to do about it, "" when there is nothing to say
	Err  error  // the cause, if any
}

// Error returns the path and what happened as one printable line.
func (e *InputError) Error() string { return escape.Line(InputName(e.Path) + ": " + e.What) }

// InputName returns what messages call an input.
func InputName(path string) string {
	if path == Stdin {
		return "standard input"
	}
	return path
}

// Unwrap returns the cause.
func (e *InputError) Unwrap() error { return e.Err }

// Unreadable returns the [InputError] for a path that could not be opened or read.
func Unreadable(path string, err error) *InputError { return inputError(path, err) }

// inputError says in plain words why path could not be opened or read.
func inputError(path string, err error) *InputError {
	e := &InputError{Path: path, What: err.Error(), Err: err}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		e.What = pathErr.Err.Error()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.What, e.Hint = "no such file or directory", "check the path"
	case errors.Is(err, fs.ErrPermission):
		e.What, e.Hint = "permission denied", "run as the owner of the file, or copy it to where you may read it"
	}
	return e
}

// Complain prints an error, and the hint of an [InputError], on standard error.
func Complain(c *cli.Context, err error) { complain(c.App, err) }

func complain(app *cli.App, err error) {
	p := &Program{App: app}
	p.complain(err)
	var input *InputError
	if errors.As(err, &input) && input.Hint != "" {
		p.hint(input.Hint)
	}
}
