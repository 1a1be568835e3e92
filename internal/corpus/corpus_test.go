package corpus_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/corpus"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLoadReadsWhatWriteSidecarWrote(t *testing.T) {
	dir, seq := t.TempDir(), int64(0)
	want := []corpus.Log{{
		Path: "bad/a.jsonl.zstd", Data: []byte("\x28\xB5"),
		Expect: corpus.Expect{
			Description: "<angle> & ampersand", Verdict: "damaged", Repair: "refused",
			Findings: []corpus.Finding{{Rule: "TL101", Name: "no-header", Seq: &seq}},
		},
	}}
	write(t, filepath.Join(dir, "bad", "a.jsonl.zstd"), string(want[0].Data))
	if err := corpus.WriteSidecar(filepath.Join(dir, "bad", "a.expect.json"), want[0].Expect); err != nil {
		t.Fatal(err)
	}
	got, err := corpus.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("logs (-want +got):\n%s", diff)
	}
}

func TestLoadRefusesAnIncompleteCorpus(t *testing.T) {
	tests := map[string]map[string]string{
		"a log without a sidecar":    {"a.jsonl": ""},
		"a sidecar without a log":    {"a.expect.json": "{}"},
		"two logs of one sidecar":    {"a.jsonl": "", "a.jsonl.zstd": "", "a.expect.json": "{}"},
		"a member that nobody reads": {"a.jsonl": "", "a.expect.json": `{"verdikt":"opens"}`},
		"a sidecar that is not JSON": {"a.jsonl": "", "a.expect.json": "opens"},
	}
	for name, files := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range files {
				write(t, filepath.Join(dir, file), text)
			}
			if logs, err := corpus.Load(dir); err == nil {
				t.Errorf("loaded %d logs, want an error", len(logs))
			}
		})
	}
}
