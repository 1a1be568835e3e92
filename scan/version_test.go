package scan_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/scan"
)

// verdicts returns what every known version that writes format v0 makes of a log,
// in their order.
func verdicts(t *testing.T, log []byte, opt scan.Options) (all []string) {
	t.Helper()
	for _, v := range scan.ReaderVersions() {
		if v.Generation > 0 {
			continue
		}
		reading, err := v.Read(bytes.NewReader(log), int64(len(log)), opt, scan.ModelOptions{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, reading.Verdict.String())
	}
	return all
}

func TestVerdictsOfEveryVersion(t *testing.T) {
	const (
		header = `{"type":"session","version":0,"id":"s-1","createdAt":1,"delegationDepth":0}` + "\n"
		turn   = `{"type":"turn/start","seq":0,"time":2,"data":{"turn":1}}` + "\n" +
			`{"type":"turn/end","seq":1,"time":3,"data":{"turn":1,"reason":{"kind":"completed"}}}` + "\n"
		open = `{"type":"turn/start","seq":2,"time":4,"data":{"turn":2}}` + "\n"
		gap  = `{"type":"turn/start","seq":9,"time":4,"data":{"turn":2}}` + "\n"
	)
	tests := []struct {
		name string
		log  string
		want []string // 0.1.1-rc.2, 2026-06-15, 2026-06-16
	}{
		{"every version opens ended turns", header + turn, []string{"opens", "opens", "opens"}},
		{"the first scanner drops a turn that has not ended", header + turn + open, []string{"recovers", "loses", "recovers"}},
		{"a torn line loses nothing", header + turn + `{"type":"turn/st`, []string{"recovers", "recovers", "recovers"}},
		{"a complete last line without LF is dropped by all", header + strings.TrimSuffix(turn, "\n"), []string{"loses", "loses", "loses"}},
		{"a gap behind the last turn/end drops what follows", header + turn + gap, []string{"loses", "loses", "loses"}},
		{"a gap before a turn/end refuses", header + gap + turn, []string{"damaged", "damaged", "damaged"}},
		{"an event whose data is null crashes the search for closers", header + `{"type":"turn/start","seq":0,"time":2,"data":null}` + "\n", []string{"damaged", "loses", "damaged"}},
		{"a header alone opens", header, []string{"opens", "opens", "opens"}},
		{"text is no log", "hello\n", []string{"unreadable", "unreadable", "unreadable"}},
		{"nothing is no log", "", []string{"unreadable", "unreadable", "unreadable"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, verdicts(t, []byte(tt.log), scan.Options{})); diff != "" {
				t.Errorf("verdicts (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("a line over the cap leaves all verdicts open", func(t *testing.T) {
		got := verdicts(t, []byte(header+turn), scan.Options{MaxLine: 70})
		if diff := cmp.Diff([]string{"unreadable", "unreadable", "unreadable"}, got); diff != "" {
			t.Errorf("verdicts (-want +got):\n%s", diff)
		}
	})
}

func TestEarlierVersionsDoNotKnowWhatLaterOnesWrite(t *testing.T) {
	for _, name := range []string{"packed-rows.jsonl", "packed-rows-in-frames.jsonl.zstd", "one-frame-per-batch.jsonl.zstd"} {
		log, err := os.ReadFile(filepath.Join("..", "testdata", "corpus", "ok", name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"opens", "incompatible", "incompatible"}, verdicts(t, log, scan.Options{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestReadersAreFoundByTheirNames(t *testing.T) {
	for _, v := range scan.ReaderVersions() {
		if got, err := scan.ReaderNamed(v.Name); got != v || err != nil {
			t.Errorf("ReaderNamed(%q) = %v, %v", v.Name, got, err)
		}
	}
	if got, err := scan.ReaderNamed("0.1.1"); got != scan.DefaultReader() || err != nil {
		t.Errorf("ReaderNamed(%q) = %v, %v", "0.1.1", got, err)
	}
	const want = `unknown reader "0.9": want one of 0.1.1-rc.2, 0.1.1, 2026-06-15, 2026-06-16, 0.1.3, 0.1.5, 0.1.7, 0.2`
	if _, err := scan.ReaderNamed("0.9"); err == nil || err.Error() != want {
		t.Errorf("ReaderNamed gave %v, want %s", err, want)
	}
	if scan.DefaultReader().Name != "0.1.1-rc.2" {
		t.Errorf("the default is %s", scan.DefaultReader().Name)
	}
}

func TestThereIsOneReaderForEachFormat(t *testing.T) {
	var names []string
	for _, v := range scan.GenerationReaders() {
		names = append(names, v.ShortName())
	}
	if diff := cmp.Diff([]string{"0.1.1", "0.1.3", "0.1.5", "0.1.7"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
