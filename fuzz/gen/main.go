// Command gen writes the test logs of this project.
//
//	go run ./fuzz/gen                          testdata/corpus and fuzz/corpus
//	go run ./fuzz/gen -seed LOG -out DIR       crash-truncated copies of LOG
//	go run ./fuzz/gen -size 10GB               a sound log of that size, on standard output
//
// All are deterministic. The copies are cut at every byte, at every Nth with
// -every N, or with -interesting where a crash leaves a picture of its own. They
// are plain files, the corpus format of go-fuzz; with -go they have the format
// that Go's own fuzzing reads from testdata/fuzz/FuzzXxx. A log of any size is
// plain or compressed (-framing), consists of what -shape says, and differs by
// -number; it goes into a pipe, or into -out FILE.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/turnlint/turnlint/internal/corpus"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "gen:", err)
		}
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("gen", flag.ContinueOnError)
	dir := flags.String("corpus", filepath.FromSlash("testdata/corpus"), "`folder` of the corpus")
	seedsDir := flags.String("seeds", filepath.FromSlash("fuzz/corpus"), "`folder` of the seeds for fuzzing")
	seed := flags.String("seed", "", "make crash-truncated copies of this `log` instead")
	out := flags.String("out", "", "`folder` for the copies, or file for the log of -size")
	every := flags.Int("every", 1, "cut at every `N`th byte")
	interesting := flags.Bool("interesting", false, "cut only at and around the ends of records, frames and blocks")
	goFormat := flags.Bool("go", false, "write the copies in the format of Go's fuzzing")
	var big bigLog
	big.define(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case big.size != "":
		return big.write(*out)
	case *seed == "" && *out == "":
		return errors.Join(writeCorpus(*dir), writeSeeds(*seedsDir))
	case *seed == "" || *out == "":
		return errors.New("-seed and -out need each other")
	case *every < 1:
		return fmt.Errorf("-every %d: want at least 1", *every)
	}
	log, err := os.ReadFile(*seed)
	if err != nil {
		return err
	}
	cuts := everyCut(len(log), *every)
	if *interesting {
		cuts = interestingCuts(log)
	}
	return writeCuts(*out, filepath.Base(*seed), log, cuts, *goFormat)
}

// writeCorpus writes every log, and its description into its sidecar. The other
// members of a sidecar are those of the test that checks them.
func writeCorpus(dir string) error {
	for _, e := range corpusLogs() {
		path, err := writeBelow(dir, e.path, e.data)
		if err != nil {
			return err
		}
		expect, err := corpus.ReadSidecar(corpus.Sidecar(path))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		expect.Description = e.about
		if err := corpus.WriteSidecar(corpus.Sidecar(path), expect); err != nil {
			return err
		}
	}
	return nil
}

// writeBelow writes a file whose path below dir has slashes, and returns where it is.
func writeBelow(dir, slashed string, data []byte) (path string, err error) {
	path = filepath.Join(dir, filepath.FromSlash(slashed))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, data, 0o644)
}
