package report_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/picture"
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// drawnFile returns a log as a check for pages hands it over.
func drawnFile(t testing.TB, path string, log []byte, showText bool) *report.File {
	t.Helper()
	src := bytes.NewReader(log)
	result, err := rules.Check(src, src.Size(), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pic, err := picture.Draw(src, src.Size(), result, picture.Options{ShowText: showText})
	if err != nil {
		t.Fatal(err)
	}
	return &report.File{Path: path, Result: result, Picture: pic}
}

// sampleFile is drawnFile for a log of testdata.
func sampleFile(t testing.TB, name string) *report.File {
	t.Helper()
	log, err := os.ReadFile(filepath.Join("../testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return drawnFile(t, filepath.Base(name), log, false)
}

// page returns a page on some logs.
func page(t testing.TB, all ...*report.File) string {
	t.Helper()
	var b bytes.Buffer
	w := report.NewHTML(&b, report.Options{})
	for _, f := range all {
		if err := w.File(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// stories are the logs whose pages have to explain themselves.
var stories = map[string]string{
	"clean": "corpus/ok/one-frame-per-batch.jsonl.zstd",
	"fork":  "rules/forked-log/bad.jsonl",
	"tear":  "corpus/bad/false-torn-tail.jsonl.zstd",
	"flip":  "corpus/bad/frame-does-not-decompress.jsonl.zstd",
	"open":  "corpus/torn/cut-inside-a-raw-block.jsonl.zstd",
	"zeros": "corpus/bad/zeros-between-records.jsonl",
}

var (
	styleOrTag = regexp.MustCompile(`(?s)<style>.*?</style>|<[^>]*>`)
	blankLines = regexp.MustCompile(`\n[ \n]*\n`)
)

// words returns what a page says, without its drawing.
func words(page string) string {
	page = strings.NewReplacer("</td>", " | ", "</th>", " | ", "</text>", "\n", "</title>", "\n", "</dt>", ": ").Replace(page)
	return blankLines.ReplaceAllString(styleOrTag.ReplaceAllString(page, ""), "\n")
}

func TestPagesTellTheStory(t *testing.T) {
	for name, log := range stories {
		t.Run(name, func(t *testing.T) {
			got := words(page(t, sampleFile(t, log)))
			path := filepath.Join("testdata", "html."+name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// samplePages returns a page on each log of testdata.
func samplePages(t *testing.T) map[string]string {
	t.Helper()
	pages := make(map[string]string)
	for _, pattern := range []string{"corpus/*/*.jsonl", "corpus/*/*.jsonl.zstd", "rules/*/bad.jsonl", "rules/*/bad.jsonl.zstd"} {
		logs, err := filepath.Glob(filepath.Join("../testdata", pattern))
		if err != nil || len(logs) == 0 {
			t.Fatal(pattern, err)
		}
		for _, log := range logs {
			name, err := filepath.Rel("../testdata", log)
			if err != nil {
				t.Fatal(err)
			}
			pages[filepath.ToSlash(name)] = page(t, sampleFile(t, name))
		}
	}
	return pages
}

func TestPagesAreSoundHTML(t *testing.T) {
	pages := samplePages(t)
	pages["every kind of result"] = page(t, files()...)
	pages["nothing"] = page(t)
	for name, page := range pages {
		t.Run(name, func(t *testing.T) {
			for _, fault := range faultsOf(page) {
				t.Error(fault)
			}
		})
	}
}

// outline is what a page's elements say of each other.
type outline struct {
	faults  []string
	ids     map[string]bool
	refs    []string // ids that others name
	heading int      // level of the last heading
	counts  map[string]int
	stack   []string
}

// faultsOf returns what is wrong with a page for browsers and screen readers.
func faultsOf(page string) []string {
	o := &outline{ids: make(map[string]bool), counts: make(map[string]int)}
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := d.Token()
		if token == nil {
			if err.Error() != "EOF" {
				o.fault("%v", err)
			}
			break
		}
		switch e := token.(type) {
		case xml.StartElement:
			o.start(e)
		case xml.EndElement:
			if n := len(o.stack) - 1; n < 0 || o.stack[n] != e.Name.Local {
				o.fault("</%s> closes %v", e.Name.Local, o.stack)
			} else {
				o.stack = o.stack[:n]
			}
		}
	}
	for _, ref := range o.refs {
		if !o.ids[ref] {
			o.fault("nothing has the id %q", ref)
		}
	}
	for _, once := range []string{"h1", "main", "title lang"} {
		if o.counts[once] != 1 {
			o.fault("%d times %s, want once", o.counts[once], once)
		}
	}
	return o.faults
}

func (o *outline) fault(format string, args ...any) {
	o.faults = append(o.faults, fmt.Sprintf(format, args...))
}

func (o *outline) start(e xml.StartElement) {
	attr := make(map[string]string)
	for _, a := range e.Attr {
		attr[a.Name.Local] = a.Value
		if strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "//") && a.Name.Local != "content" {
			o.fault("<%s %s=%q>", e.Name.Local, a.Name.Local, a.Value)
		}
	}
	name := e.Name.Local
	o.counts[name]++
	o.stack = append(o.stack, name)
	if id := attr["id"]; id != "" {
		if o.ids[id] {
			o.fault("two elements have the id %q", id)
		}
		o.ids[id] = true
	}
	o.refs = append(o.refs, strings.Fields(attr["aria-labelledby"])...)
	if target, ok := strings.CutPrefix(attr["href"], "#"); ok {
		o.refs = append(o.refs, target)
	}
	switch {
	case name == "html" && attr["lang"] != "":
		o.counts["title lang"]++
	case len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6':
		if level := int(name[1] - '0'); level > o.heading+1 {
			o.fault("<%s> comes behind <h%d>", name, o.heading)
		} else {
			o.heading = level
		}
	case name == "th" && attr["scope"] == "":
		o.fault("<th> without scope")
	case name == "svg" && attr["aria-hidden"] != "true" && (attr["role"] != "img" || attr["aria-labelledby"] == ""):
		o.fault("<svg> says nothing to those who do not see it")
	case attr["tabindex"] != "" && attr["aria-label"] == "":
		o.fault("<%s> can be reached with the keyboard and has no name", name)
	case name == "script" || name == "link" || name == "img" || name == "iframe":
		o.fault("<%s>", name)
	}
}

func TestFaultsOfPagesAreSeen(t *testing.T) {
	bad := `<html><body><h1>a</h1><h3>b</h3><th>c</th><svg></svg><a href="#none">d</a><script>e</script><i id="x"></i><i id="x"></i><div tabindex="0"></div><p onclick="f">g</p></body></html>`
	if got := len(faultsOf(bad)); got != 10 {
		t.Errorf("%d faults, want 10: %q", got, faultsOf(bad))
	}
}

func TestHostileLogsCannotSpeakToTheBrowser(t *testing.T) {
	const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>&amp;` + "\\u001b[31m\\u202egpj.exe\\u2066\\u2028"
	long := strings.Repeat("<b>", 1<<20/3)
	log := `{"type":"session","version":0,"id":"` + long + strings.ReplaceAll(hostile, `"`, `\"`) + `","createdAt":9007199254740991,"cwd":"/w","delegationDepth":0}
{"type":"turn/start","seq":0,"time":-9007199254740991,"data":{"turn":"` + strings.ReplaceAll(hostile, `"`, `\"`) + `"}}
{"type":"user/message","seq":1,"time":1,"data":{"id":"u","role":"user","content":[{"type":"text","text":"` + strings.ReplaceAll(hostile, `"`, `\"`) + `"}],"source":{"kind":"user"}},"surfaceOp":"append"}
` + "{\"type\":\"user/message\",\"seq\":2,\"<script>\x1b[2J\u202e\x00</pre>" + `
{"type":"` + strings.ReplaceAll(hostile, `"`, `\"`) + `","seq":1,"time":1e300,"data":{}}
{"type":"turn/end","seq":2,"time":9007199254740991,"data":{"turn":1,"reason":{"kind":"` + strings.ReplaceAll(hostile, `"`, `\"`) + `"}}}
`
	f := drawnFile(t, "a\x1b[2J\u202e<script>\n\xff.jsonl", []byte(log), true)
	f.Known = f.Result.Findings[:1]
	f.Aside.Excluded = "<script>\x1b"
	unread := &report.File{Path: "<script>", Problem: "<script>\u202e"}
	got := page(t, f, unread)
	for _, fault := range faultsOf(got) {
		t.Error(fault)
	}
	for _, bad := range []string{"<script", "<img", "\x1b", "\u202e", "\u2066", "\u2028", "\x00"} {
		if strings.Contains(got, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	if len(got) > 200<<10 {
		t.Errorf("the page has %d bytes", len(got))
	}
	if !strings.Contains(got, "gpj.exe") {
		t.Error("the text of the log is not shown, although it was asked for")
	}
}

func TestPagesDoNotShowBodiesUnasked(t *testing.T) {
	log, err := os.ReadFile("../testdata/corpus/bad/zeros-between-records.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	const body = "Where is the lamp?"
	log = bytes.Replace(log, []byte(`"role":"user","content":[{"type":"text","text":"`), []byte(`"role":"user","content":[{"type":"text","text":"`+body), 1)
	if got := page(t, drawnFile(t, "a", log, false)); strings.Contains(got, "lamp?") {
		t.Error("the page shows a message")
	}
	if got := page(t, drawnFile(t, "a", log, true)); !strings.Contains(got, body) {
		t.Error("the page does not show the message that was asked for")
	}
}

// longLog returns a log of so many turns with 4 events each, of which every hundredth
// is wrong.
func longLog(turns int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"type":"session","version":0,"id":"s","createdAt":1790000000000,"cwd":"/w","delegationDepth":0}` + "\n")
	for n := range turns {
		seq, time := 4*n, 1790000000000+int64(n)*60_000
		fmt.Fprintf(&b, `{"type":"turn/start","seq":%d,"time":%d,"data":{"turn":%d}}`+"\n", seq, time, n+1)
		if n%100 == 50 {
			fmt.Fprintf(&b, `{"type":"step/end","seq":%d,"time":%d,"data":{"turn":%d,"step":7}}`+"\n", seq+1, time, n)
		} else {
			fmt.Fprintf(&b, `{"type":"todo/write","seq":%d,"time":%d,"data":{"turn":%d,"todos":[]}}`+"\n", seq+1, time, n+1)
		}
		fmt.Fprintf(&b, `{"type":"session/title","seq":%d,"time":%d,"data":{"title":"t"}}`+"\n", seq+2, time+3)
		fmt.Fprintf(&b, `{"type":"turn/end","seq":%d,"time":%d,"data":{"turn":%d,"reason":{"kind":"completed"}}}`+"\n", seq+3, time+9_000, n+1)
	}
	return b.Bytes()
}

func TestPageOfAHundredThousandEventsIsSmall(t *testing.T) {
	f := drawnFile(t, "long.jsonl", longLog(25_000), true)
	if f.Picture.Events != 100_000 {
		t.Fatalf("%d events", f.Picture.Events)
	}
	got := page(t, f)
	for _, fault := range faultsOf(got) {
		t.Error(fault)
	}
	if len(got) > 2<<20 {
		t.Errorf("the page has %d bytes", len(got))
	}
}

func TestPageOnManyLogsHasAnIndex(t *testing.T) {
	var all []*report.File
	for range 200 {
		for _, name := range stories {
			all = append(all, sampleFile(t, name))
		}
	}
	for range 6000 {
		all = append(all, &report.File{Path: "clean", Result: result(scan.Opens)})
	}
	got := page(t, all...)
	for _, fault := range faultsOf(got) {
		t.Error(fault)
	}
	if len(got) > 5<<20 {
		t.Errorf("the page has %d bytes", len(got))
	}
	for _, want := range []string{"7200 logs", "2,200 further logs not listed", "logs with findings not shown in detail"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if rows, sections := strings.Count(got, `<th scope="row" class="path">`), strings.Count(got, "<article"); rows != 5000 || sections < 50 {
		t.Errorf("%d rows and %d sections", rows, sections)
	}
}

func TestPageShowsStores(t *testing.T) {
	var b bytes.Buffer
	w := report.NewHTML(&b, report.Options{})
	for _, s := range stores() {
		if err := w.Store(s); err != nil {
			t.Fatal(err)
		}
	}
	refused := result(scan.Incompatible)
	refused.StoreRefuses = true
	write(t, w, []*report.File{{Path: "bad/--p--/s/session.jsonl", Result: refused}})
	for _, fault := range faultsOf(b.String()) {
		t.Error(fault)
	}
	for _, want := range []string{
		"dsh cannot list any session of this store", "dsh lists the sessions of this store", "dsh refuses it for the state of its store",
		"bad/--p--/b\\xe9.jsonl: another one",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestPageShowsOtherReaders(t *testing.T) {
	f := sampleFile(t, "corpus/bad/false-torn-tail.jsonl.zstd")
	old := &scan.Reading{Verdict: scan.Damaged}
	f.Readings = []report.Reading{{Version: scan.DefaultReader(), Reading: f.Result.Reading}, {Version: scan.ReaderVersions()[0], Reading: old}}
	want := "dsh " + scan.ReaderVersions()[0].Name + " refuses it, it is damaged"
	if got := page(t, f); !strings.Contains(got, want) {
		t.Errorf("the page does not say %q", want)
	}
}
