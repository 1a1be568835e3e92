package report

import (
	"encoding/xml"
	"io"
	"strings"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/rules"
)

// junitSuite is a file as a suite of tests, one for each rule with findings.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

// junitCase is a test, which has passed unless a member says otherwise.
type junitCase struct {
	Name      string       `xml:"name,attr"`
	ClassName string       `xml:"classname,attr"`
	Failure   *junitResult `xml:"failure,omitempty"`
	Error     *junitResult `xml:"error,omitempty"`
	Skipped   *junitResult `xml:"skipped,omitempty"`
	Output    string       `xml:"system-out,omitempty"`
}

type junitResult struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

type junitWriter struct{ xmlWriter }

// NewJUnit returns a Writer of the XML of JUnit, with a suite of tests for each
// file. Errors fail a test; warnings and notes are in its output.
func NewJUnit(w io.Writer) Writer {
	return &junitWriter{newXML(w, "testsuites", `testsuites name="turnlint"`)}
}

// Store implements [Writer].
func (w *junitWriter) Store(s *Store) error {
	return w.suite(slashed(s.Path), junitCases(slashed(s.Path), annotateStore(s)))
}

// File implements [Writer].
func (w *junitWriter) File(f *File) error {
	name := slashed(f.Path)
	if f.Aside.Excluded != "" {
		skipped := &junitResult{Message: escape.Line(f.Aside.Excluded)}
		return w.suite(name, []junitCase{{Name: "turnlint", ClassName: name, Skipped: skipped}})
	}
	return w.suite(name, junitCases(name, annotate(f)))
}

func (w *junitWriter) suite(name string, cases []junitCase) error {
	suite := &junitSuite{Name: name, Tests: len(cases), Cases: cases}
	for i := range cases {
		switch c := &cases[i]; {
		case c.Failure != nil:
			suite.Failures++
		case c.Error != nil:
			suite.Errors++
		case c.Skipped != nil:
			suite.Skipped++
		}
	}
	return w.element(suite)
}

// junitCases returns a test for each rule, in the order of the first findings.
// What has none has one test, which has passed.
func junitCases(name string, all []annotation) []junitCase {
	var titles []string
	by := make(map[string][]annotation)
	for _, a := range all {
		if by[a.title()] == nil {
			titles = append(titles, a.title())
		}
		by[a.title()] = append(by[a.title()], a)
	}
	if len(titles) == 0 {
		return []junitCase{{Name: "turnlint", ClassName: name}}
	}
	cases := make([]junitCase, len(titles))
	for i, title := range titles {
		cases[i] = newJUnitCase(title, name, by[title])
	}
	return cases
}

// newJUnitCase returns the test for one rule and its findings in a file.
func newJUnitCase(title, name string, all []annotation) junitCase {
	c := junitCase{Name: title, ClassName: name}
	var first *annotation // of those that fail
	var texts []string
	for i := range all {
		a := &all[i]
		texts = append(texts, a.place()+": "+a.severity.String()+": "+a.paragraph())
		if first == nil && a.severity == rules.Error {
			first = a
		}
	}
	text := strings.Join(texts, "\n")
	switch {
	case first == nil:
		c.Output = text
	case first.unread:
		c.Error = &junitResult{first.text, text}
	default:
		c.Failure = &junitResult{first.text, text}
	}
	return c
}
