package main

import (
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/repair"
)

// moves are what is to be done about the places of the logs of one command.
type moves struct {
	all    []*repair.Move
	byPath map[string]*repair.Move // by the absolute path of the log
}

// planMoves plans the moves of the logs that the arguments name, each once.
func planMoves(c *cli.Context, r *report, args []string, opt repair.Options) *moves {
	ms := &moves{byPath: make(map[string]*repair.Move)}
	for _, arg := range args {
		planned, err := repair.PlanMoves(c.Context, arg, opt)
		r.failed(arg, err)
		for _, m := range planned {
			ms.add(m)
		}
	}
	return ms
}

func (ms *moves) add(m *repair.Move) {
	path := absolute(m.Path())
	if ms.byPath[path] == nil {
		ms.byPath[path] = m
		ms.all = append(ms.all, m)
	}
}

// of returns the move of the log at path, nil when it has none.
func (ms *moves) of(path string) *repair.Move { return ms.byPath[absolute(path)] }

// decides reports whether the content of the log at path is as good as gone, so that
// its repair is of no interest.
func (ms *moves) decides(path string) bool {
	m := ms.of(path)
	return m != nil && m.Replaces()
}

// concerns reports whether there is more to say about a log that dsh opens.
func (ms *moves) concerns(path string) bool {
	m := ms.of(path)
	return m != nil && m.Action != repair.Nothing
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
