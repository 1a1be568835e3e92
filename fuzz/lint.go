package fuzz

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// CheckLint lints data. The error is nil when each finding lies in the log, a second
// run finds the same, and the reference opens a log of which turnlint says that dsh
// does.
func CheckLint(data []byte) error {
	result, err := lint(data)
	if err != nil {
		return err
	}
	again, err := lint(data)
	if err != nil {
		return err
	}
	if first, second := listing(result), listing(again); first != second {
		return fmt.Errorf("two runs differ:\n%s\n%s", first, second)
	}
	for i := range result.Findings {
		if err := checkFinding(result, &result.Findings[i]); err != nil {
			return err
		}
	}
	return checkOpens(data, result)
}

func lint(data []byte) (*rules.Result, error) {
	return rules.Check(bytes.NewReader(data), int64(len(data)), rules.Options{Digests: true})
}

func listing(r *rules.Result) string {
	var b bytes.Buffer
	fmt.Fprintln(&b, r.Reading.Verdict, r.Reading.Refusal(), r.Reading.Scan.Digest, r.Dialect)
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(&b, "%s %+v %s %s\n", f.Rule.Name, f.Place, f.Severity, f.Message)
	}
	return b.String()
}

func checkFinding(r *rules.Result, f *rules.Finding) error {
	c := r.Container
	switch {
	case f.Place.FileOff < 0 || f.Place.FileOff > c.Size:
		return fmt.Errorf("%s lies at byte %d of %d", f.Rule.Name, f.Place.FileOff, c.Size)
	case f.Place.Len < 0 || f.Place.PlainOff < 0 || f.Place.Line > 0 && f.Place.PlainOff+f.Place.Len > c.TextLen:
		return fmt.Errorf("%s lies at %d+%d of %d bytes of text", f.Rule.Name, f.Place.PlainOff, f.Place.Len, c.TextLen)
	case f.Message == "":
		return fmt.Errorf("%s has no message", f.Rule.Name)
	}
	return nil
}

// checkOpens makes sure that the verdict of a v0 log is no lie.
func checkOpens(data []byte, result *rules.Result) error {
	reading := result.Reading
	if reading.Generation != session.Version || reading.Verdict > scan.Loses {
		return nil
	}
	want, err := readReference(data, result.Container.Encoding)
	switch {
	case err != nil:
		return err
	case want.Refusal != "":
		return fmt.Errorf("verdict %s, but the reference says %q", reading.Verdict, want.Refusal)
	case reading.Verdict == scan.Opens && want.Torn:
		return fmt.Errorf("verdict opens, but the reference finds a torn tail at %d", want.Committed)
	case want.Events != reading.Scan.Events:
		return fmt.Errorf("%d events, but the reference reads %d", reading.Scan.Events, want.Events)
	}
	return nil
}

// CheckReport lints data and reports it in every format. The error is nil when all
// reports can be written, those in JSON are JSON, and what is read back of the report
// for programs is the same report.
func CheckReport(data []byte) error {
	result, err := lint(data)
	if err != nil {
		return err
	}
	file := &report.File{Path: "\x1b[31m<log>&\xff\n.jsonl", Result: result}
	for _, format := range report.Formats() {
		text, err := written(format, file)
		if err != nil {
			return fmt.Errorf("%s: %w", format, err)
		}
		if bytes.ContainsRune(text, '\x1b') {
			return fmt.Errorf("%s: the report holds a control character of the input", format)
		}
		switch format {
		case "json", "sarif", "gitlab":
			if !json.Valid(text) {
				return fmt.Errorf("%s: no JSON", format)
			}
		case "ndjson":
			if err := checkReadBack(text, result); err != nil {
				return err
			}
		}
	}
	return nil
}

func written(format string, file *report.File) ([]byte, error) {
	var b bytes.Buffer
	w, err := report.New(format, &b, report.Options{Version: "v0"})
	if err != nil {
		return nil, err
	}
	err = errors.Join(w.File(file), w.Close())
	return b.Bytes(), err
}

func checkReadBack(text []byte, want *rules.Result) error {
	for line := range bytes.Lines(text) {
		if !json.Valid(line) {
			return fmt.Errorf("ndjson: %q is no JSON", line)
		}
	}
	back, err := report.Read(text)
	switch {
	case err != nil:
		return err
	case len(back.Files) != 1 || back.Files[0].Result == nil:
		return fmt.Errorf("the report that was read back has %d files", len(back.Files))
	case len(back.Files[0].Result.Findings) != len(want.Findings):
		return fmt.Errorf("%d findings were read back, of %d", len(back.Files[0].Result.Findings), len(want.Findings))
	}
	return nil
}
