package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTheMatrixOfReadersIsAsItWas holds the verdict and the words of each version
// of dsh about each log of the corpus and of the samples of later formats.
func TestTheMatrixOfReadersIsAsItWas(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	got := matrixOf(t, "../../testdata/corpus", "../../testdata/generations/bases", "../../testdata/generations/refusals")
	golden := filepath.Join("testdata", "matrix.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("run go test ./cmd/turnlint -run Matrix -update (-want +got):\n%s", diff)
	}
}

// matrixOf runs the command over logs and lists what the versions make of each.
func matrixOf(t *testing.T, paths ...string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var out, complaints bytes.Buffer
	p := program()
	p.App.Writer, p.App.ErrWriter = &out, &complaints
	p.Run(t.Context(), append([]string{"turnlint", "check", "--no-config", "--reader", "all", "--format", "ndjson"}, paths...))
	var table strings.Builder
	for line := range strings.Lines(out.String()) {
		var file struct {
			Kind, Path string
			Readers    []struct{ Version, Verdict, ReaderMessage string }
		}
		if err := json.Unmarshal([]byte(line), &file); err != nil {
			t.Fatal(err)
		}
		if file.Kind != "file" {
			continue
		}
		fmt.Fprintln(&table, filepath.ToSlash(strings.TrimPrefix(file.Path, filepath.Join("..", "..", "testdata")+string(filepath.Separator))))
		for _, r := range file.Readers {
			fmt.Fprintln(&table, strings.TrimRight(fmt.Sprintf("  %-10s  %-12s  %s", r.Version, r.Verdict, r.ReaderMessage), " "))
		}
	}
	return strings.ReplaceAll(table.String(), root, "…")
}
