package report_test

import (
	"bytes"
	"testing"

	"github.com/turnlint/turnlint/report"
)

// FuzzRead reads bytes as a report. What is accepted can be written in every
// format, and what can be read back of that is the same report.
func FuzzRead(f *testing.F) {
	all := &report.Report{Stores: stores()[1:2], Files: append(files()[2:6:6], setAside()[1])}
	for _, format := range machineFormats[:2] { // SARIF has the pages of the rules
		var b bytes.Buffer
		w, err := report.New(format, &b, options)
		if err != nil {
			f.Fatal(err)
		}
		if err := all.Write(w); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Add([]byte(smallSARIF))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := report.Read(text)
		if err != nil || len(r.Stores)+len(r.Files) == 0 { // of which ndjson says nothing
			return
		}
		for _, format := range report.Formats() {
			written(t, format, r, options)
		}
		for _, format := range machineFormats {
			once := written(t, format, r, options)
			if twice := written(t, format, read(t, once), options); once != twice {
				t.Errorf("%s: %s", format, firstDifference(once, twice))
			}
		}
	})
}

// smallSARIF is as much of a report as is read.
const smallSARIF = `{"runs":[{"tool":{"driver":{"name":"turnlint","version":"v1","rules":[{"id":"TL301","name":"seq-gap"}]}},
"properties":{"schemaVersion":1},"artifacts":[{"location":{"uri":"a%20b.jsonl"},"properties":{"kind":"file","path":"a b.jsonl",
"encoding":"zstd","verdict":"damaged","errors":1,"known":1,"readerMessage":"\ud800"}}],"results":[{"ruleId":"TL301","level":"error",
"message":{"text":"gap"},"baselineState":"new","properties":{"class":"damaged","seq":7,"frame":2,"fileOffset":9},
"relatedLocations":[{"message":{"text":"other"},"properties":{"other":true},"physicalLocation":{"artifactLocation":{"uri":"c"}}}],
"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a%20b.jsonl","index":0},"region":{"startLine":3,"byteOffset":5,"byteLength":8}}}]}]}]}`

func TestTheSmallReportIsOne(t *testing.T) {
	if n := len(read(t, smallSARIF).Files[0].Result.Findings); n != 1 {
		t.Errorf("%d findings, want 1", n)
	}
}

// firstDifference shows where two long texts differ first.
func firstDifference(a, b string) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return a[max(at-60, 0):min(at+60, len(a))] + "\nbecomes\n" + b[max(at-60, 0):min(at+60, len(b))]
}
