package lang

import (
	"strings"
	"testing"
	"unicode"
)

// TestEveryTranslationTakesItsValues puts a value into each hole of each message.
func TestEveryTranslationTakesItsValues(t *testing.T) {
	texts, err := translations(Chinese)
	if err != nil {
		t.Fatal(err)
	}
	p, err := For(Chinese)
	if err != nil {
		t.Fatal(err)
	}
	for english, text := range texts {
		words := hole.ReplaceAllString(english, "")
		var args []any
		for range parseTemplate(english).holes {
			args = append(args, "value")
		}
		got := p.printer.Sprintf(english, args...)
		if strings.Contains(got, "%!") {
			t.Errorf("%q becomes %q", english, got)
		}
		if text != english && strings.ContainsFunc(words, unicode.IsLetter) && !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
			t.Errorf("%q has a translation that is not Chinese: %q", english, text)
		}
	}
}
