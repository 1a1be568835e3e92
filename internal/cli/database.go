package cli

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/store"
)

// OpenDatabase opens a copy of the database at path, of which no value over the limit
// is read. An error is an [InputError].
func OpenDatabase(ctx context.Context, path string, maxValue int64) (*database.Database, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	d, err := database.Open(ctx, path, database.Options{Path: abs, MaxValue: maxValue})
	if err != nil {
		return nil, explainDatabase(ctx, path, err)
	}
	return d, nil
}

// DatabaseIn opens the database that a source is which is no file, nil when it is
// none.
func DatabaseIn(ctx context.Context, src *Source, maxValue int64) (*database.Database, error) {
	if found, err := database.Recognise(src, src.Size(), ""); !found || err != nil {
		return nil, err
	}
	return database.OpenImage(ctx, src, src.Size(), database.Options{Path: InputName(Stdin), MaxValue: maxValue})
}

// Unencoded returns the error for a session in a database that is to be read in an
// encoding, nil for other paths: only logs have one.
func (p *Path) Unencoded(encoding scan.Encoding) error {
	if p.Session == nil || encoding == scan.Auto {
		return nil
	}
	return &InputError{Path: store.SessionName(p.Name, *p.Session), What: "a session in a database has no encoding", Hint: "leave out --encoding"}
}

// explainDatabase makes an error an [InputError] that says what to do.
func explainDatabase(ctx context.Context, path string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e := inputError(path, err)
	if errors.Is(err, database.ErrInUse) {
		e.Hint = "stop dsh, or check a copy"
	}
	return e
}
