// Package lang says in the language of the user what the programs say in English.
//
// Findings, plans and errors are made in English, and machine formats hold them so. What is written
// for a person passes a [Printer] last. It knows a sentence by its message in the catalogue,
// takes the values out of it, and puts them into the translation of the message. So nothing below
// has to know about languages, and a report that another run wrote can be shown in any of them.
package lang

import (
	"fmt"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/turnlint/turnlint/internal/words"
)

// The languages, by the names that the flag takes.
const (
	English = "en"
	Chinese = "zh" // Simplified
)

// Names lists the languages, the one that everything is written in first.
var Names = []string{English, Chinese}

var tags = []language.Tag{language.English, language.SimplifiedChinese}

// FromEnv returns the name of the language that the environment asks for as POSIX says
// (XBD §8.2): by the first of LC_ALL, LC_MESSAGES and LANG that is set. It is
// English where that is none of [Names].
func FromEnv(getenv func(string) string) string {
	for _, variable := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if locale := getenv(variable); locale != "" {
			return byLocale(locale)
		}
	}
	return English
}

// byLocale returns the name of the language that is nearest to a locale, such as zh_CN.UTF-8.
func byLocale(locale string) string {
	name, _, _ := strings.Cut(locale, ".")
	name, _, _ = strings.Cut(name, "@")
	tag, err := language.Parse(name)
	if err != nil {
		return English
	}
	_, i, confidence := language.NewMatcher(tags).Match(tag)
	if confidence == language.No {
		return English
	}
	return Names[i]
}

// Printer translates. A nil Printer leaves everything in English.
type Printer struct {
	// Missing is told of each text that the catalogue does not have, unless it is nil.
	Missing func(english string)

	name     string
	messages *index
	printer  *message.Printer
}

// For returns the Printer of a language of [Names], nil for English. Other names are errors.
func For(name string) (*Printer, error) {
	switch name {
	case English:
		return nil, nil
	case Chinese:
		p, err := chinese()
		if err != nil {
			return nil, err
		}
		own := *p // Missing is the caller's
		return &own, nil
	}
	return nil, fmt.Errorf("unknown language %q: want %s", name, strings.Join(Names, " or "))
}

// Name returns the name of the language, one of [Names].
func (p *Printer) Name() string {
	if p == nil {
		return English
	}
	return p.name
}

// Text returns a message with its values in the language of p, or as it is if the
// catalogue does not have it.
func (p *Printer) Text(english string) string {
	if p == nil || english == "" {
		return english
	}
	text, ok := p.translate(english)
	if !ok && p.Missing != nil {
		p.Missing(english)
	}
	return text
}

// Textf is [Printer.Text] of what [fmt.Sprintf] returns. Where the format is a message of
// the catalogue, the values need not be found in the text again, so that they may be anything,
// words that are translated already too.
func (p *Printer) Textf(format string, args ...any) string {
	if p != nil {
		if t := p.messages.byKey[format]; t != nil && len(t.holes) == len(args) && !t.nested() {
			return p.printer.Sprintf(t.key, t.values(args)...)
		}
	}
	return p.Text(fmt.Sprintf(format, args...))
}

// Error returns what an error says in the language of p. What stands before a colon may be
// the place, or the path, that the rest is about, and stays as it is.
func (p *Printer) Error(err error) string {
	english := err.Error()
	if p == nil {
		return english
	}
	for tail, ok := english, true; ok; _, tail, ok = strings.Cut(tail, ": ") {
		if text, known := p.translate(tail); known {
			return strings.TrimSuffix(english, tail) + text
		}
	}
	return p.Text(english)
}

// Count returns a number of things, such as "2 events", in the language of p.
func (p *Printer) Count(n int64, thing string) string { return p.Text(words.Count(n, thing)) }

// Word returns a word that stands alone in the language of p. Where it means something else in
// some place, the catalogue has it with the name of the place behind it, as in "after [undo]".
func (p *Printer) Word(word, place string) string {
	if p != nil {
		if t := p.messages.byKey[word+" ["+place+"]"]; t != nil {
			return p.printer.Sprintf(t.key)
		}
	}
	return p.Text(word)
}

// translate returns the translation, or the text itself and false.
func (p *Printer) translate(english string) (string, bool) {
	for m := range p.messages.candidates(english) {
		values, ok := m.parse(english)
		if !ok {
			continue
		}
		args := make([]any, len(values))
		for i, value := range values {
			if m.holes[i] == 'm' {
				if value, ok = p.translate(value); !ok {
					break
				}
			}
			args[i] = value
		}
		if ok {
			return p.printer.Sprintf(m.key, args...), true
		}
	}
	return english, false
}
