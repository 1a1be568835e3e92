package scan_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

func TestListingReadsTheHeaderOnly(t *testing.T) {
	const (
		header  = `{"type":"session","version":0,"id":"s","createdAt":1,"cwd":"/p","delegationDepth":0}` + "\n"
		root    = "/root"
		plain   = root + "/--p--/s/session.jsonl"
		zipped  = plain + ".zstd"
		listed  = "listed"
		skipped = "skipped"
	)
	head := frames(t, header)[0]
	changed := func(old, text string) string { return strings.Replace(header, old, text, 1) }
	tests := []struct {
		name, log, path, want string
	}{
		{"a header line", header, plain, listed},
		{"a header line with anything behind it", header + "\x00{}\n", plain, listed},
		{"an empty plain log", "", plain, skipped},
		{"a header that was cut", header[:len(header)-1], plain, skipped},
		{"no JSON", "{\n", plain, skipped},
		{"no header", `{"type":"turn/start"}` + "\n", plain, skipped},
		{"a version of the future", changed(`"version":0`, `"version":7`), plain, "session generation filename identifies v0, but its header identifies v7"},
		{"a version that is no integer", changed(`"version":0`, `"version":0.5`), plain, listed},
		{"a retired member", changed(`"version"`, `"sandboxMode":"x","version"`), plain, "session header uses retired policy baseline fields"},
		{"an id without a name", changed(`"id":"s"`, `"id":""`), plain, `corrupt session log "/root/--p--/s/session.jsonl": header id cannot name a storage path`},
		{"another project", changed("/p", "/q"), plain, `corrupt session log "/root/--p--/s/session.jsonl": header id "s" and cwd identify "/root/--q--/s/session.jsonl"`},
		{"another id", frames(t, changed(`"id":"s"`, `"id":"t"`))[0], zipped, `corrupt session log "/root/--p--/s/session.jsonl.zstd": header id "t" and cwd identify "/root/--p--/t/session.jsonl.zstd"`},

		{"a header frame", head, zipped, listed},
		{"a header frame with foreign bytes behind it", head + strings.Repeat("\x00", 512), zipped, listed},
		{"an empty zstd log", "", zipped, skipped},
		{"a header frame that was cut", head[:len(head)-1], zipped, skipped},
		{"three bytes of anything", "abc", zipped, skipped},
		{"foreign bytes", header, zipped, "corrupt Zstandard session log: invalid frame magic at byte 0"},
		{"a wrong checksum", head[:len(head)-1] + "\x00", zipped, "corrupt Zstandard session log: frame at byte 0 failed validation"},
		{"two lines in the first frame", frames(t, header+"{}\n")[0], zipped, "corrupt Zstandard session log: first frame is not exactly one header line"},
		{"a first frame without LF", frames(t, "{}")[0], zipped, "corrupt Zstandard session log: first frame is not exactly one header line"},
		{"no header in the first frame", frames(t, "{}\n")[0], zipped, skipped},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			name, _ := session.ParseLogName(filepath.Base(test.path))
			l, err := scan.List(strings.NewReader(test.log), int64(len(test.log)), name, scan.ModelOptions{Path: test.path, Root: root})
			got := listed
			switch {
			case err != nil:
				t.Fatal(err)
			case l.Blocks != nil:
				got = l.Blocks.Text
			case l.Header == nil && l.Skipped != nil:
				got = skipped
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestListingALogUnderAnotherNameOfItsPlaceIsNoFault(t *testing.T) {
	const log = `{"type":"session","version":0,"id":"s","createdAt":1,"cwd":"/new","delegationDepth":0}` + "\n"
	for _, linked := range []bool{true, false} {
		l, err := scan.List(strings.NewReader(log), int64(len(log)), session.LogName{}, scan.ModelOptions{
			Path: "/root/--old--/s/session.jsonl", Root: "/root",
			SameFile: func(path string) bool { return linked && path == "/root/--new--/s/session.jsonl" },
		})
		if err != nil || (l.Blocks == nil) != linked {
			t.Errorf("linked %t: refusal %v, error %v", linked, l.Blocks, err)
		}
	}
}

// failing fails every read.
type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, iotest.ErrTimeout }

func TestListingWhatCannotBeReadIsAnError(t *testing.T) {
	for _, zstd := range []bool{false, true} {
		if _, err := scan.List(failing{}, 100, session.LogName{Zstd: zstd}, scan.ModelOptions{}); !errors.Is(err, iotest.ErrTimeout) {
			t.Errorf("zstd %t: error %v, want %v", zstd, err, iotest.ErrTimeout)
		}
	}
}
