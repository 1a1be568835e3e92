// Command turnfix repairs session logs of DeepSeek Harness (dsh) that a crash
// left behind.
package main

import (
	"os"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
)

// The bits of the exit code. Those of all inputs are added up. Bit 2 stays free,
// because a Go program that dies of a panic exits with it.
const (
	exitNothing   = 0
	exitRepaired  = 1
	exitDamage    = 4
	exitFailure   = 8
	exitUsage     = 16
	exitCancelled = 32
)

func main() { os.Exit(program().Main(os.Args[1:])) }

func program() *shared.Program {
	return &shared.Program{
		App: &cli.App{
			Name:     "turnfix",
			Usage:    "repair session logs of DeepSeek Harness (dsh) that a crash left behind",
			Commands: []*cli.Command{planCommand(), applyCommand(), undoCommand(), backupsCommand(), exportCommand()},
		},
		Default: "plan",
		Examples: []shared.Example{
			{Line: "turnfix session.jsonl.zstd", Meaning: "what would be done? writes nothing"},
			{Line: "turnfix apply session.jsonl.zstd", Meaning: "repair it in place, with a backup"},
			{Line: "turnfix apply --output repaired ~/.dsh/sessions", Meaning: "repair copies, and leave the logs alone"},
			{Line: "turnfix plan --format json session.jsonl > plan.json", Meaning: "a plan to review"},
			{Line: "turnfix apply plan.json", Meaning: "and to carry out, if the log is still the same"},
			{Line: "turnfix undo session.jsonl.zstd", Meaning: "put the bytes of the backup back"},
			{Line: "turnfix apply 'sessions.db#ID'", Meaning: "repair one session in dsh's SQLite store"},
			{Line: "turnfix export --output logs sessions.db", Meaning: "make logs of all sessions in it"},
			{Line: "turnfix backups --keep 3", Meaning: "which backups could go? --prune removes them"},
		},
		Exits: []shared.Exit{
			{Code: exitNothing, Meaning: "nothing to do, or exported"},
			{Code: exitRepaired, Meaning: "repaired, or undone"},
			{Code: exitDamage, Meaning: "damage is left: a log was refused, or plan has found work to do"},
			{Code: exitFailure, Meaning: "something could not be read or written, is in use, or is published and not known to be durable"},
			{Code: exitUsage, Meaning: "the command line makes no sense"},
			{Code: exitCancelled, Meaning: "interrupted"},
			{Code: exitRepaired + exitDamage, Meaning: "sums: here some logs were repaired and others refused"},
		},
		Env: []shared.EnvVar{
			{Name: stateEnv, Meaning: "directory for backups and locks (see --state-dir)"},
			{Name: "LC_ALL, LC_MESSAGES, LANG", Meaning: "the first that is set chooses the language, unless --lang does"},
			{Name: "NO_COLOR", Meaning: "when not empty, no colours unless --color always"},
		},
		SeeAlso: []string{"turnlint"},
		Usage:   exitUsage, Failure: exitFailure, Interrupted: exitCancelled,
	}
}
