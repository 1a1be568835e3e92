package rules

import (
	"fmt"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// anyKind has every kind that a value can be, Absent left out.
const anyKind = 1<<(jsjson.Object+1) - 1<<jsjson.Null

var kindsByName = map[string]uint16{
	"any":    anyKind,
	"string": 1 << jsjson.String,
	"number": 1 << jsjson.Number,
	"int":    1 << jsjson.Number,
	"bool":   1<<jsjson.True | 1<<jsjson.False,
	"null":   1 << jsjson.Null,
}

// shapeParser reads the notation of [shape].
type shapeParser struct {
	rest  string
	named map[string]*shape // by "$name"
}

// parseShape reads a whole text. The texts are part of the program, so that one
// which does not parse is a mistake in it, and found by the first test.
func parseShape(text string, named map[string]*shape) *shape {
	p := &shapeParser{text, named}
	s := &shape{}
	p.either(s)
	if p.next() != "" {
		panic(fmt.Sprintf("shape %q: unexpected %q", text, p.rest))
	}
	return s
}

// next returns the next token without taking it: a mark, or a word.
func (p *shapeParser) next() string {
	p.rest = strings.TrimLeft(p.rest, " \t\n")
	end := strings.IndexAny(p.rest, "{}[],:?| \t\n")
	switch {
	case end < 0:
		return p.rest
	case end == 0:
		return p.rest[:1]
	}
	return p.rest[:end]
}

func (p *shapeParser) take() string {
	token := p.next()
	p.rest = p.rest[len(token):]
	return token
}

func (p *shapeParser) skip(token string) bool {
	if p.next() != token {
		return false
	}
	p.take()
	return true
}

func (p *shapeParser) want(token string) {
	if !p.skip(token) {
		panic(fmt.Sprintf("shape: want %q before %q", token, p.rest))
	}
}

// either adds alternatives to s.
func (p *shapeParser) either(s *shape) {
	for ok := true; ok; ok = p.skip("|") {
		p.one(s)
	}
}

func (p *shapeParser) one(s *shape) {
	switch token := p.take(); {
	case token == "{":
		s.objects = append(s.objects, p.object())
	case token == "[":
		s.element = &shape{}
		p.either(s.element)
		p.want("]")
	case token == "...":
		s.open = true
	case token[0] == '$':
		s.merge(p.named[token])
	case kindsByName[token] != 0:
		s.kinds |= kindsByName[token]
		s.integers = s.integers || token == "int"
	default:
		s.literals = append(s.literals, token)
	}
}

// merge adds all that fits another shape.
func (s *shape) merge(other *shape) {
	s.kinds |= other.kinds
	s.integers = s.integers || other.integers
	s.literals = append(s.literals, other.literals...)
	s.objects = append(s.objects, other.objects...)
	s.open = s.open || other.open
	if other.element != nil {
		s.element = other.element
	}
}

// object reads the members up to the closing brace.
func (p *shapeParser) object() object {
	var o object
	for !p.skip("}") {
		m := member{key: p.take(), optional: p.skip("?"), shape: &shape{}}
		p.want(":")
		p.either(m.shape)
		if len(o.members) == 0 && !m.optional {
			o.tags = m.shape.literals
		}
		o.members = append(o.members, m)
		p.skip(",")
	}
	return o
}
