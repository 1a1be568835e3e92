// Command mutate makes small changes in the product, one at a time, and runs the tests:
// the share of changes that a test catches is the mutation score.
//
//	go run ./fuzz/mutate -package repair -files 'commit.go' ./repair ./fuzz
//	go run ./fuzz/mutate -package scan -sample 50 -seed 7 ./scan ./fuzz
//	go run ./fuzz/mutate -package repair -files 'move*.go' -run Move ./repair
//
// The arguments are the packages whose tests are run, in this order, until one fails.
// Without -sample it makes every change. The files of the module stay as they are.
// What survives is printed, to be judged by a person: a test is missing, or the change
// makes no difference.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/turnlint/turnlint/fuzz/mutant"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// options of a run.
type options struct {
	pkg, files string
	run        string
	sample     int
	seed       uint64
	timeout    time.Duration
	list       bool
	tests      []string // packages
}

func parse(args []string) (*options, error) {
	var o options
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.StringVar(&o.pkg, "package", "", "`package` to change, a path below the module")
	flags.StringVar(&o.files, "files", "*.go", "`pattern` of the names of its files")
	flags.StringVar(&o.run, "run", ".", "run only the tests whose names match `PATTERN`, to be quick")
	flags.IntVar(&o.sample, "sample", 0, "make `N` changes only, at random")
	flags.Uint64Var(&o.seed, "seed", 1, "`number` that chooses them")
	flags.DurationVar(&o.timeout, "timeout", 10*time.Minute, "`time` after which tests count as stuck, which is caught, too")
	flags.BoolVar(&o.list, "list", false, "print the changes and run nothing")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	o.tests = flags.Args()
	if o.pkg == "" || len(o.tests) == 0 && !o.list {
		return nil, errors.New("name a package with -package, and packages of tests behind the flags")
	}
	return &o, nil
}

func run(ctx context.Context, args []string, w io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	all, err := mutations(".", o.pkg, o.files)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("there is nothing to change in %s/%s", o.pkg, o.files)
	}
	fmt.Fprintf(w, "%d changes", len(all))
	if o.sample > 0 && o.sample < len(all) {
		random := rand.New(rand.NewPCG(o.seed, 0))
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:o.sample]
		fmt.Fprintf(w, ", of which %d are made (seed %d)", o.sample, o.seed)
	}
	fmt.Fprintln(w)
	count := make(map[mutant.Outcome]int)
	for _, m := range all {
		if o.list {
			fmt.Fprintln(w, m)
			continue
		}
		outcome, err := o.test(ctx, m)
		if err != nil {
			return err
		}
		count[outcome]++
		if outcome == mutant.Survived {
			fmt.Fprintln(w, "survived:", m)
		}
	}
	if caught, survived := count[mutant.Caught]+count[mutant.Stuck], count[mutant.Survived]; caught+survived > 0 {
		fmt.Fprintf(w, "%d caught, %d survived, %d do not build: score %d%%\n", caught, survived, count[mutant.Broken], 100*caught/(caught+survived))
	}
	return nil
}

// test runs the packages of tests until one sees the mutation.
func (o *options) test(ctx context.Context, m *mutation) (mutant.Outcome, error) {
	source, err := os.ReadFile(filepath.FromSlash(m.file))
	if err != nil {
		return "", err
	}
	for _, pkg := range o.tests {
		outcome, _, err := mutant.Test(ctx, ".", m.file, m.apply(source), pkg, o.run, "-short", "-timeout", o.timeout.String())
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case err != nil || outcome != mutant.Survived:
			return outcome, err
		}
	}
	return mutant.Survived, nil
}
