package scan_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/scan"
)

// gotRecord is what the tests compare of a record.
type gotRecord struct {
	Place      scan.Place
	Kind       scan.Kind
	Text       string
	Terminated bool
	LastFrame  int
	AfterGap   bool
}

func records(t *testing.T, log string, opt scan.Options) (all []gotRecord) {
	t.Helper()
	r, err := scan.NewReader(strings.NewReader(log), int64(len(log)), opt)
	if err != nil {
		t.Fatal(err)
	}
	for record := range r.Records() {
		all = append(all, gotRecord{
			record.Place, record.Kind, string(record.Text), record.Terminated, record.LastFrame, record.AfterGap,
		})
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return all
}

func TestReaderTellsKindsOfRecords(t *testing.T) {
	tests := map[string]struct {
		line string
		want scan.Kind
	}{
		"an object is an event":                      {`{"type":"turn/start"}`, scan.Event},
		"an object without any member too":           {`{}`, scan.Event},
		"an event may carry a row tag in its data":   {`{"data":{"type":"text-chunks"}}`, scan.Event},
		"a valid row":                                {strings.TrimSuffix(row, "\n"), scan.Row},
		"a row with an escaped tag":                  {strings.TrimSuffix(strings.Replace(row, "text-chunks", `text\u002dchunks`, 1), "\n"), scan.Row},
		"a row that lacks a member is undecodable":   {`{"type":"text-chunks"}`, scan.Undecodable},
		"no JSON is undecodable":                     {`{bad`, scan.Undecodable},
		"two values on a line are undecodable":       {`{}{}`, scan.Undecodable},
		"a blank line is undecodable":                {``, scan.Undecodable},
		"a byte order mark is undecodable":           {"\uFEFF{}", scan.Undecodable},
		"null is on its own":                         {` null `, scan.Null},
		"numbers, strings, booleans, arrays: number": {`-0`, scan.Scalar},
		"numbers, strings, booleans, arrays: string": {`"turn/end"`, scan.Scalar},
		"numbers, strings, booleans, arrays: true":   {`true`, scan.Scalar},
		"numbers, strings, booleans, arrays: array":  {`[{}]`, scan.Scalar},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := records(t, hdr+test.line+"\n", scan.Options{Encoding: scan.Plain})
			if len(got) != 2 || got[0].Kind != scan.Header || got[1].Kind != test.want {
				t.Errorf("records %+v, want a header and kind %d", got, test.want)
			}
		})
	}
}

func TestReaderPlacesRecordsOfAPlainLog(t *testing.T) {
	want := []gotRecord{
		{scan.Place{Line: 1, Len: 2}, scan.Header, "{}", true, 0, false},
		{scan.Place{Line: 2, PlainOff: 3, FileOff: 3, Len: 3}, scan.Event, "{}\r", true, 0, false},
		{scan.Place{Line: 3, PlainOff: 7, FileOff: 7}, scan.Undecodable, "", true, 0, false},
		{scan.Place{Line: 4, PlainOff: 8, FileOff: 8, Len: 1}, scan.Scalar, "7", false, 0, false},
	}
	if diff := cmp.Diff(want, records(t, "{}\n{}\r\n\n7", scan.Options{Encoding: scan.Plain})); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

// frames compresses each text into a frame of its own.
func frames(t *testing.T, texts ...string) (all []string) {
	t.Helper()
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		all = append(all, string(e.EncodeAll([]byte(text), nil)))
	}
	return all
}

func TestReaderPlacesRecordsOfAZstdLog(t *testing.T) {
	f := frames(t, "{}\n", "1\n[2,", "3]\n4\n")
	second, third := int64(len(f[0])), int64(len(f[0])+len(f[1]))
	want := []gotRecord{
		{scan.Place{Line: 1, Frame: 1, Len: 2}, scan.Header, "{}", true, 1, false},
		{scan.Place{Line: 2, PlainOff: 3, FileOff: second, Frame: 2, Len: 1}, scan.Scalar, "1", true, 2, false},
		{scan.Place{Line: 3, PlainOff: 5, FileOff: second, Frame: 2, Len: 5}, scan.Scalar, "[2,3]", true, 3, false},
		{scan.Place{Line: 4, PlainOff: 11, FileOff: third, Frame: 3, Len: 1}, scan.Scalar, "4", true, 3, false},
	}
	if diff := cmp.Diff(want, records(t, strings.Join(f, ""), scan.Options{Encoding: scan.Zstd})); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

func TestReaderGoesOnBehindABrokenFrame(t *testing.T) {
	f := frames(t, "{}\n", "1\n[2,", "3]\n4\n")
	bad := []byte(f[1])
	bad[len(bad)-1] ^= 1 // the checksum
	log := f[0] + string(bad) + f[2]
	r, err := scan.NewReader(strings.NewReader(log), int64(len(log)), scan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	var gaps []bool
	for record := range r.Records() {
		texts, gaps = append(texts, string(record.Text)), append(gaps, record.AfterGap)
	}
	if diff := cmp.Diff([]string{"{}", "1", "3]", "4"}, texts); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]bool{false, false, true, false}, gaps); diff != "" {
		t.Errorf("behind a gap (-want +got):\n%s", diff)
	}
	if c := r.Container(); c.BrokenCount != 1 || c.Broken[0].Cause != scan.CauseChecksum || c.Broken[0].Frame.Number != 2 {
		t.Errorf("broken frames %+v, want the second, for its checksum", c.Broken)
	}
}

func TestReaderDoesNotKeepLongLines(t *testing.T) {
	log := hdr + `"` + strings.Repeat("a", 1000) + "\"\n" + start
	got := records(t, log, scan.Options{MaxLine: 100})
	if len(got) != 3 || got[1].Kind != scan.TooLong || got[1].Text != "" || got[1].Place.Len != 1002 || got[2].Kind != scan.Event {
		t.Errorf("records %+v, want a header, a line of 1002 bytes that is too long, and an event", got)
	}
}

func TestALongLineLeavesTheVerdictOpen(t *testing.T) {
	long := strings.Repeat(" ", 200) + "\n"
	opt := scan.Options{MaxLine: 100}
	if r := read(t, []byte(hdr+start+end+long), opt, scan.ModelOptions{}); r.Verdict != scan.Unreadable {
		t.Errorf("verdict %s with a line that was not read, want unreadable", r.Verdict)
	}
	unterminated := hdr + start + end + strings.Repeat(" ", 200) // dsh never looks at it
	if r := read(t, []byte(unterminated), opt, scan.ModelOptions{}); r.Verdict != scan.Recovers {
		t.Errorf("verdict %s with a long rest behind the last LF, want recovers", r.Verdict)
	}
}

func TestReaderStopsWhenTheCallerDoes(t *testing.T) {
	r, err := scan.NewReader(strings.NewReader(hdr+start+end), 216, scan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range r.Records() {
		break
	}
	if r.Err() != nil {
		t.Errorf("error %v, want none", r.Err())
	}
}

// failingReader fails behind its first good bytes.
type failingReader struct {
	data []byte
	good int64
	err  error
}

func (f failingReader) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) <= f.good {
		return copy(p, f.data[off:]), nil
	}
	return 0, f.err
}

func TestReadErrorsAreNotDamage(t *testing.T) {
	broken := errors.New("disk on fire")
	plain := []byte(hdr + start + end)
	framed := []byte(strings.Join(frames(t, hdr, start+end), ""))
	for name, log := range map[string][]byte{"plain": plain, "zstd": framed} {
		for _, good := range []int64{0, 4} {
			r, err := scan.NewReader(failingReader{log, good, broken}, int64(len(log)), scan.Options{})
			if err == nil {
				for range r.Records() {
				}
				err = r.Err()
			}
			if !errors.Is(err, broken) {
				t.Errorf("%s, failing behind %d bytes: error %v, want %v", name, good, err, broken)
			}
		}
	}
}

func TestAFileThatShrinksIsAReadError(t *testing.T) {
	logs := map[string]string{"plain": hdr + start + end, "zstd": strings.Join(frames(t, hdr, start+end), "")}
	for name, log := range logs {
		r, err := scan.NewReader(strings.NewReader(log[:80]), int64(len(log)), scan.Options{})
		if err == nil {
			for range r.Records() {
			}
			err = r.Err()
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: error %v, want %v", name, err, io.ErrUnexpectedEOF)
		}
	}
}

func TestDetect(t *testing.T) {
	tests := map[string]struct {
		head string
		want scan.Encoding
	}{
		"text is plain":                    {"{\"type\"", scan.Plain},
		"an empty file is plain":           {"", scan.Plain},
		"a zstd frame":                     {"\x28\xB5\x2F\xFD\x04", scan.Zstd},
		"the start of a zstd magic":        {"\x28\xB5", scan.Zstd},
		"a skippable frame":                {"\x5F\x2A\x4D\x18", scan.Zstd},
		"a magic that goes wrong is plain": {"\x28\xB5\x2F\xFE", scan.Plain},
		"zeros are plain":                  {"\x00\x00\x00\x00", scan.Plain},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := scan.Detect(bytes.NewReader([]byte(test.head)), int64(len(test.head)))
			if err != nil || got != test.want {
				t.Errorf("Detect = %s, %v, want %s", got, err, test.want)
			}
		})
	}
}

func TestEncodingNames(t *testing.T) {
	for _, e := range []scan.Encoding{scan.Auto, scan.Plain, scan.Zstd} {
		if got, err := scan.ParseEncoding(e.String()); got != e || err != nil {
			t.Errorf("ParseEncoding(%q) = %s, %v", e.String(), got, err)
		}
	}
	if _, err := scan.ParseEncoding("gzip"); err == nil {
		t.Error("ParseEncoding accepts gzip")
	}
	for name, want := range map[string]scan.Encoding{
		"session.jsonl": scan.Plain, "a/b.jsonl.zstd": scan.Zstd, "session.jsonl.zst": scan.Auto, "-": scan.Auto,
	} {
		if got := scan.EncodingOfName(name); got != want {
			t.Errorf("EncodingOfName(%q) = %s, want %s", name, got, want)
		}
	}
}
