package report

import (
	"encoding/xml"
	"io"

	"github.com/turnlint/turnlint/rules"
)

// checkstyleFile is what a Checkstyle report says about a file.
type checkstyleFile struct {
	XMLName xml.Name          `xml:"file"`
	Name    string            `xml:"name,attr"`
	Errors  []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr,omitempty"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`
}

var checkstyleSeverities = [...]string{rules.Note: "info", rules.Warning: "warning", rules.Error: "error"}

type checkstyleWriter struct{ xmlWriter }

// NewCheckstyle returns a Writer of the XML of Checkstyle, which many services
// read. Files without findings are listed, too.
func NewCheckstyle(w io.Writer) Writer {
	return &checkstyleWriter{newXML(w, "checkstyle", `checkstyle version="4.3"`)}
}

// Store implements [Writer]. Each finding is about a path of its own.
func (w *checkstyleWriter) Store(s *Store) error {
	for _, a := range annotateStore(s) {
		if err := w.file(a.path, []annotation{a}); err != nil {
			return err
		}
	}
	return nil
}

// File implements [Writer].
func (w *checkstyleWriter) File(f *File) error { return w.file(f.Path, annotate(f)) }

func (w *checkstyleWriter) file(path string, all []annotation) error {
	file := checkstyleFile{Name: slashed(path)}
	for i := range all {
		a := &all[i]
		source := "turnlint"
		if a.rule != nil {
			source += "." + a.rule.ID
		}
		file.Errors = append(file.Errors, checkstyleError{a.line, checkstyleSeverities[a.severity], a.text, source})
	}
	return w.element(file)
}
