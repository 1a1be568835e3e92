package main

import (
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/store"
)

func undoCommand() *cli.Command {
	return &cli.Command{
		Name: "undo", Usage: "put a log back as it was before its repair, or before its last undo", ArgsUsage: "PATH | MANIFEST",
		Description: "PATH is a log that was repaired, or a database or DATABASE#ID, MANIFEST the manifest.json of a backup. Undoing twice brings the repaired log back.",
		Flags:       slices.Concat(commitFlags(), []cli.Flag{shared.ColorFlag(), shared.LangFlag(), quietFlag()}),
		Action:      runUndo,
	}
}

// undo undoes the last repair of a log, or of the sessions in a database.
func undo(c *cli.Context, committer *repair.Committer, name string) (*repair.Outcome, error) {
	if path, id, ok := store.SplitSession(name); ok {
		return committer.UndoDatabase(c.Context, path, &id)
	}
	if store.IsDatabase(name) {
		return committer.UndoDatabase(c.Context, name, nil)
	}
	return committer.Undo(c.Context, name)
}

func runUndo(c *cli.Context) error {
	if !c.Args().Present() {
		return shared.Usagef("undo wants the path of a log or of a manifest")
	}
	committer, err := committer(c)
	if err != nil {
		return err
	}
	r := newReport(c)
	for _, name := range c.Args().Slice() {
		if c.Context.Err() != nil {
			break
		}
		out, err := undo(c, committer, name)
		if errors.Is(err, repair.ErrUndone) {
			r.line(name, r.text.lang.Error(err))
			continue
		}
		r.undone(name, out)
		r.failed(name, err)
	}
	return r.end()
}
