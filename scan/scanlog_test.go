package scan_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/scan"
)

// Lines of small logs; the lengths in bytes are those that the tests count with.
const (
	hdr   = `{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}` + "\n"            // 74
	start = `{"type":"turn/start","seq":0,"time":5,"data":{"turn":1}}` + "\n"                             // 57
	end   = `{"type":"turn/end","seq":1,"time":6,"data":{"turn":1,"reason":{"kind":"completed"}}}` + "\n" // 85
	step  = `{"type":"step/start","seq":1,"time":5,"data":{"turn":1,"step":1}}` + "\n"
	row   = `{"type":"text-chunks","seq0":1,"time0":5,"data":{"turn":1,"step":1,"index":0,"dt":[1],"texts":["a","b"]}}` + "\n"

	start2 = `{"type":"turn/start","seq":2,"time":5,"data":{"turn":2}}` + "\n"
	end3   = `{"type":"turn/end","seq":3,"time":6,"data":{"turn":2,"reason":{"kind":"completed"}}}` + "\n"
)

// Refusals, without their common start.
const (
	noHeader   = "empty or header-less session log"
	badJSON    = "corrupt session log: header line is not valid JSON"
	badHeader  = "corrupt session log: first line is not a session header"
	unparsable = "corrupt session log: unparsable committed event at line "
	gap        = "corrupt session log: seq gap in committed region at line "
	nullSeq    = "Cannot read properties of null (reading 'seq')"
	nullType   = "Cannot read properties of null (reading 'type')"
)

// outcome is what dsh makes of a plain log.
type outcome struct {
	Events    int64
	Committed int64
	Refusal   string // of the scan
	Load      string // of the load, where the scan succeeds
	Closers   int
}

func outcomeOf(t *testing.T, log string) outcome {
	t.Helper()
	r := read(t, []byte(log), scan.Options{Encoding: scan.Plain}, scan.ModelOptions{})
	if r.Scan.Refusal != nil {
		return outcome{Refusal: r.Scan.Refusal.Text}
	}
	o := outcome{Events: r.Scan.Events, Committed: r.Scan.Committed, Closers: len(r.Closers)}
	if r.Load.Refusal != nil {
		o.Load = r.Load.Refusal.Text
	}
	if r.Scan.Torn != (o.Committed < int64(len(log))) {
		t.Errorf("Torn = %v with %d of %d bytes committed", r.Scan.Torn, o.Committed, len(log))
	}
	return o
}

type scanTest struct {
	log  string
	want outcome
}

func runScanTests(t *testing.T, tests map[string]scanTest) {
	t.Helper()
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, outcomeOf(t, test.log)); diff != "" {
				t.Errorf("outcome of %q (-want +got):\n%s", test.log, diff)
			}
		})
	}
}

// edited is s with old changed to with; old must be there.
func edited(t *testing.T, s, old, with string) string {
	t.Helper()
	if !strings.Contains(s, old) {
		t.Fatalf("no %q in %q", old, s)
	}
	return strings.Replace(s, old, with, 1)
}

func TestScannerOnSmallLogs(t *testing.T) {
	crlf := strings.ReplaceAll(hdr+start+end, "\n", "\r\n")
	runScanTests(t, map[string]scanTest{
		"header and one turn":               {hdr + start + end, outcome{Events: 2, Committed: 216}},
		"the same with CR LF":               {crlf, outcome{Events: 2, Committed: 219}},
		"without the last LF":               {hdr + start + end[:84], outcome{Events: 1, Committed: 131, Closers: 1}},
		"header only":                       {hdr, outcome{Committed: 74}},
		"header without LF":                 {hdr[:73], outcome{Refusal: noHeader}},
		"empty file":                        {"", outcome{Refusal: noHeader}},
		"blank line in an open turn":        {hdr + start + "\n" + step, outcome{Events: 1, Committed: 131, Closers: 1}},
		"blank line before a turn/end":      {hdr + start + "\n" + end, outcome{Refusal: unparsable + "2"}},
		"blank line at the end":             {hdr + start + end + "\n", outcome{Events: 2, Committed: 216}},
		"number at the end":                 {hdr + start + end + "5\n", outcome{Events: 2, Committed: 216}},
		"array at the end":                  {hdr + start + end + "[]\n", outcome{Events: 2, Committed: 216}},
		"string at the end":                 {hdr + start + end + "\"x\"\n", outcome{Events: 2, Committed: 216}},
		"true before a turn/end":            {hdr + start + "true\n" + end, outcome{Refusal: gap + "2 (expected 1, got undefined)"}},
		"null at the end":                   {hdr + start + end + "null\n", outcome{Refusal: nullSeq}},
		"null behind a bad line":            {hdr + start + "{bad\nnull\n", outcome{Refusal: nullType}},
		"NUL bytes at the end":              {hdr + start + end + "\x00\x00\x00\x00\x00\x00", outcome{Events: 2, Committed: 216}},
		"NUL bytes before a turn":           {hdr + start + end + "\x00\x00\x00" + start2 + end3, outcome{Refusal: unparsable + "3"}},
		"seq in quotes":                     {hdr + edited(t, start, `"seq":0`, `"seq":"0"`), outcome{Committed: 74}},
		"seq of minus zero":                 {hdr + edited(t, start, `"seq":0`, `"seq":-0`) + end, outcome{Events: 2, Committed: 217}},
		"seq twice, the last one right":     {hdr + edited(t, start, `"seq":0`, `"seq":9,"seq":0`) + end, outcome{Events: 2, Committed: 224}},
		"byte order mark before the header": {"\uFEFF" + hdr + start + end, outcome{Refusal: badJSON}},
		"byte order mark before an event":   {hdr + "\uFEFF" + start + end, outcome{Refusal: unparsable + "1"}},
		"time of NaN":                       {hdr + edited(t, start, `"time":5`, `"time":NaN`) + end, outcome{Refusal: unparsable + "1"}},
		"time beyond a double scans and loads badly": {hdr + edited(t, start, `"time":5`, `"time":1e400`) + end, outcome{
			Events: 2, Committed: 220,
			Load: `stored session "s" failed validation: Error: seed event at index 0 has an invalid event envelope`,
		}},
	})
}

func TestScannerHeaderRecord(t *testing.T) {
	runScanTests(t, map[string]scanTest{
		"the first line is the header, whatever it is":        {start + hdr, outcome{Refusal: badHeader}},
		"a file that starts with LF has an empty header":      {"\n" + hdr, outcome{Refusal: badJSON}},
		"white space around the header is allowed":            {" \t" + hdr[:73] + " \r\n", outcome{Committed: 78}},
		"invalid UTF-8 in the header is replaced":             {edited(t, hdr, `"s"`, "\"\xFF\""), outcome{Committed: 74}},
		"a version is refused before the shape":               {`{"version":7}` + "\n", outcome{Refusal: `session "undefined" uses log format v7, but this harness reads only v0: the log was written by a newer harness — upgrade the harness to open it`}},
		"a bad header refuses whatever follows":               {"{}\n" + start + end, outcome{Refusal: badHeader}},
		"a header that comes again is an event without a seq": {hdr + hdr, outcome{Committed: 74}},
		"and refuses when a turn/end follows":                 {hdr + start + hdr + end, outcome{Refusal: gap + "2 (expected 1, got undefined)"}},
	})
}

func TestScannerLines(t *testing.T) {
	inText := func(separator string) string { return edited(t, end, "completed", "a"+separator+"b") }
	runScanTests(t, map[string]scanTest{
		"U+2028, U+0085, VT and FF split no line":         {hdr + start + inText("\u2028\u0085") + "\v\f\n", outcome{Events: 2, Committed: 214}},
		"CR alone splits no line":                         {hdr + start[:56] + "\r" + end, outcome{Committed: 74}},
		"a complete turn/end without LF is not looked at": {hdr + start + "{bad\n" + end[:84], outcome{Events: 1, Committed: 131, Closers: 1}},
		"null without LF is not looked at":                {hdr + start + end + "null", outcome{Events: 2, Committed: 216}},
		"blank lines count":                               {hdr + "\n\n" + start + end, outcome{Refusal: unparsable + "1"}},
		"a line of spaces is unparsable":                  {hdr + start + "  \n" + end, outcome{Refusal: unparsable + "2"}},
		"invalid UTF-8 inside a string is no defect":      {hdr + start + inText("\xFF"), outcome{Events: 2, Committed: 210}},
		"invalid UTF-8 outside a string is":               {hdr + start + "\xFF\n" + end, outcome{Refusal: unparsable + "2"}},
	})
}

func TestScannerRows(t *testing.T) {
	bad := edited(t, row, `"dt":[1]`, `"dt":[]`)
	end3of1 := edited(t, end, `"seq":1`, `"seq":3`)
	runScanTests(t, map[string]scanTest{
		"the members of a row count as events":                {hdr + start + row + end3of1, outcome{Events: 4, Committed: 322}},
		"a malformed row is as bad as a line that is no JSON": {hdr + start + bad + end3of1, outcome{Refusal: unparsable + "2"}},
		"and is tolerated without a turn/end behind it":       {hdr + start + bad, outcome{Events: 1, Committed: 131, Closers: 1}},
		"a row is accepted as a whole or not at all":          {hdr + start + edited(t, row, `"seq0":1`, `"seq0":0`) + end, outcome{Refusal: gap + "2 (expected 1, got 0)"}},
	})
}

func TestScannerSequence(t *testing.T) {
	wrongEnd := edited(t, end, `"seq":1`, `"seq":7`)
	runScanTests(t, map[string]scanTest{
		"a gap in the very turn/end is fatal":                 {hdr + start + wrongEnd, outcome{Refusal: gap + "2 (expected 1, got 7)"}},
		"a duplicate is a gap like any other":                 {hdr + start + start + end, outcome{Refusal: gap + "2 (expected 1, got 0)"}},
		"the first defect is the one reported":                {hdr + start + "{bad\n" + start + end, outcome{Refusal: unparsable + "2"}},
		"a turn/end with the right seq does not heal":         {hdr + start + "5\n" + end, outcome{Refusal: gap + "2 (expected 1, got undefined)"}},
		"any later turn/end makes a defect fatal":             {hdr + start + "{bad\n" + `{"type":"turn/end"}` + "\n", outcome{Refusal: unparsable + "2"}},
		"an escaped spelling of turn/end too":                 {hdr + start + "{bad\n" + `{"type":"turn\/end"}` + "\n", outcome{Refusal: unparsable + "2"}},
		"a turn/end inside a string does not":                 {hdr + start + "{bad\n" + `"turn/end"` + "\n", outcome{Events: 1, Committed: 131, Closers: 1}},
		"nor a turn/end that is not the last duplicate":       {hdr + start + "{bad\n" + `{"type":"turn/end","type":"x"}` + "\n", outcome{Events: 1, Committed: 131, Closers: 1}},
		"good events behind a defect are lost":                {hdr + start + "{bad\n" + step, outcome{Events: 1, Committed: 131, Closers: 1}},
		"a missing seq is undefined":                          {hdr + `{"type":"turn/end"}` + "\n", outcome{Refusal: gap + "1 (expected 0, got undefined)"}},
		"a fraction is no seq":                                {hdr + edited(t, start, `"seq":0`, `"seq":0.5`) + end, outcome{Refusal: gap + "1 (expected 0, got 0.5)"}},
		"an object as seq reads as JavaScript prints it":      {hdr + edited(t, start, `"seq":0`, `"seq":{}`) + end, outcome{Refusal: gap + "1 (expected 0, got [object Object])"}},
		"a seq of 0.0 or 0e5 is zero":                         {hdr + edited(t, start, `"seq":0`, `"seq":0e5`) + end, outcome{Events: 2, Committed: 218}},
		"unknown types and wild times pass the scan":          {hdr + `{"seq":0}` + "\n", outcome{Events: 1, Committed: 84, Load: `session "s" contains event type "undefined" (seq 0) unknown to this harness and not marked ignorable; refusing to interpret the log — it was likely written by a newer harness`}},
		"null while a defect is remembered reads another key": {hdr + "{bad\nnull\n" + end, outcome{Refusal: nullType}},
	})
}

func TestDroppedCountsCompleteEventsBehindTheFirstDefect(t *testing.T) {
	tests := map[string]struct {
		log  string
		want int64
	}{
		"none in a clean log":           {hdr + start + end, 0},
		"none in a cut record":          {hdr + start + end[:50], 0},
		"a complete record without LF":  {hdr + start + end[:84], 1},
		"records behind a bad line":     {hdr + start + "{bad\n" + step + step, 2},
		"the members of a row":          {hdr + start + "{bad\n" + row, 2},
		"no values that are no event":   {hdr + start + "{bad\n" + "5\n{}\n[]\n", 0},
		"the record that makes the gap": {hdr + start + start2, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := read(t, []byte(test.log), scan.Options{Encoding: scan.Plain}, scan.ModelOptions{})
			if r.Dropped != test.want {
				t.Errorf("Dropped = %d, want %d", r.Dropped, test.want)
			}
			if loses := r.Verdict == scan.Loses; loses != (test.want > 0) {
				t.Errorf("verdict %s with %d dropped events", r.Verdict, test.want)
			}
		})
	}
}

func TestAnEventWithoutSeqInTheTailIsLost(t *testing.T) {
	log := hdr + start + end + `{"type":"user/message","time":7,"data":{}}` + "\n"
	r := read(t, []byte(log), scan.Options{}, scan.ModelOptions{})
	if r.Verdict != scan.Loses || r.Dropped != 1 {
		t.Errorf("verdict %s, %d dropped: dsh drops a complete event", r.Verdict, r.Dropped)
	}
}
