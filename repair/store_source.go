package repair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/turnlint/turnlint/database"
)

// StoreSource is a database of sessions that is only read: the file at Path, or the
// first Size bytes of Image, which have no companions. Then Path is but a name.
type StoreSource struct {
	Path  string
	Image io.ReaderAt
	Size  int64
}

// open opens a private copy of the database.
func (s *StoreSource) open(ctx context.Context) (*database.Database, error) {
	if s.Image != nil {
		return database.OpenImage(ctx, s.Image, s.Size, database.Options{Path: s.Path})
	}
	absolute, err := filepath.Abs(s.Path)
	if err != nil {
		return nil, err
	}
	d, err := database.Open(ctx, s.Path, database.Options{Path: absolute})
	if errors.Is(err, database.ErrInUse) {
		err = fmt.Errorf("%w: it changed while it was copied", ErrInUse)
	}
	return d, err
}

// file returns the path of the file, "" for an image.
func (s *StoreSource) file() string {
	if s.Image != nil {
		return ""
	}
	return s.Path
}

// locate returns the source with the one path that a file has, its size and what it is,
// which is nil for an image.
func (s StoreSource) locate(c *Committer) (StoreSource, os.FileInfo, error) {
	if s.Image != nil {
		return s, nil, nil
	}
	var err error
	if s.Path, err = c.locate(s.Path); err != nil {
		return s, nil, err
	}
	info, err := os.Stat(s.Path)
	if err == nil {
		s.Size = info.Size()
	}
	return s, info, err
}
