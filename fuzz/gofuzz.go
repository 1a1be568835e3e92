//go:build gofuzz

package fuzz

import "errors"

// The entry points of go-fuzz have the names of those of Go's own fuzzing, which are
// not built together with them.

// Fuzz is the one that go-fuzz takes unless told otherwise: a whole log, from the
// recipe to the repair.
func Fuzz(data []byte) int { return FuzzFix(data) }

// FuzzFrames fuzzes CheckFrames.
func FuzzFrames(data []byte) int { return run(CheckFrames, data) }

// FuzzJSON fuzzes CheckJSON.
func FuzzJSON(data []byte) int { return run(CheckJSON, data) }

// FuzzHeader fuzzes CheckHeader.
func FuzzHeader(data []byte) int { return run(CheckHeader, data) }

// FuzzRecord fuzzes CheckRecord.
func FuzzRecord(data []byte) int { return run(CheckRecord, data) }

// FuzzScanner fuzzes CheckScanner with recipes.
func FuzzScanner(data []byte) int { return run(CheckScanner, Cook(data)) }

// FuzzLint fuzzes CheckLint with recipes.
func FuzzLint(data []byte) int { return run(CheckLint, Cook(data)) }

// FuzzFix fuzzes CheckFix with recipes.
func FuzzFix(data []byte) int { return run(CheckFix, Cook(data)) }

// FuzzPlan fuzzes CheckPlan.
func FuzzPlan(data []byte) int { return run(CheckPlan, data) }

// FuzzReport fuzzes CheckReport with recipes.
func FuzzReport(data []byte) int { return run(CheckReport, Cook(data)) }

// run returns what go-fuzz wants to hear: -1 keeps an input out of the corpus.
func run(check func([]byte) error, data []byte) int {
	switch err := check(data); {
	case errors.Is(err, ErrSkip) || len(data) > MaxInput:
		return -1
	case err != nil:
		panic(err)
	}
	return 1
}
