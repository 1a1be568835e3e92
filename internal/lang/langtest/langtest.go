// Package langtest checks that what a package says in English is in the catalogue of messages.
package langtest

import (
	"go/token"
	"regexp"
	"slices"
	"testing"

	"github.com/turnlint/turnlint/internal/lang"
)

// Source is the Go files of a package, without its tests. Constants of two words and more are
// taken for messages.
type Source struct {
	Dir string
	// Says names functions of which single words are messages too.
	Says []string
	// Not names the functions whose arguments, and the members whose values, are no messages.
	Not []string
	// Others are constants that are no messages, or only together with others.
	Others []string
}

// Check reports each message that the Chinese catalogue does not have.
func (s *Source) Check(t *testing.T) {
	t.Helper()
	p, err := lang.For(lang.Chinese)
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.messages()
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range s.Others {
		if !slices.ContainsFunc(found, func(m message) bool { return m.format == other }) {
			t.Errorf("there is no constant %q", other)
		}
	}
	for _, m := range found {
		if slices.Contains(s.Others, m.format) {
			continue
		}
		p.Missing = func(string) { t.Errorf("%s: %q is not in the catalogue", m.at, m.format) }
		p.Textf(m.format, valuesFor(m.format)...)
	}
}

// message is what a constant says, as a format with verbs where other values go.
type message struct {
	at     token.Position
	format string
}

var verb = regexp.MustCompile(`%\*?[a-z%]`)

// valuesFor returns values for a format: words that are in the catalogue where it may be words
// that are needed.
func valuesFor(format string) (values []any) {
	for _, v := range verb.FindAllString(format, -1) {
		switch v {
		case "%%":
		case "%d":
			values = append(values, 7)
		case "%q":
			values = append(values, "value")
		default:
			values = append(values, "1 event")
		}
	}
	return values
}
