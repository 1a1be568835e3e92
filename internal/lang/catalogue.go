package lang

import (
	"embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sync"

	"github.com/goccy/go-yaml"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/message/catalog"
)

//go:embed zh
var files embed.FS

// translations of a language: its catalogue, which maps each English message to its translation.
func translations(name string) (map[string]string, error) {
	entries, err := files.ReadDir(name)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, entry := range entries {
		path := name + "/" + entry.Name()
		text, err := files.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var part map[string]string
		if err := yaml.Unmarshal(text, &part); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for english, other := range part {
			if had, ok := all[english]; ok && had != other {
				return nil, fmt.Errorf("%s: %q has two translations: %q and %q", path, english, had, other)
			}
			all[english] = other
		}
	}
	return all, nil
}

// chinese reads its catalogue once: a program asks for one language.
var chinese = sync.OnceValues(func() (*Printer, error) {
	texts, err := translations(Chinese)
	if err != nil {
		return nil, err
	}
	return newPrinter(Chinese, language.SimplifiedChinese, texts)
})

// valueVerb is the verb of a hole in a translation, perhaps with the number of the value.
var valueVerb = regexp.MustCompile(`%(\[\d+\])?[dqwmv]`)

func newPrinter(name string, tag language.Tag, texts map[string]string) (*Printer, error) {
	builder := catalog.NewBuilder()
	for english, text := range texts {
		// The values come out of a text, so they are text.
		if err := builder.SetString(tag, english, valueVerb.ReplaceAllString(text, `%${1}s`)); err != nil {
			return nil, fmt.Errorf("%q: %w", english, err)
		}
	}
	return &Printer{
		name:     name,
		messages: newIndex(slices.Collect(maps.Keys(texts))),
		printer:  message.NewPrinter(tag, message.Catalog(builder)),
	}, nil
}
