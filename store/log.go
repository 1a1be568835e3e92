package store

import (
	"os"
	"path/filepath"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// Log is a log in a session directory, told by its name. It is not for concurrent
// use.
type Log struct {
	session.LogName
	Path string // begins with that of the tree

	root    string
	listing *Listing // once it has been asked for
}

// Encoding returns the encoding that the name promises.
func (l *Log) Encoding() scan.Encoding {
	if l.Zstd {
		return scan.Zstd
	}
	return scan.Plain
}

// Name returns the name of the file.
func (l *Log) Name() string { return filepath.Base(l.Path) }

// Listing is what dsh makes of a log when it lists sessions.
type Listing struct {
	scan.Listing
	// Err says why the log could not be read; it fails the listing too.
	Err error
}

// Listing reads the header of the log, the first time that it is asked for.
func (l *Log) Listing() *Listing {
	if l.listing == nil {
		l.listing = &Listing{}
		l.listing.Err = l.Read(func(file *os.File, size int64) error { return l.list(file, size) })
	}
	return l.listing
}

// Read opens the log and calls use with it and its size in bytes.
func (l *Log) Read(use func(file *os.File, size int64) error) error {
	file, size, err := openLog(l.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	return use(file, size)
}

func (l *Log) list(file *os.File, size int64) error {
	abs, err := filepath.Abs(l.Path)
	if err != nil {
		return err
	}
	l.listing.Listing, err = scan.List(file, size, l.LogName, scan.ModelOptions{Path: abs, Root: l.root, SameFile: SameFile(abs)})
	return err
}

// Winners returns the logs of a session directory that dsh chooses: of each
// encoding the one of the highest generation, readable or not, the plain one
// first (docs/generations.md §7.1). A sessions directory is set up for one
// encoding, so that two of them are a fault of their own.
func (d *Dir) Winners() (winners []*Log) {
	var last [2]*Log
	for _, log := range d.Logs {
		last[log.Encoding()-scan.Plain] = log
	}
	for _, log := range last {
		if log != nil {
			winners = append(winners, log)
		}
	}
	return winners
}

// Winner returns the log of the highest generation, of two of them the zstd one,
// because dsh writes zstd unless told otherwise; nil where there is no log.
func (d *Dir) Winner() *Log {
	if len(d.Logs) == 0 {
		return nil
	}
	return d.Logs[len(d.Logs)-1]
}

// Predecessors returns the logs of the same encoding and lower generations, which
// the log hides from dsh, the lowest first.
func (d *Dir) Predecessors(of *Log) (hidden []*Log) {
	for _, log := range d.Logs {
		if log.Zstd == of.Zstd && log.Generation < of.Generation {
			hidden = append(hidden, log)
		}
	}
	return hidden
}
