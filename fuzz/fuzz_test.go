package fuzz

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/internal/corpus"
)

func corpusLogs(tb testing.TB) []corpus.Log {
	tb.Helper()
	logs, err := corpus.Load(filepath.FromSlash("../testdata/corpus"))
	if err != nil {
		tb.Fatal(err)
	}
	return logs
}

// maxFuzzed bounds the input: an RLE block of four bytes stands for 128 KiB.
const maxFuzzed = 16 << 10

func FuzzScannerChunking(f *testing.F) {
	for _, log := range corpusLogs(f) {
		f.Add(log.Data)
	}
	f.Add([]byte("\n"))
	f.Add([]byte("\x28\xB5\x2F"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > maxFuzzed {
			t.Skip("too long")
		}
		if err := CheckChunking(data); err != nil {
			t.Error(err)
		}
	})
}

// jsonTexts are the corners of JSON.parse (docs/format.md §3.6).
var jsonTexts = []string{
	``, ` `, `nul`, `null`, ` [ 1 , 2 ] `, `[1,]`, `{"a":1,}`, `[1] x`, "\uFEFF1",
	`01`, `+1`, `1.`, `.5`, `-`, `0x1`, `NaN`, `-Infinity`, `1e400`, `1e-400`, `-0`, `-0.0`, `3.0`, `30e-1`, `9007199254740993`, `1e21`, `1e-7`,
	"\"\t\"", "\"\x00\"", "\"\x7F\u2028\"", `"\/"`, `"\u0041"`, `"\v"`, `"\ud83d"`, `"\ud83d\ude00"`, `"\u00"`, "\"\xF0\x9F\x98\"", "\"\xED\xA0\x80\"",
	`{"b":1,"a":2,"b":3}`, `{"b":1,"10":2,"2":3}`, `{"__proto__":{}}`, `{"\u0061":1,"a":2}`, `{"a":{"x":1},"a":{"y":2}}`,
	strings.Repeat("[", 2000) + strings.Repeat("]", 2000),
}

func FuzzJSON(f *testing.F) {
	for _, text := range jsonTexts {
		f.Add([]byte(text))
	}
	for _, log := range corpusLogs(f) {
		for line := range bytes.Lines(log.Data) {
			f.Add(bytes.TrimSuffix(line, []byte("\n")))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := CheckJSON(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}

func TestCheckChunkingSeesADifference(t *testing.T) {
	a, err := readLog(bytes.NewReader([]byte("{}\n1\n")), 5)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"another record": "{}\n2\n", "a record more": "{}\n1\n3", "another size": "{}\n1\n3\n"} {
		b, err := readLog(bytes.NewReader([]byte(text)), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		if a.difference(b) == "" {
			t.Errorf("%s: no difference found", name)
		}
	}
}
