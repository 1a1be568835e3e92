package database

import (
	"cmp"
	"context"
	"database/sql"
	"io"
	"os"
	"path/filepath"
)

// DefaultMaxValue is the longest text or blob, in bytes, that a Database reads
// unless told otherwise.
const DefaultMaxValue = 64 << 20

// Options of a [Database].
type Options struct {
	// Path is the absolute path of the database in dsh's messages, "" for one without.
	Path string
	// MaxValue caps the bytes of one value, and with it the memory; 0 means
	// DefaultMaxValue. A row with a longer one becomes a record of kind TooLong.
	MaxValue int64
}

// Database is an open copy of a session database. It is for one goroutine; iterators
// of it may be nested.
type Database struct {
	// Path is that of the options.
	Path string
	// File is what the file says of itself.
	File File
	// Refusal is why dsh does not open the store, nil when it does. Only a Database
	// without one has headers and sessions.
	Refusal *Refusal
	// Difference says in words how the schema of a store differs from that of dsh, ""
	// where it does not or that is not looked at.
	Difference string
	// New says that the database holds nothing yet, so that dsh makes a new store of
	// it. It has no tables.
	New bool

	ctx      context.Context
	dir      string // of the copy
	pool     *sql.DB
	conn     *sql.Conn
	maxValue int64
}

// Open copies the database at path with its companions, and opens the copy until
// ctx is done. An error means that it could not be copied, or is in use.
func Open(ctx context.Context, path string, opt Options) (*Database, error) {
	return open(ctx, opt, func(dir string) error { return copyFile(ctx, path, dir) })
}

// OpenImage is [Open] for the first size bytes of src, a database without companions.
func OpenImage(ctx context.Context, src io.ReaderAt, size int64, opt Options) (*Database, error) {
	return open(ctx, opt, func(dir string) error {
		if err := fits(size, dir); err != nil {
			return err
		}
		return writeCopy(ctx, io.NewSectionReader(src, 0, size), filepath.Join(dir, copyName))
	})
}

func newDatabase(ctx context.Context, opt Options) *Database {
	return &Database{Path: opt.Path, ctx: ctx, maxValue: cmp.Or(opt.MaxValue, DefaultMaxValue)}
}

func open(ctx context.Context, opt Options, copyTo func(dir string) error) (d *Database, err error) {
	d = newDatabase(ctx, opt)
	if d.dir, err = os.MkdirTemp("", "turnlint-*"); err != nil {
		return nil, err
	}
	for _, step := range []func() error{
		func() error { return copyTo(d.dir) },
		func() error { return checkJournal(filepath.Join(d.dir, copyName)) },
		d.readFile,
		d.identify,
	} {
		if err := step(); err != nil {
			d.Close()
			return nil, err
		}
	}
	return d, nil
}

// Close removes the copy.
func (d *Database) Close() error {
	if d.conn != nil {
		d.conn.Close()
	}
	if d.pool != nil {
		d.pool.Close()
	}
	return os.RemoveAll(d.dir)
}

func (d *Database) readFile() error {
	file, err := os.Open(filepath.Join(d.dir, copyName))
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	d.File, err = readFile(file, info.Size())
	return err
}
