package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tidwall/gjson"

	"github.com/turnlint/turnlint/internal/databasetest"
)

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != "turnlint" { // which scripts run, in an environment of their own
		os.Setenv("LC_ALL", "C") // what is expected is in English
	}
	testscript.Main(m, map[string]func(){"turnlint": main})
}

// scriptLogs are the logs in the folder of every script: one for each thing that
// can happen to a log, by a short name.
var scriptLogs = map[string]string{
	"clean.jsonl":           "ok/two-turns-with-a-tool-call.jsonl",
	"clean.jsonl.zstd":      "ok/one-frame-per-batch.jsonl.zstd",
	"open-turn.jsonl":       "torn/cut-before-the-turn-end.jsonl",
	"torn.jsonl.zstd":       "torn/cut-inside-a-raw-block.jsonl.zstd",
	"gap.jsonl":             "bad/batch-missing-in-the-middle.jsonl",
	"false-tear.jsonl.zstd": "bad/false-torn-tail.jsonl.zstd",
}

func TestScripts(t *testing.T) {
	corpus, err := filepath.Abs("../../testdata/corpus")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("CORPUS", corpus)
			env.Setenv("DATABASE", filepath.Join(filepath.Dir(corpus), "database", "sessions.db"))
			env.Setenv("HOME", env.WorkDir+"/home")
			for name, from := range scriptLogs {
				data, err := os.ReadFile(filepath.Join(corpus, from))
				if err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(env.WorkDir, name), data, 0o600); err != nil {
					return err
				}
			}
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "root" {
				return os.Getuid() == 0, nil
			}
			return false, errors.New("unknown condition " + name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"file":  file,
			"json":  jsonMember,
			"feed":  feed,
			"sql":   changeDatabase,
		},
	})
}

// changeDatabase (sql DATABASE STATEMENT...) changes a session database.
func changeDatabase(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: sql DATABASE STATEMENT...")
	}
	ts.Check(databasetest.Change(ts.MkAbs(args[0]), args[1:]...))
}

// exits CODE turnlint ARG... runs a command and checks its exit code. Arguments
// in double quotes are Go strings, for names that a script cannot hold.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG...")
	}
	code := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], unquoted(ts, args[2:])...); {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if args[0] != strconv.Itoa(code) {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// file NAME CONTENT writes a file; both are Go strings when in double quotes.
func file(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: file NAME CONTENT")
	}
	args = unquoted(ts, args)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(args[1]), 0o600))
}

func unquoted(ts *testscript.TestScript, words []string) []string {
	words = slices.Clone(words)
	for i, word := range words {
		if strings.HasPrefix(word, `"`) {
			s, err := strconv.Unquote(word)
			ts.Check(err)
			words[i] = s
		}
	}
	return words
}

// json FILE PATH WANT compares a member of a JSON document, found by a gjson
// path, in which a leading ".." means JSON lines.
func jsonMember(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH WANT")
	}
	args = unquoted(ts, args)
	text, path := ts.ReadFile(args[0]), args[1]
	documents := []string{text}
	if strings.HasPrefix(path, "..") {
		documents = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	}
	for _, document := range documents {
		if !gjson.Valid(document) {
			ts.Fatalf("not JSON: %s", document)
		}
	}
	if got := gjson.Get(text, path).String(); (got == args[2]) == neg {
		ts.Fatalf("%s is %q, want %q", path, got, args[2])
	}
}

// feed FIFO FILE waits until someone reads the pipe, and writes FILE to it.
func feed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: feed FIFO FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(ts.ReadFile(args[1])), 0))
}
