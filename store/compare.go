package store

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"os"

	"github.com/turnlint/turnlint/scan"
)

// Comparison says how the events of two logs relate.
type Comparison struct {
	Common   int64 // events that both begin with
	First    int64 // further events of the first log
	Second   int64 // further events of the second log
	Diverged bool  // the logs go on differently behind the common events
}

// Compare reads the events of two logs side by side, whatever their encodings and
// their headers. An error means that one of them could not be read, or is that of
// ctx. A record that its log does not complete is not compared, so that a copy
// which was cut in a line is no other history.
func Compare(ctx context.Context, first, second string) (c Comparison, err error) {
	a, err := openRecords(ctx, first)
	if err != nil {
		return c, err
	}
	defer a.close()
	b, err := openRecords(ctx, second)
	if err != nil {
		return c, err
	}
	defer b.close()
	for a.record != nil && b.record != nil && sameLine(a.record, b.record) {
		c.Common += a.record.Events()
		a.advance()
		b.advance()
	}
	c.Diverged = a.record != nil && b.record != nil
	c.First, c.Second = a.rest(), b.rest()
	return c, cmp.Or(ctx.Err(), a.reader.Err(), b.reader.Err())
}

func sameLine(a, b *scan.Record) bool {
	if a.Kind != b.Kind || a.Kind == scan.TooLong {
		return false
	}
	return a.Kind == scan.Header || bytes.Equal(a.Text, b.Text)
}

// records are the complete records of a log file, one at a time.
type records struct {
	ctx    context.Context
	file   *os.File
	reader *scan.Reader
	record *scan.Record // nil behind the last
	next   func() (*scan.Record, bool)
	stop   func()
}

func openRecords(ctx context.Context, path string) (*records, error) {
	file, size, err := openLog(path)
	if err != nil {
		return nil, err
	}
	reader, err := scan.NewReader(file, size, scan.Options{})
	if err != nil {
		file.Close()
		return nil, err
	}
	r := &records{ctx: ctx, file: file, reader: reader}
	r.next, r.stop = iter.Pull(reader.Records())
	r.advance()
	return r, nil
}

// advance moves to the next complete record, until the context is done.
func (r *records) advance() {
	record, ok := r.next()
	if !ok || !record.Terminated || r.ctx.Err() != nil {
		record = nil
	}
	r.record = record
}

// rest counts the events from the current record on.
func (r *records) rest() (events int64) {
	for ; r.record != nil; r.advance() {
		events += r.record.Events()
	}
	return events
}

func (r *records) close() {
	r.stop()
	r.file.Close()
}
