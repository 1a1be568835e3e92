package fuzz

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/turnlint/turnlint/fuzz/reference"
	"github.com/turnlint/turnlint/scan"
)

// ErrSkip is returned by a check for bytes that it cannot judge.
var ErrSkip = errors.New("this input cannot be judged")

// maxNested is the brackets in a text from which on encoding/json may say that it
// is nested too deeply.
const maxNested = 10_000

// readReference reads a log with the second reader.
func readReference(data []byte, encoding scan.Encoding) (reference.Log, error) {
	if bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) >= maxNested {
		return reference.Log{}, ErrSkip
	}
	if encoding == scan.Plain {
		return reference.ReadPlain(data), nil
	}
	log, err := reference.ReadZstd(data)
	if err != nil {
		return log, ErrSkip
	}
	return log, nil
}

// CheckScanner reads data as a v0 log with both readers, and with scan's in pieces
// of several sizes. The error is nil when all tell the same.
func CheckScanner(data []byte) error {
	if _, err := CompareReaders(data); err != nil {
		return err
	}
	return CheckChunking(data)
}

// CompareReaders reads data as a v0 log with both readers, and returns what they say.
func CompareReaders(data []byte) (*reference.Log, error) {
	encoding, err := scan.Detect(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	want, err := readReference(data, encoding)
	if err != nil {
		return nil, err
	}
	var got logRead
	if err := got.read(bytes.NewReader(data), int64(len(data)), 1, func(*scan.Record, bool) {}); err != nil {
		return nil, err
	}
	return &want, compareReaders(&got, &want)
}

// compareReaders compares what scan told of a log with what the reference did.
func compareReaders(got *logRead, want *reference.Log) error {
	result := &got.reading.Scan
	switch {
	case result.Refusal == nil && want.Refusal != "":
		return fmt.Errorf("read, but the reference says %q", want.Refusal)
	case result.Refusal == nil:
		return compareResults(got, want)
	case want.Refusal == "":
		return fmt.Errorf("refused with %q, but the reference reads %d events", result.Refusal.Text, want.Events)
	case !strings.HasPrefix(result.Refusal.Text, want.Refusal):
		return fmt.Errorf("refused with %q, but the reference says %q", result.Refusal.Text, want.Refusal)
	}
	return nil
}

func compareResults(got *logRead, want *reference.Log) error {
	result := &got.reading.Scan
	switch {
	case result.Events != want.Events:
		return fmt.Errorf("%d events, but the reference reads %d", result.Events, want.Events)
	case result.Committed != want.Committed, result.Torn != want.Torn:
		return fmt.Errorf("committed to %d, torn %v, but the reference says %d, %v", result.Committed, result.Torn, want.Committed, want.Torn)
	case result.Recovered != want.Recovered:
		return fmt.Errorf("%d events recovered, but the reference recovers %d", result.Recovered, want.Recovered)
	case !slices.Equal(got.accepted, want.Lines):
		return fmt.Errorf("other lines accepted than by the reference: %q, want %q", got.accepted, want.Lines)
	}
	return nil
}
