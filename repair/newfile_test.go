package repair_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/turnlint/turnlint/repair"
)

// wrapped is a file of which the system knows nothing.
type wrapped struct{ repair.File }

func TestARangeIsAppendedWhateverCopiesIt(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "from"), []byte("0123456789"), 0o600))
	bare := func(f repair.File) repair.File { return f }
	wrap := func(f repair.File) repair.File { return wrapped{f} }
	tests := []struct {
		name     string
		to, from func(repair.File) repair.File
	}{
		{"by the system", bare, bare},
		{"to a file that is wrapped", wrap, bare},
		{"from a file that is wrapped", bare, wrap},
		{"through the process", wrap, wrap},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			disk := repair.Disk{}
			from, err := disk.Open(filepath.Join(dir, "from"))
			must(t, err)
			defer from.Close()
			name := filepath.Join(t.TempDir(), "to")
			to, err := disk.Create(name)
			must(t, err)
			defer to.Close()
			_, err = io.WriteString(to, "<")
			must(t, err)
			must(t, disk.Copy(tt.to(to), tt.from(from), repair.Range{FileOff: 7, Len: 3}))
			must(t, disk.Copy(tt.to(to), tt.from(from), repair.Range{FileOff: 2, Len: 4}))
			_, err = io.WriteString(to, ">")
			must(t, err)
			if got := readFile(t, name); string(got) != "<7892345>" {
				t.Errorf("file %q, want <7892345>", got)
			}
			if err := disk.Copy(tt.to(to), tt.from(from), repair.Range{FileOff: 8, Len: 3}); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("a range behind the end: %v, want an unexpected end", err)
			}
		})
	}
}

// liar says that it has copied what it has not.
type liar struct{ repair.Disk }

func (liar) Copy(to, _ repair.File, r repair.Range) error {
	_, err := to.Write(make([]byte, r.Len))
	return err
}

func TestBytesThatTheSystemDidNotCopyAreMissed(t *testing.T) {
	before, after := tornLog(t)
	path := filepath.Join(t.TempDir(), "session.jsonl.zstd")
	writeFile(t, path, before)
	good := committer(t)
	bad := *good
	bad.FS = liar{}

	if _, err := bad.Apply(t.Context(), path, repair.Options{}); err == nil || !bytes.Equal(readFile(t, path), before) {
		t.Errorf("apply with wrong copies: %v, and the log has changed: %v", err, !bytes.Equal(readFile(t, path), before))
	}
	_, err := good.Apply(t.Context(), path, repair.Options{})
	must(t, err)
	if _, err := bad.Undo(t.Context(), path); err == nil || !bytes.Equal(readFile(t, path), after) {
		t.Errorf("undo with wrong copies: %v, and the log has changed: %v", err, !bytes.Equal(readFile(t, path), after))
	}
}

// liarInBackups lies about what goes into backups only.
type liarInBackups struct {
	liar
	made string
}

func (l *liarInBackups) Create(name string) (repair.File, error) {
	l.made = filepath.Base(name)
	return l.Disk.Create(name)
}

func (l *liarInBackups) Copy(to, from repair.File, r repair.Range) error {
	if l.made == "original" || l.made == "repaired.new" {
		return l.liar.Copy(to, from, r)
	}
	return l.Disk.Copy(to, from, r)
}

func TestALogStaysWhileItsBackupDoesNotHoldIt(t *testing.T) {
	before, after := tornLog(t)
	path := filepath.Join(t.TempDir(), "session.jsonl.zstd")
	writeFile(t, path, before)
	good := committer(t)
	bad := *good
	bad.FS = &liarInBackups{}

	if _, err := bad.Apply(t.Context(), path, repair.Options{}); err == nil || !bytes.Equal(readFile(t, path), before) {
		t.Errorf("apply: %v, want an error and the old log", err)
	}
	_, err := good.Apply(t.Context(), path, repair.Options{})
	must(t, err)
	if _, err := bad.Undo(t.Context(), path); err == nil || !bytes.Equal(readFile(t, path), after) {
		t.Errorf("undo: %v, want an error and the repaired log", err)
	}
}
