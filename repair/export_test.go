package repair_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

func TestEachBranchBecomesASessionOfItsOwn(t *testing.T) {
	said := func(id string) string {
		return `{"type":"user/message","seq":2,"time":30,"data":{"id":"` + id + `","role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":"append"}`
	}
	for _, name := range []string{"session.jsonl", "session.jsonl.zstd"} {
		t.Run(name, func(t *testing.T) {
			image := []byte(text(header, start1, end1, said("a"), said("b")))
			if name == "session.jsonl.zstd" {
				image = append(frame(t, text(header)), frame(t, text(start1, end1, said("a"), said("b")))...)
			}
			dir := t.TempDir()
			c := &repair.Committer{FS: repair.Disk{}, StateDir: t.TempDir()}
			all, err := c.ExportBranches(t.Context(), bytes.NewReader(image), int64(len(image)), "", dir, repair.Options{})
			if err != nil || len(all) != 2 {
				t.Fatalf("%d sessions: %v", len(all), err)
			}
			for i, want := range []string{said("a"), said("b")} {
				got, err := os.ReadFile(all[i].Target)
				if err != nil {
					t.Fatal(err)
				}
				id := filepath.Base(filepath.Dir(all[i].Target))
				wantHeader := strings.Replace(header, `"id":"s"`, `"id":"`+id+`"`, 1)
				if got := strings.Join(lines(t, got), "\n"); got != strings.Join([]string{wantHeader, start1, end1, want}, "\n") {
					t.Errorf("branch %d:\n%s", i+1, got)
				}
				if v := read(t, got, scan.EncodingOfName(all[i].Target)).Verdict; v != scan.Opens {
					t.Errorf("branch %d %s", i+1, v)
				}
			}
			if _, err := c.ExportBranches(t.Context(), bytes.NewReader(image), int64(len(image)), "", dir, repair.Options{}); err == nil {
				t.Error("a second export overwrites the first")
			}
		})
	}
}

func TestALogWithOneHistoryHasNoBranches(t *testing.T) {
	image := []byte(text(header, start1, end1, start2))
	c := &repair.Committer{FS: repair.Disk{}, StateDir: t.TempDir()}
	_, err := c.ExportBranches(t.Context(), bytes.NewReader(image), int64(len(image)), "", t.TempDir(), repair.Options{})
	if !errors.Is(err, repair.ErrOneHistory) {
		t.Errorf("error %v, want %v", err, repair.ErrOneHistory)
	}
}
