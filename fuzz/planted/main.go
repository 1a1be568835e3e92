// Command planted proves that the tests can see what they are for: it plants one bug
// after the other and runs the test that has to catch it.
//
//	go run ./fuzz/planted [NAME...]
//
// It fails when a bug is not caught. The files of the module stay as they are.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"time"

	"github.com/turnlint/turnlint/fuzz/mutant"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "planted:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, names []string) error {
	all, err := bugs(".")
	if err != nil {
		return err
	}
	missed := 0
	for _, b := range all {
		if len(names) > 0 && !slices.Contains(names, b.name) {
			continue
		}
		begin := time.Now()
		outcome, err := b.run(ctx)
		if err != nil {
			return err
		}
		fmt.Printf("%-9s %5.1fs  %-36s %s in %s\n", outcome, time.Since(begin).Seconds(), b.name, b.test, b.pkg)
		if outcome != mutant.Caught {
			missed++
		}
	}
	if missed > 0 {
		return fmt.Errorf("%d bugs are not caught", missed)
	}
	return nil
}

// run plants the bug and runs its test.
func (b *bug) run(ctx context.Context) (mutant.Outcome, error) {
	source, err := b.plant(".")
	if err != nil {
		return "", err
	}
	outcome, output, err := mutant.Test(ctx, ".", b.file, source, b.pkg, "^"+b.test+"$", "-count=1")
	if outcome == mutant.Broken {
		return outcome, errors.New(string(output))
	}
	return outcome, err
}
