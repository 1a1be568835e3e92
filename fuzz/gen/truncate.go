package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/turnlint/turnlint/scan"
)

// everyCut returns the lengths 0, n, 2n, … below size.
func everyCut(size, n int) []int {
	var cuts []int
	for at := 0; at < size; at += n {
		cuts = append(cuts, at)
	}
	return cuts
}

// interestingCuts returns the lengths at which a crash leaves another picture
// than its neighbours do: around each end of a record or frame, and inside
// escapes and characters of several bytes.
func interestingCuts(log []byte) []int {
	var cuts []int
	near := func(at int) { cuts = append(cuts, at-1, at, at+1, at+2) }
	near(0)
	encoding, err := scan.Detect(bytes.NewReader(log), int64(len(log)))
	if err == nil && encoding == scan.Zstd {
		for i := range log {
			if bytes.HasPrefix(log[i:], frameMagic) {
				near(i)
				near(i + frameHeaderLen)
				near(i + frameHeaderLen + blockHeaderLen)
				near(i - 4) // the checksum of the frame before
			}
		}
	} else {
		for i, c := range log {
			switch {
			case c == '\n':
				near(i + 1)
			case c == '\\' || c >= 0xC0: // starts an escape or a character of several bytes
				cuts = append(cuts, i+1)
			}
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	return slices.DeleteFunc(cuts, func(at int) bool { return at < 0 || at >= len(log) })
}

// writeCuts writes log cut to each length, named after the log and the length.
func writeCuts(dir, name string, log []byte, cuts []int, goFormat bool) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, at := range cuts {
		data := log[:at]
		if goFormat {
			data = fmt.Appendf(nil, "go test fuzz v1\n[]byte(%q)\n", data)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s@%06d", name, at)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
