package report

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
)

// xmlWriter writes an XML document whose elements come one after the other.
// encoding/xml escapes what is markup, and there are no control characters in
// what it gets.
type xmlWriter struct {
	w    *bufio.Writer
	root string // name of the root element
}

// newXML begins a document. start is the start tag of its root without the
// angle brackets.
func newXML(w io.Writer, root, start string) xmlWriter {
	x := xmlWriter{bufio.NewWriter(w), root}
	fmt.Fprintf(x.w, "%s<%s>\n", xml.Header, start)
	return x
}

// element writes a child of the root.
func (x *xmlWriter) element(v any) error {
	text, err := xml.MarshalIndent(v, "  ", "  ")
	if err != nil {
		return err
	}
	x.w.Write(text)
	x.w.WriteByte('\n')
	return x.w.Flush()
}

// Close implements [Writer].
func (x *xmlWriter) Close() error {
	fmt.Fprintf(x.w, "</%s>\n", x.root)
	return x.w.Flush()
}
