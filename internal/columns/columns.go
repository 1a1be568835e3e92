// Package columns puts text into the columns of a terminal, of which the characters of East Asia
// take two each.
package columns

import "github.com/mattn/go-runewidth"

// terminal takes characters of ambiguous width for narrow ones, whatever the locale, so that
// output does not depend on it.
var terminal = &runewidth.Condition{}

// Width returns how many columns a text takes.
func Width(text string) int { return terminal.StringWidth(text) }

// Left returns a text with blanks behind it, up to a width.
func Left(text string, width int) string { return terminal.FillRight(text, width) }

// Right returns a text with blanks before it, up to a width.
func Right(text string, width int) string { return terminal.FillLeft(text, width) }

// Cut returns a text that is no wider than width, with … in place of what does not fit.
func Cut(text string, width int) string { return terminal.Truncate(text, width, "…") }
