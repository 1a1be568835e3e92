package cli

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInputErrorSpeaksPlainly(t *testing.T) {
	tests := []struct {
		name       string
		path       string
		err        error
		want, hint string
	}{
		{"a missing file", "a", &fs.PathError{Op: "stat", Path: "a", Err: fs.ErrNotExist}, "a: no such file or directory", "check the path"},
		{
			"a file of somebody else", "a", &fs.PathError{Op: "open", Path: "a", Err: fs.ErrPermission},
			"a: permission denied", "run as the owner of the file, or copy it to where you may read it",
		},
		{"a broken disk", "a", &fs.PathError{Op: "read", Path: "a", Err: errors.New("input/output error")}, "a: input/output error", ""},
		{"standard input has a name", "-", &fs.PathError{Op: "read", Path: "/dev/stdin", Err: errors.New("is a directory")}, "standard input: is a directory", ""},
		{"a hostile name", "a\nb", &fs.PathError{Op: "read", Path: "a\nb", Err: errors.New("gone")}, `a\nb: gone`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := inputError(tt.path, tt.err)
			if diff := cmp.Diff([]string{tt.want, tt.hint}, []string{got.Error(), got.Hint}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
