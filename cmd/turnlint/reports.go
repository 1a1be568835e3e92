package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/report"
)

// reports are the reports of a run: one on standard output unless it is quiet,
// and one in each file of --output.
type reports struct {
	writers []report.Writer
	files   []*reportFile
	// draw says that one of them shows pictures of the files.
	draw bool
	// baseline is the file of --write-baseline, or nil; it is one of files.
	baseline *reportFile
}

// reportFile is a report that appears under its name when it is complete: a
// script never meets half of one, and an interrupted run leaves the last one.
type reportFile struct {
	path string
	temp *os.File
	old  os.FileInfo // what path is now; nil for nothing
}

func openReports(c *cli.Context, opt report.Options) (*reports, error) {
	opt.Version = cmp.Or(opt.Version, shared.ModuleVersion())
	opt.Warn = func(what string) { shared.Complain(c, errors.New(what)) }
	opt.Lang = shared.Lang(c)
	rs := &reports{}
	if !c.Bool("quiet") {
		rs.writers = append(rs.writers, stdoutReport(c, opt))
		rs.draw = report.Draws(c.String("format"))
	}
	err := rs.openFiles(c, opt)
	if err != nil {
		rs.discard()
	}
	return rs, err
}

func (rs *reports) openFiles(c *cli.Context, opt report.Options) error {
	for _, spec := range c.StringSlice("output") {
		if err := rs.open(spec, opt); err != nil {
			return err
		}
	}
	if !c.IsSet("write-baseline") {
		return nil
	}
	name := c.String("write-baseline")
	if name == shared.Stdin {
		return shared.Usagef("--write-baseline %q: standard output has the report of --format", name)
	}
	if rs.writes(name) {
		return shared.Usagef("--write-baseline %q: a report of --output goes there", name)
	}
	f, err := createReport(name)
	if err != nil {
		return shared.Usagef("--write-baseline %q: %v", name, err)
	}
	rs.files, rs.baseline = append(rs.files, f), f
	return nil
}

func stdoutReport(c *cli.Context, opt report.Options) report.Writer {
	opt.Color = shared.ColorFor(c, c.App.Writer)
	w, err := report.New(c.String("format"), c.App.Writer, opt)
	if err != nil {
		panic(err) // the flag takes known formats only
	}
	return w
}

// open opens the report that FORMAT=PATH asks for.
func (rs *reports) open(spec string, opt report.Options) error {
	format, path, ok := strings.Cut(spec, "=")
	switch {
	case !ok || path == "":
		return shared.Usagef("--output %q: want FORMAT=PATH", spec)
	case path == shared.Stdin:
		return shared.Usagef("--output %q: standard output has the report of --format", spec)
	}
	if rs.writes(path) {
		return shared.Usagef("--output %q: another report goes there", spec)
	}
	f, err := createReport(path)
	if err != nil {
		return shared.Usagef("--output %q: %v", spec, err)
	}
	rs.files = append(rs.files, f)
	w, err := report.New(format, f.temp, opt)
	if err != nil {
		return shared.Usagef("--output %q: %v", spec, err)
	}
	rs.writers = append(rs.writers, w)
	rs.draw = rs.draw || report.Draws(format)
	return nil
}

// writes reports whether one of the files has a path already, however it is spelled.
func (rs *reports) writes(path string) bool {
	return slices.ContainsFunc(rs.files, func(f *reportFile) bool {
		return filepath.Base(f.path) == filepath.Base(path) && sameFile(filepath.Dir(f.path), filepath.Dir(path)) ||
			sameFile(f.path, path)
	})
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// createReport creates the temporary file in the directory of path, because only
// there the rename is sure to be atomic. Devices and pipes are written to as
// they are.
func createReport(path string) (f *reportFile, err error) {
	f = &reportFile{path: path}
	f.old, err = os.Stat(path)
	switch {
	case err == nil && f.old.IsDir():
		return nil, errors.New("is a directory")
	case err == nil && !f.old.Mode().IsRegular():
		f.temp, err = os.OpenFile(path, os.O_WRONLY, 0)
		return f, err
	}
	for n := os.Getpid(); ; n++ {
		name := fmt.Sprintf("%s.%d.tmp", path, n)
		f.temp, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
}

// clash returns a usage error when name is a file that a report would replace.
func (rs *reports) clash(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return nil // the read says why
	}
	for _, f := range rs.files {
		if f.old != nil && os.SameFile(f.old, info) {
			return shared.Usagef("%s would replace the input %q", rs.flagOf(f), name)
		}
	}
	return nil
}

// flagOf returns the flag that asks for the file.
func (rs *reports) flagOf(f *reportFile) string {
	if f == rs.baseline {
		return "--write-baseline"
	}
	return "--output"
}

func (rs *reports) none() bool { return len(rs.writers) == 0 }

func (rs *reports) file(f *report.File) error {
	return rs.each(func(w report.Writer) error { return w.File(f) })
}

func (rs *reports) store(s *report.Store) error {
	return rs.each(func(w report.Writer) error { return w.Store(s) })
}

func (rs *reports) each(write func(report.Writer) error) error {
	for _, w := range rs.writers {
		if err := write(w); err != nil {
			return err
		}
	}
	return nil
}

// publish ends the reports and gives the files their names.
func (rs *reports) publish() error {
	for _, w := range rs.writers {
		if err := w.Close(); err != nil {
			return err
		}
	}
	for _, f := range rs.files {
		if err := f.publish(); err != nil {
			return err
		}
	}
	rs.files = nil
	return nil
}

func (f *reportFile) publish() error {
	if err := f.temp.Close(); err != nil {
		return err
	}
	if f.temp.Name() == f.path {
		return nil
	}
	return os.Rename(f.temp.Name(), f.path)
}

// discard removes what has not been published.
func (rs *reports) discard() {
	for _, f := range rs.files {
		f.temp.Close()
		if f.temp.Name() != f.path {
			os.Remove(f.temp.Name())
		}
	}
}
