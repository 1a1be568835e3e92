package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestALogOfAnySizeGoesIntoAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.jsonl.zstd")
	if err := run([]string{"-size", "100KB", "-framing", "batches", "-shape", "rows", "-out", path}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() < 10_000 {
		t.Errorf("file %v, error %v", info, err)
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{"500": 500, "2K": 2 << 10, "20MB": 20 << 20, "10GB": 10 << 30} {
		if got, err := parseSize(text); got != want || err != nil {
			t.Errorf("%s: %d, error %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"0", "-1", "1T", "GB", "1.5G", "99999999999G", "1KM"} {
		if got, err := parseSize(text); err == nil {
			t.Errorf("%s: %d, want an error", text, got)
		}
	}
}
