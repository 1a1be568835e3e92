package biglog

import "unicode/utf8"

// The words are few and their order is random, with names among them that hardly
// occur again, so that a log compresses by 3.9 to one, as sessions do. One word in fifty
// is not ASCII, and code has escapes.
var words = []string{
	"the", "the", "a", "of", "to", "and", "is", "in", "that", "it", "for", "not", "with", "as", "on", "we", "which", "reader",
	"lamp", "frame", "buffer", "token", "session", "window", "value", "switch", "harbour", "timer", "request", "signal",
	"therefore", "because", "returns", "waits", "closes", "checks", "before", "after", "every",
	"error", "offset", "length", "first", "second", "compare", "carefully", "configuration", "tests", "pass", "again",
}

var foreignWords = []string{"naïve", "größer", "走る"}

var statements = []string{
	`\tif err != nil {\n\t\treturn fmt.Errorf(\"`, `\tfor i := range `, `\treturn `, `\tx.`, `\t\tcase `, `\tdefer func() { `,
	`func (l *Lamp) `, `\t// `, `\tvar `, `\tmu.Lock()\n\tdefer mu.Unlock()\n`, `type `, `\tlog.Printf(\"%d of %d: `,
}

var endings = []string{`\n`, `)\n`, ` {\n`, `\", err)\n\t}\n`, `()\n`, `, nil\n`, `\n\n`, ` }()\n`, `: \"\",\n`, ` := 0\n`}

// tokens adds some words that a model streams at a time.
func (g *generator) tokens(n int) *generator {
	for range n {
		g.buf = append(g.buf, ' ')
		g.word()
	}
	return g
}

// token adds the next part of a word.
func (g *generator) token() {
	if len(g.spelled) == 0 {
		line := len(g.buf)
		g.tokens(1)
		g.spelled = append(g.spelled[:0], g.buf[line:]...)
		g.buf = g.buf[:line]
	}
	n := min(tokenLen, len(g.spelled))
	for n < len(g.spelled) && !utf8.RuneStart(g.spelled[n]) {
		n--
	}
	g.buf = append(g.buf, g.spelled[:n]...)
	g.spelled = append(g.spelled[:0], g.spelled[n:]...)
}

// prosaic adds about so many sentences.
func (g *generator) prosaic(sentences int) *generator {
	for range g.about(sentences) {
		for range 6 + g.random.IntN(14) {
			g.word()
			g.buf = append(g.buf, ' ')
		}
		g.buf = append(g.buf[:len(g.buf)-1], `.\n`...)
	}
	return g
}

// code adds about so many lines of code.
func (g *generator) code(lines int) *generator {
	for range g.about(lines) {
		g.buf = append(g.buf, statements[g.random.IntN(len(statements))]...)
		for range 1 + g.random.IntN(5) {
			g.word()
			g.buf = append(g.buf, ' ')
		}
		g.buf = append(g.buf[:len(g.buf)-1], endings[g.random.IntN(len(endings))]...)
	}
	return g
}

// word adds a word. Two in five are names that hardly occur again.
func (g *generator) word() {
	from := words
	if g.random.IntN(50) == 0 {
		from = foreignWords
	}
	g.buf = append(g.buf, from[g.random.IntN(len(from))]...)
	if g.random.IntN(5) < 2 {
		for letters := g.random.Uint32N(26 * 26 * 26 * 26); letters > 0; letters /= 26 {
			g.buf = append(g.buf, 'a'+byte(letters%26))
		}
	}
}

// about returns a random number with the given mean, at least 1.
func (g *generator) about(mean int) int { return 1 + g.random.IntN(max(1, 2*mean-1)) }
