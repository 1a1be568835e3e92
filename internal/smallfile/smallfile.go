// Package smallfile reads files that people write by hand or tools write for
// them: configuration, baselines.
package smallfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Read returns the content of a regular file of at most limit bytes. Its error
// does not name the file.
func Read(name string, limit int64) ([]byte, error) {
	text, err := read(name, limit)
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return text, err
}

func read(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("over %d bytes", limit)
	}
	return text, err
}
