package lang

import (
	"cmp"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// template is an English message of the catalogue. Its holes are those of package fmt: %d for a
// number, %q for a quoted value, %s for anything that stays as it is; %w for one word,
// which may be quoted for a shell; %m for words that are a message themselves; and %v for words
// that are translated before they are put in, so that such a message is one for
// [Printer.Textf] only.
type template struct {
	key    string // as in the catalogue
	prefix string // what it begins with, before the first hole
	suffix string // what it ends with, behind the last hole
	holes  []byte // their verbs, in order
	words  int    // bytes outside of the holes
	// parts matches the whole message. Most are never asked for.
	parts func() *regexp.Regexp
}

var hole = regexp.MustCompile(`%[dqwsmv%]`)

// verbs has what may stand in a hole.
var verbs = map[byte]string{
	'd': `(-?\d[\d,]*)`,
	'q': `("(?:[^"\\]|\\.)*")`,
	'w': `((?:'[^']*'|\\.|[^\s'\\])+)`,
	's': `(.*?)`,
	'm': `(.+?)`,
	'v': `(.*)`,
}

func parseTemplate(key string) *template {
	t := &template{key: key}
	var pattern strings.Builder
	pattern.WriteString(`(?s)^`)
	begin := 0
	literal := func(text string) {
		if len(t.holes) == 0 {
			t.prefix += text
		} else {
			t.suffix += text
		}
		t.words += len(text)
		pattern.WriteString(regexp.QuoteMeta(text))
	}
	for _, at := range hole.FindAllStringIndex(key, -1) {
		literal(key[begin:at[0]])
		begin = at[1]
		if verb := key[at[1]-1]; verb == '%' {
			literal("%")
		} else {
			t.holes, t.suffix = append(t.holes, verb), ""
			pattern.WriteString(verbs[verb])
		}
	}
	literal(key[begin:])
	pattern.WriteString(`$`)
	t.parts = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern.String()) })
	return t
}

// parse returns what stands in the holes, and whether the text is the message at all.
func (t *template) parse(text string) (values []string, ok bool) {
	if len(t.holes) == 0 {
		return nil, text == t.prefix
	}
	found := t.parts().FindStringSubmatch(text)
	if found == nil {
		return nil, false
	}
	return found[1:], true
}

// nested reports whether a value of the message is a message itself.
func (t *template) nested() bool { return slices.Contains(t.holes, 'm') }

// values returns the values of a message as texts.
func (t *template) values(args []any) []any {
	all := make([]any, len(args))
	for i, arg := range args {
		all[i] = fmt.Sprintf("%"+string(t.holes[i]), arg)
	}
	return all
}

// index finds the messages that a text may be.
type index struct {
	byKey map[string]*template
	whole map[string]*template // those without holes
	holed []*template          // the others, those with the most words first
}

func newIndex(keys []string) *index {
	x := &index{byKey: map[string]*template{}, whole: map[string]*template{}}
	for _, key := range keys {
		t := parseTemplate(key)
		x.byKey[key] = t
		switch {
		case slices.Contains(t.holes, 'v'): // or it would take texts apart that it does not know
		case len(t.holes) == 0:
			x.whole[t.prefix] = t
		default:
			x.holed = append(x.holed, t)
		}
	}
	slices.SortFunc(x.holed, func(a, b *template) int {
		return cmp.Or(cmp.Compare(b.words, a.words), strings.Compare(a.key, b.key))
	})
	return x
}

// candidates yields the messages that the text may be, the most specific ones first.
func (x *index) candidates(text string) iter.Seq[*template] {
	return func(yield func(*template) bool) {
		if t := x.whole[text]; t != nil && !yield(t) {
			return
		}
		for _, t := range x.holed {
			if strings.HasPrefix(text, t.prefix) && strings.HasSuffix(text, t.suffix) && !yield(t) {
				return
			}
		}
	}
}
