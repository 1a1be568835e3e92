package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/turnlint/turnlint/internal/biglog"
)

// bigLog is the settings of a log of any size.
type bigLog struct {
	size, shape, framing string
	number               uint64
}

func (b *bigLog) define(flags *flag.FlagSet) {
	flags.StringVar(&b.size, "size", "", "write a sound log of so many `bytes` of text (K, M, G) instead")
	flags.StringVar(&b.shape, "shape", string(biglog.Mixed), "what the log of -size consists of: mixed, results, deltas or rows")
	flags.StringVar(&b.framing, "framing", string(biglog.Plain), "how the log of -size is stored: plain, one zstd frame, or a frame for each of the batches")
	flags.Uint64Var(&b.number, "number", 1, "which of the logs of -size: another `number` gives another one")
}

// write writes the log to a file, or to standard output when path is "".
func (b *bigLog) write(path string) error {
	size, err := parseSize(b.size)
	if err != nil {
		return err
	}
	file := os.Stdout
	if path != "" {
		if file, err = os.Create(path); err != nil {
			return err
		}
		defer file.Close()
	}
	out := bufio.NewWriter(file)
	log := biglog.Log{Shape: biglog.Shape(b.shape), Framing: biglog.Framing(b.framing), Size: size, Seed: b.number}
	if err := log.Write(out); err != nil {
		return err
	}
	return out.Flush()
}

// parseSize reads a number of bytes such as 500, 20M or 10GB.
func parseSize(text string) (int64, error) {
	digits := strings.TrimRight(strings.TrimSuffix(text, "B"), "KMG")
	unit := strings.TrimSuffix(text[len(digits):], "B")
	n, err := strconv.ParseInt(digits, 10, 64)
	shift := map[string]int{"": 0, "K": 10, "M": 20, "G": 30}
	by, known := shift[unit]
	if err != nil || n < 1 || !known || n > 1<<62>>by {
		return 0, fmt.Errorf("-size %s: want a number of bytes such as 500, 20M or 10GB", text)
	}
	return n << by, nil
}
