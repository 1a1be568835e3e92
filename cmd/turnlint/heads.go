package main

import (
	"fmt"
	"io"

	"github.com/turnlint/turnlint/internal/lang"
)

// heads writes the line with the names of columns.
func heads(w io.Writer, l *lang.Printer, names ...string) {
	for i, name := range names {
		if i > 0 {
			fmt.Fprint(w, "\t")
		}
		fmt.Fprint(w, l.Text(name))
	}
	fmt.Fprintln(w)
}
