// Command turnlint checks session logs of DeepSeek Harness (dsh).
package main

import (
	"os"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
)

// The exit codes, from best to worst: of several inputs the worst one counts.
// None is 2, with which a Go program dies of a panic.
const (
	exitClean       = 0
	exitFindings    = 1
	exitUnread      = 3
	exitUsage       = 4
	exitInterrupted = 130
)

func main() { os.Exit(program().Main(os.Args[1:])) }

func program() *shared.Program {
	return &shared.Program{
		App: &cli.App{
			Name:  "turnlint",
			Usage: "check session logs of DeepSeek Harness (dsh)",
			Commands: []*cli.Command{
				checkCommand(), mergeCommand(), inspectCommand(), diffCommand(), storeCommand(), explainCommand(), rulesCommand(), configCommand(),
			},
		},
		Default: "check",
		Examples: []shared.Example{
			{Line: "turnlint", Meaning: "check every session of dsh on this machine"},
			{Line: "turnlint session.jsonl.zstd", Meaning: "check one log: will dsh open it, and what is wrong with it?"},
			{Line: "turnlint logs --format ndjson --output json=report.json", Meaning: "check a directory tree for programs, in two formats"},
			{Line: "zstd -dc log.zstd | turnlint -", Meaning: "check standard input"},
			{Line: "turnlint --follow session.jsonl", Meaning: "check a log while it is being written"},
			{Line: "turnlint inspect session.jsonl", Meaning: "what dsh's reader sees in a log, with a map of it and its damage"},
			{Line: "turnlint diff session.jsonl repaired.jsonl", Meaning: "which events a repair kept, dropped, rewrote or made up"},
			{Line: "turnlint --baseline known.json logs", Meaning: "in CI: only fail for what known.json does not know (see --write-baseline)"},
			{Line: "turnlint store --sort activity", Meaning: "list the sessions of dsh on this machine, the last used first"},
			{Line: "find logs -name '*.jsonl' | turnlint --files-from - --format sarif", Meaning: "check the logs in a list, for GitHub code scanning"},
			{Line: "turnlint merge shard-*.ndjson", Meaning: "one report of several runs, each over a part of the logs"},
			{Line: "turnlint explain TL301", Meaning: "what a finding means, how it happens and what to do"},
		},
		Exits: []shared.Exit{
			{Code: exitClean, Meaning: "no findings, or only such below --fail-on"},
			{Code: exitFindings, Meaning: "findings at or above --fail-on, a version of --reader that does not open a log as it is, or logs that differ"},
			{Code: exitUnread, Meaning: "some input could not be read or processed, or is no log"},
			{Code: exitUsage, Meaning: "the command line, the configuration or the baseline makes no sense"},
			{Code: exitInterrupted, Meaning: "interrupted"},
		},
		Env: []shared.EnvVar{
			{Name: "DSH_HOME", Meaning: "home of dsh; without a path, the sessions in it are checked (default ~/.dsh)"},
			{Name: "LC_ALL, LC_MESSAGES, LANG", Meaning: "the first that is set chooses the language, unless --lang does"},
			{Name: "NO_COLOR", Meaning: "when not empty, no colours unless --color always"},
		},
		Words:   map[string][]string{"explain": ruleWords()},
		SeeAlso: []string{"turnfix"},
		Usage:   exitUsage, Failure: exitUnread, Interrupted: exitInterrupted,
	}
}
