package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/turnlint/turnlint/fuzz"
)

// seed is one file of fuzz/corpus.
type seed struct {
	path string // below fuzz/corpus, with slashes
	data []byte
}

// seeds returns every file of fuzz/corpus; package fuzz says what they are for.
func seeds() []seed {
	all := append(truncatedLogs(), recipes()...)
	return append(all, differentLines()...)
}

// truncatedLogs cuts a log of each kind where a crash leaves a picture of its own.
func truncatedLogs() (all []seed) {
	for _, log := range []seed{
		{"lantern.jsonl", lantern().plain()},
		{"lantern.jsonl.zstd", lantern().zstd()},
		{"open-turn.jsonl.zstd", openTurn().zstd()},
		{"streaming.jsonl.zstd", streaming().zstd()},
	} {
		for _, at := range interestingCuts(log.data) {
			all = append(all, seed{fmt.Sprintf("logs/%s@%06d", log.path, at), log.data[:at]})
		}
	}
	return all
}

// recipes returns the recipe of each log of testdata/corpus, and one with each damage
// of a healthy log.
func recipes() (all []seed) {
	for _, e := range corpusLogs() {
		name := strings.TrimSuffix(strings.ReplaceAll(e.path, "/", "-"), ".jsonl")
		all = append(all, seed{"recipes/" + name, fuzz.Recipe(e.data)})
	}
	whole := fuzz.Recipe(lantern().zstd())
	for kind := range byte(fuzz.DamageKinds) {
		for _, place := range []byte{1, 2} {
			damaged := append([]byte{1, kind, place, place}, whole[1:]...)
			all = append(all, seed{fmt.Sprintf("recipes/damage-%d-at-%d", kind, place), damaged})
		}
	}
	return all
}

// differentLines returns each line of a plain log of testdata/corpus once.
func differentLines() (all []seed) {
	seen := make(map[string]bool)
	for _, e := range corpusLogs() {
		if strings.HasSuffix(e.path, ".zstd") {
			continue
		}
		for line := range bytes.Lines(e.data) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			name := fmt.Sprintf("lines/%.6x", sha256.Sum256(line))
			if len(line) <= fuzz.MaxInput && !seen[name] {
				seen[name] = true
				all = append(all, seed{name, line})
			}
		}
	}
	return all
}

func writeSeeds(dir string) error {
	for _, s := range seeds() {
		if _, err := writeBelow(dir, s.path, s.data); err != nil {
			return err
		}
	}
	return nil
}
