package main

import (
	"bytes"
	"io"

	"github.com/fatih/color"
)

// newColor returns a colour that is on whatever standard output is.
func newColor(attribute color.Attribute) *color.Color {
	c := color.New(attribute)
	c.EnableColor()
	return c
}

// colored returns a writer that paints the lines of a unified diff; on says whether
// it does.
func colored(out io.Writer, on bool) io.Writer {
	if !on {
		return out
	}
	return &diffPainter{out: out, by: map[byte]*color.Color{
		'+': newColor(color.FgGreen), '-': newColor(color.FgRed), '@': newColor(color.FgCyan),
	}}
}

// diffPainter paints whole lines; what comes last must end in LF.
type diffPainter struct {
	out  io.Writer
	by   map[byte]*color.Color // by the first byte of a line
	line []byte
}

// Write implements io.Writer.
func (p *diffPainter) Write(text []byte) (int, error) {
	p.line = append(p.line, text...)
	for {
		line, rest, ok := bytes.Cut(p.line, []byte("\n"))
		if !ok {
			return len(text), nil
		}
		shown := string(line)
		if len(line) > 0 && p.by[line[0]] != nil {
			shown = p.by[line[0]].Sprint(shown)
		}
		if _, err := io.WriteString(p.out, shown+"\n"); err != nil {
			return 0, err
		}
		p.line = append(p.line[:0], rest...)
	}
}
