// Command drive draws recipes of logs and reads each log with both readers:
//
//	go run ./fuzz/drive -n 10000000
//
// It is what FuzzScanner does, without the search for new coverage that takes most of
// the time of Go's own fuzzing, and with changes that know what a log consists of: its
// frames, lines, members and values. The same -seed draws the same logs. One log in
// -deep is also read in pieces, linted and repaired.
//
// A log that a check fails on is written as a seed of that check's fuzz target, and
// the run ends.
package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/turnlint/turnlint/fuzz"
	"github.com/turnlint/turnlint/fuzz/reference"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "drive:", err)
		os.Exit(1)
	}
}

// driver draws logs until enough of them are judged.
type driver struct {
	n, deep int
	seed    uint64
	found   string

	judged, skipped, deeper int
	outcomes                map[string]int
}

func run(args []string, w io.Writer) error {
	d := driver{outcomes: make(map[string]int)}
	flags := flag.NewFlagSet("drive", flag.ContinueOnError)
	flags.IntVar(&d.n, "n", 100_000, "draw until `N` logs were judged by both readers")
	flags.IntVar(&d.deep, "deep", 200, "one log in `N` goes through the other checks as well")
	flags.Uint64Var(&d.seed, "seed", 1, "`number` that chooses the logs")
	seeds := flags.String("seeds", filepath.FromSlash("fuzz/corpus/recipes"), "`folder` of the recipes that are changed")
	flags.StringVar(&d.found, "found", filepath.FromSlash("fuzz/testdata/fuzz"), "`folder` for recipes on which a check fails")
	if err := flags.Parse(args); err != nil {
		return err
	}
	recipes, err := readFolder(*seeds)
	if err != nil {
		return err
	}
	begin := time.Now()
	err = d.drive(newMutator(recipes, d.seed))
	d.report(w, time.Since(begin))
	return err
}

func readFolder(folder string) (files [][]byte, err error) {
	names, err := filepath.Glob(filepath.Join(folder, "*"))
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("no recipes in %s", folder)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, data)
	}
	return files, err
}

func (d *driver) drive(m *mutator) error {
	for d.judged < d.n {
		recipe := m.draw()
		log := fuzz.Cook(recipe)
		read, err := fuzz.CompareReaders(log)
		switch {
		case errors.Is(err, fuzz.ErrSkip):
			d.skipped++
			continue
		case err != nil:
			return d.keep("FuzzScanner", recipe, err)
		}
		if d.judged++; d.judged%1_000_000 == 0 {
			fmt.Fprintf(os.Stderr, "%d logs\n", d.judged)
		}
		d.outcomes[outcome(read)]++
		if d.judged%d.deep == 0 {
			if err := d.goDeeper(recipe, log); err != nil {
				return err
			}
		}
	}
	return nil
}

// firstWords is a message up to the numbers and values in it.
var firstWords = regexp.MustCompile(`^[^0-9'"]*`)

// outcome tells apart what dsh does with logs.
func outcome(read *reference.Log) string {
	switch {
	case read.Refusal != "":
		return "refused: " + firstWords.FindString(read.Refusal)
	case read.Torn:
		return "read, behind it a torn tail"
	}
	return "read"
}

// goDeeper passes a log to the other checks.
func (d *driver) goDeeper(recipe, log []byte) error {
	d.deeper++
	for _, c := range []struct {
		target string
		check  func([]byte) error
	}{
		{"FuzzScanner", fuzz.CheckChunking}, {"FuzzLint", fuzz.CheckLint}, {"FuzzFix", fuzz.CheckFix},
	} {
		if err := c.check(log); err != nil && !errors.Is(err, fuzz.ErrSkip) {
			return d.keep(c.target, recipe, err)
		}
	}
	return nil
}

// keep writes a recipe as a seed of a fuzz target, and returns the error of the run.
func (d *driver) keep(target string, recipe []byte, failure error) error {
	path := filepath.Join(d.found, target, fmt.Sprintf("%.8x", sha256.Sum256(recipe)))
	text := fmt.Appendf(nil, "go test fuzz v1\n[]byte(%q)\n", recipe)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, text, 0o644)
	}
	return errors.Join(fmt.Errorf("%s, of which %s: %w", target, path, failure), err)
}

func (d *driver) report(w io.Writer, took time.Duration) {
	for _, name := range slices.Sorted(maps.Keys(d.outcomes)) {
		fmt.Fprintf(w, "%9d %s\n", d.outcomes[name], name)
	}
	fmt.Fprintf(w, "%9d logs of seed %d judged by both readers, %d of them in pieces, linted and repaired; %d cannot be judged; %.0f s\n",
		d.judged, d.seed, d.deeper, d.skipped, took.Seconds())
}
