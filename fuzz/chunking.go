package fuzz

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"reflect"

	"github.com/turnlint/turnlint/scan"
)

// CheckChunking reads data as a log, in pieces of several sizes and on several
// processors. The error is nil when the records and the reading depend on neither.
func CheckChunking(data []byte) error {
	want, err := readLog(bytes.NewReader(data), int64(len(data)), 1)
	if err != nil {
		return err
	}
	for _, piece := range []int{1, 2, 7, 64} {
		for _, eager := range []bool{false, true} {
			got, err := readLog(pieces{data, piece, eager}, int64(len(data)), 1)
			if err != nil {
				return fmt.Errorf("%d bytes at a time: %w", piece, err)
			}
			if difference := want.difference(got); difference != "" {
				return fmt.Errorf("%d bytes at a time: %s", piece, difference)
			}
		}
	}
	got, err := readLog(bytes.NewReader(data), int64(len(data)), 3)
	if err != nil {
		return fmt.Errorf("on several processors: %w", err)
	}
	if difference := want.difference(got); difference != "" {
		return fmt.Errorf("on several processors: %s", difference)
	}
	return nil
}

// pieces returns at most size bytes a call. At the end of the data it returns
// io.EOF with the last bytes when eager, and else only with none.
type pieces struct {
	data  []byte
	size  int
	eager bool
}

func (p pieces) ReadAt(buf []byte, off int64) (int, error) {
	if off >= int64(len(p.data)) {
		return 0, io.EOF
	}
	n := copy(buf[:min(len(buf), p.size)], p.data[off:])
	if p.eager && off+int64(n) == int64(len(p.data)) {
		return n, io.EOF
	}
	return n, nil
}

// logRead is all that a reader told about a log.
type logRead struct {
	records   []string
	accepted  []string // texts behind the header that dsh takes
	header    string
	reading   *scan.Reading // without its header, in which a version may be NaN
	container *scan.Container
}

func readLog(src io.ReaderAt, size int64, jobs int) (*logRead, error) {
	var l logRead
	err := l.read(src, size, jobs, func(r *scan.Record, accepted bool) {
		l.records = append(l.records, fmt.Sprintf("%+v kind %d terminated %v last frame %d torn %v gap %v accepted %v syntax %v text %s",
			r.Place, r.Kind, r.Terminated, r.LastFrame, r.Torn, r.AfterGap, accepted, r.Syntax, hex.EncodeToString(r.Text)))
	})
	if err != nil {
		return nil, err
	}
	l.header = fmt.Sprintf("%+v", l.reading.Header)
	l.reading.Header = nil
	return &l, nil
}

// read reads a log with scan. each is called with every record, and whether dsh takes it.
func (l *logRead) read(src io.ReaderAt, size int64, jobs int, each func(r *scan.Record, accepted bool)) error {
	reader, err := scan.NewReader(src, size, scan.Options{Jobs: jobs})
	if err != nil {
		return err
	}
	model := scan.NewModel(scan.ModelOptions{Digests: true})
	for r := range reader.Records() {
		accepted := model.Add(r)
		if accepted && r.Kind != scan.Header {
			l.accepted = append(l.accepted, string(r.Text))
		}
		each(r, accepted)
	}
	l.container = reader.Container()
	l.reading = model.Reading(l.container)
	return reader.Err()
}

// difference describes the first difference, "" when there is none.
func (a *logRead) difference(b *logRead) string {
	for i := range min(len(a.records), len(b.records)) {
		if a.records[i] != b.records[i] {
			return fmt.Sprintf("record %d is\n%s, want\n%s", i+1, b.records[i], a.records[i])
		}
	}
	switch {
	case len(a.records) != len(b.records):
		return fmt.Sprintf("%d records, want %d", len(b.records), len(a.records))
	case !reflect.DeepEqual(a.container, b.container):
		return fmt.Sprintf("container %+v, want %+v", b.container, a.container)
	case a.header != b.header:
		return fmt.Sprintf("header %s, want %s", b.header, a.header)
	case !reflect.DeepEqual(a.reading, b.reading):
		return fmt.Sprintf("reading %+v, want %+v", b.reading, a.reading)
	}
	return ""
}
