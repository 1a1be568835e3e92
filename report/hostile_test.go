package report_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// hostile are texts that try to be something else in a report.
var hostile = map[string]string{
	"terminal escapes":         "\x1b[2J\x1b]0;owned\x07",
	"bidirectional controls":   "a\u202egpj.exe\u2066",
	"the end of CDATA":         "]]><evil/>",
	"markup":                   `<script>alert("1")</script>&amp;'`,
	"line feeds":               "a\n::error::owned\r\n##[add-mask]x",
	"workflow commands":        "::set-output name=x::y",
	"percent signs":            "100%0A::error::x,y:z",
	"bytes that are not UTF-8": "caf\xe9\xff",
	"lone surrogates":          "a\xed\xa0\x80b",
	"characters XML forbids":   "a\x00\x01\ufffe\uffffb",
	"line separators":          "a\u2028b\u2029c\u0085d",
	"controls of one byte":     "a\x7f\u009b2Jb",
	"tags beyond the BMP":      "a\U000e0041b",
}

// hostileReport says the text wherever a report says something that others wrote.
func hostileReport(text string) *report.Report {
	f := finding(rules.SeqGap, scan.Place{Line: 2, Len: 9}, "names "+text)
	f.Related = []rules.Related{{Place: scan.Place{Line: 1}, Message: text}}
	r := result(scan.Damaged, f, finding(rules.TornFrame, scan.Place{FileOff: 9, Frame: 1}, text))
	r.Reading.Header.ID = text
	r.Reading.Scan.Refusal = session.Refuse(text)
	inStore := finding(rules.FlatLog, scan.Place{}, text)
	inStore.Path, inStore.Others = text, []rules.Other{{Path: text, Message: text}}
	return &report.Report{
		Stores: []*report.Store{{StoreResult: &rules.StoreResult{
			Path: text, Refusal: session.Refuse(text), Findings: []rules.Finding{inStore},
		}}},
		Files: []*report.File{
			{Path: text, Result: r},
			{Path: "gone " + text, Problem: text},
			{Path: "excluded", Result: result(scan.Opens), Aside: report.Aside{Excluded: text}},
		},
	}
}

func TestNoFormatLetsTextsOfOthersOut(t *testing.T) {
	for name, text := range hostile {
		for _, format := range report.Formats() {
			t.Run(format+" of "+name, func(t *testing.T) {
				got := written(t, format, hostileReport(text), options)
				if !utf8.ValidString(got) {
					t.Error("not UTF-8")
				}
				for _, r := range got {
					if r != '\n' && !unicode.IsPrint(r) {
						t.Errorf("has %q", r)
					}
				}
				wellFormed(t, format, got)
			})
		}
	}
}

// wellFormed checks what the consumer of a format relies on.
func wellFormed(t *testing.T, format, text string) {
	t.Helper()
	switch format {
	case "json", "sarif", "gitlab":
		if !json.Valid([]byte(text)) {
			t.Error("not JSON")
		}
	case "ndjson":
		if n := strings.Count(text, "\n"); n != 7 {
			t.Errorf("%d lines, want 7", n)
		}
	case "junit", "checkstyle":
		elements := parseXML(t, text)
		if elements["evil"]+elements["script"] > 0 {
			t.Error("a text became markup")
		}
	case "github":
		commands(t, text)
	}
}

// parseXML returns how many elements of each name a document has.
func parseXML(t *testing.T, text string) map[string]int {
	t.Helper()
	elements := make(map[string]int)
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return elements
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok {
			elements[start.Name.Local]++
		}
	}
}

var workflowCommand = regexp.MustCompile(`^::(error|warning|notice) file=([^,:]*)(?:,line=(\d+))?,title=([^,:]*)::(.*)$`)

// command is a workflow command as GitHub's runner reads it.
type command struct{ Kind, File, Line, Title, Message string }

// commands reads what the github format prints like GitHub's runner: every line
// is a command, and what is in it is what was said.
func commands(t *testing.T, text string) (all []command) {
	t.Helper()
	data := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		m := workflowCommand.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("not a command: %q", line)
			continue
		}
		all = append(all, command{m[1], data.Replace(m[2]), m[3], data.Replace(m[4]), data.Replace(m[5])})
	}
	return all
}

func TestAnnotationsAreEscapedByTheRulesOfGitHub(t *testing.T) {
	f := finding(rules.SeqGap, scan.Place{Line: 7}, "100%0A: a,b\n::warning::c")
	all := &report.Report{Files: []*report.File{{Path: "a,b:c%2C/x\ny.jsonl", Result: result(scan.Damaged, f)}}}
	got := written(t, "github", all, options)
	const want = "::error file=a%2Cb%3Ac%252C/x\\ny.jsonl,line=7,title=TL301 seq-gap::100%250A: a,b\\n::warning::c\n"
	if got != want {
		t.Errorf("got  %swant %s", got, want)
	}
	read := []command{{"error", `a,b:c%2C/x\ny.jsonl`, "7", "TL301 seq-gap", `100%0A: a,b\n::warning::c`}}
	if diff := cmp.Diff(read, commands(t, got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestGitHubShowsTenAnnotationsOfAKind(t *testing.T) {
	text, warnings := warned(t, "github", many(11, 10, 25, func() string { return "seq gap" }))
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	want := []string{"GitHub shows 10 of the 11 errors of this step", "GitHub shows 10 of the 25 notices of this step"}
	if diff := cmp.Diff(want, lines[len(lines)-2:]); diff != "" || len(lines) != 48 {
		t.Errorf("%d lines; the last (-want +got):\n%s", len(lines), diff)
	}
	if diff := cmp.Diff([]string{"github: " + want[0], "github: " + want[1]}, warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestIdsOfAMegabyteStayOutOfTheReportsOfServices(t *testing.T) {
	r := hostileReport("x")
	r.Files[0].Result.Reading.Header.ID = strings.Repeat("long", 1<<18)
	for _, format := range report.Formats() {
		if got := len(written(t, format, r, options)); got > 20_000 {
			t.Errorf("%s: %d bytes", format, got)
		}
	}
}

// TestXMLReadsBackAsItWasSaid parses the XML formats and compares their texts.
func TestXMLReadsBackAsItWasSaid(t *testing.T) {
	const said = `]]> & <b> "quoted" 'single'`
	all := &report.Report{Files: []*report.File{{Path: "a&b.jsonl", Result: result(scan.Damaged, finding(rules.SeqGap, scan.Place{Line: 3}, said))}}}
	var suites struct {
		Suites []struct {
			Name     string `xml:"name,attr"`
			Tests    int    `xml:"tests,attr"`
			Failures int    `xml:"failures,attr"`
			Cases    []struct {
				Name    string `xml:"name,attr"`
				Failure struct {
					Message string `xml:"message,attr"`
					Text    string `xml:",chardata"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	unmarshalXML(t, written(t, "junit", all, options), &suites)
	suite := suites.Suites[0]
	failure := suite.Cases[0].Failure
	got := []any{suite.Name, suite.Tests, suite.Failures, suite.Cases[0].Name, failure.Message, failure.Text}
	want := []any{"a&b.jsonl", 1, 1, "TL301 seq-gap", said, "a&b.jsonl:3: error: " + said}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("junit (-want +got):\n%s", diff)
	}
	var checkstyle struct {
		Files []struct {
			Name   string `xml:"name,attr"`
			Errors []struct {
				Line     int    `xml:"line,attr"`
				Severity string `xml:"severity,attr"`
				Message  string `xml:"message,attr"`
				Source   string `xml:"source,attr"`
			} `xml:"error"`
		} `xml:"file"`
	}
	unmarshalXML(t, written(t, "checkstyle", all, options), &checkstyle)
	file := checkstyle.Files[0]
	got = []any{file.Name, fmt.Sprint(file.Errors)}
	want = []any{"a&b.jsonl", "[{3 error " + said + " turnlint.TL301}]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("checkstyle (-want +got):\n%s", diff)
	}
}

func unmarshalXML(t *testing.T, text string, v any) {
	t.Helper()
	if err := xml.Unmarshal([]byte(text), v); err != nil {
		t.Fatal(err)
	}
}

// TestEveryFormatSaysWhatIsNoFindingOfALog looks for what is no finding of a log: an
// unreadable input, a sessions directory, and a version of dsh that refuses it.
func TestEveryFormatSaysWhatIsNoFindingOfALog(t *testing.T) {
	all := &report.Report{Stores: stores(), Files: append(setAside(), &report.File{Path: "gone.jsonl", Problem: "permission denied"})}
	for _, format := range report.Formats() {
		t.Run(format, func(t *testing.T) {
			got := written(t, format, all, options)
			want := []string{"TL805", "2026-06-15"}
			if format != "text" { // there it is an error on standard error
				want = append(want, "permission denied")
			}
			for _, text := range want {
				if !strings.Contains(got, text) {
					t.Errorf("does not say %q", text)
				}
			}
		})
	}
}
