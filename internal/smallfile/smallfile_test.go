package smallfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/turnlint/turnlint/internal/smallfile"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, file string
		limit      int64
		want, err  string
	}{
		{"a file within the limit", file, 5, "12345", ""},
		{"a file over the limit", file, 4, "", "over 4 bytes"},
		{"a directory", dir, 5, "", "not a regular file"},
		{"a missing file is not named in the error", file + "x", 5, "", "no such file or directory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := smallfile.Read(tt.file, tt.limit)
			text := ""
			if err != nil {
				text = err.Error()
			}
			if string(got) != tt.want || text != tt.err {
				t.Errorf("read %q, error %q, want %q, error %q", got, text, tt.want, tt.err)
			}
		})
	}
}
