package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/turnlint/turnlint/internal/smallfile"
)

// Name is the name of the configuration file.
const Name = ".turnlint.yaml"

// maxSize bounds the bytes of a configuration: one that people write takes a few
// kilobytes, and the time of the YAML parser grows faster than its input.
const maxSize = 64 << 10

// Find returns the path of the nearest file called [Name] in dir or a directory
// above it, "" when there is none. Where dir is relative, so is the path while
// the file lies in dir itself.
func Find(dir string) (string, error) {
	name := filepath.Join(dir, Name)
	if exists(name) {
		return name, nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
		if name := filepath.Join(dir, Name); exists(name) {
			return name, nil
		}
	}
}

// exists reports whether there is anything under a name. A file that cannot be
// looked at counts: to pass over it in silence would change what the run means.
func exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// Load reads the configuration in a file. Every error is an [*Error].
func Load(name string) (*Config, error) {
	text, err := smallfile.Read(name, maxSize)
	if err != nil {
		return nil, unreadable(name, err)
	}
	return Parse(name, text)
}

func unreadable(name string, err error) *Error {
	return &Error{Origin: Origin{File: name}, What: err.Error(), Hint: "name another file with --config, or run with --no-config"}
}

// notUTF8 returns the error for the first byte that is not UTF-8, or nil.
func notUTF8(name string, text []byte) *Error {
	at := Origin{File: name, Line: 1, Column: 1}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return &Error{Origin: at, What: fmt.Sprintf("byte 0x%02x is not UTF-8", text[i]), Hint: "save the file as UTF-8"}
		case r == '\n':
			at.Line, at.Column = at.Line+1, 0
		}
		at.Column++
		i += size
	}
	return nil
}
