package main

import (
	"bytes"
	"regexp"
)

// projections are logs as repositories keep them for tests: without what differs
// from run to run (docs/format.md §9).
func projections() []entry {
	todo := lantern()
	todo.event("todo/write", `{"todos":[{"content":"polish the lens","status":"pending"}]}`, "")
	partly := project(lantern().plain())
	partly = replace(partly, `"data":{"turn":2,"reason"`, `"seq":16,"time":1787216401000,"data":{"turn":2,"reason"`)
	return []entry{
		{"ok/projection-of-two-turns.jsonl", "a session as a repository keeps it for tests, without seqs and times", project(lantern().plain())},
		{"ok/projection-with-packed-rows.jsonl", "packed rows lack their first seq and time, and keep the deltas", project(packedRows().plain())},
		{
			"ok/projection-of-a-compaction.jsonl", "the seqs in surfaceOp and sourceEventSeqs are those of the session, of which events were left out",
			without(project(compaction()), `"Good evening."`),
		},
		{"ok/projection-of-a-header.jsonl", "only the placeholder shows that this is a projection", project(newLog().plain())},
		{
			"bad/projection-with-a-todo-list-outside-a-turn.jsonl",
			"a projection is judged like a log, but for what it leaves out", project(todo.plain()),
		},
		{
			"bad/projection-without-a-step-end.jsonl", "turn 2 of a projection ends with its step open",
			without(project(lantern().plain()), `"step/end","data":{"turn":2`),
		},
		{"bad/most-seqs-missing.jsonl", "no projection, because one event still has its seq", partly},
	}
}

var (
	eventMembers  = regexp.MustCompile(`"(seq|time)0?":\d+,`)
	headerMembers = regexp.MustCompile(`"version":0,|,"delegationDepth":0`)
)

// project leaves out of a log what a projection does without.
func project(log []byte) []byte {
	header, events, _ := bytes.Cut(log, []byte("\n"))
	header = headerMembers.ReplaceAll(header, nil)
	header = replace(header, "/home/ada/lantern", "{{cwd}}")
	return append(append(header, '\n'), eventMembers.ReplaceAll(events, nil)...)
}
