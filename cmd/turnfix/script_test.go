package main

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != "turnfix" { // which scripts run, in an environment of their own
		os.Setenv("LC_ALL", "C") // what is expected is in English
	}
	testscript.Main(m, map[string]func(){"turnfix": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("TURNLINT_STATE", filepath.Join(env.WorkDir, "state"))
			env.Setenv("NO_COLOR", "")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"turnfix-exits": exits,
			"cut":           cut,
			"hardlink":      hardlink,
			"sql":           alter,
		},
		Condition: func(cond string) (bool, error) {
			return cond == "root" && os.Geteuid() == 0, nil
		},
	})
}

// exits runs turnfix with the arguments behind the exit code that it must have.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: turnfix-exits CODE [ARG...]")
	}
	err := ts.Exec("turnfix", args[1:]...)
	got := "0"
	if err != nil {
		got = string(bytes.TrimPrefix([]byte(err.Error()), []byte("exit status ")))
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// cut removes the last bytes of a file, the newline that txtar puts there first.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cut FILE SUFFIX")
	}
	name := ts.MkAbs(args[0])
	image, err := os.ReadFile(name)
	ts.Check(err)
	short, ok := bytes.CutSuffix(image, []byte(args[1]+"\n"))
	if !ok {
		ts.Fatalf("%s does not end in %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(name, short, 0o600))
}

// alter runs an SQL statement on a database.
func alter(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sql FILE STATEMENT")
	}
	pool, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	defer pool.Close()
	_, err = pool.Exec(args[1])
	ts.Check(err)
}

// hardlink gives a file a second name.
func hardlink(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hardlink FILE NAME")
	}
	ts.Check(os.Link(ts.MkAbs(args[0]), ts.MkAbs(args[1])))
}
