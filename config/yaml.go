package config

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// maxNesting bounds how deep brackets nest; a configuration needs three.
const maxNesting = 8

// document makes the YAML of one file a tree. It knows only what a configuration
// needs: mappings, lists and words.
type document struct{ file string }

// parse returns the root of the tree, nil for a file without any value.
func (d *document) parse(text []byte) (ast.Node, error) {
	if err := notUTF8(d.file, text); err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	// The lexer counts the line of a comment that ends in CR LF twice.
	tokens := lexer.Tokenize(string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))))
	if err := d.plain(tokens); err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, d.syntax(err)
	}
	var root ast.Node
	for _, doc := range file.Docs {
		switch {
		case doc.Body == nil:
		case root != nil:
			return nil, d.fail(doc.Body, "remove all but one", "a second document")
		default:
			root = doc.Body
		}
	}
	return root, nil
}

// plain refuses what can make a small file a large tree, or a tree no tree.
func (d *document) plain(tokens token.Tokens) error {
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case token.AnchorType, token.AliasType, token.MergeKeyType, token.TagType, token.MappingKeyType, token.DirectiveType:
			return d.failAt(t, "write the value out", "%q: anchors, aliases, tags and the like are not allowed here", t.Value)
		case token.SequenceStartType, token.MappingStartType:
			if depth++; depth > maxNesting {
				return d.failAt(t, "a configuration has three levels", "nested too deeply")
			}
		case token.SequenceEndType, token.MappingEndType:
			depth--
		}
	}
	return nil
}

func (d *document) syntax(err error) error {
	const hint = "check the indentation and the quotes"
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil {
		return d.failAt(at.GetToken(), hint, "%s", at.GetMessage())
	}
	return &Error{Origin: Origin{File: d.file}, What: err.Error(), Hint: hint}
}

func (d *document) fail(n ast.Node, hint, format string, args ...any) error {
	return d.failAt(first(n), hint, format, args...)
}

func (d *document) failAt(t *token.Token, hint, format string, args ...any) error {
	return &Error{Origin: d.at(t), What: fmt.Sprintf(format, args...), Hint: hint}
}

func (d *document) at(t *token.Token) Origin {
	return Origin{d.file, t.Position.Line, t.Position.Column}
}

// first returns the first token of a value; that of a mapping is its first colon.
func first(n ast.Node) *token.Token {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		return m.Values[0].Key.GetToken()
	}
	return n.GetToken()
}

// member is a member of a mapping.
type member struct {
	key   string
	at    *token.Token
	value ast.Node
}

// members returns the members of a mapping, none for an absent value.
func (d *document) members(n ast.Node) ([]member, error) {
	switch n := n.(type) {
	case *ast.NullNode:
		return nil, nil
	case *ast.MappingNode:
		all := make([]member, len(n.Values))
		for i, v := range n.Values {
			t := v.Key.GetToken()
			all[i] = member{t.Value, t, v.Value}
		}
		return all, nil
	}
	return nil, d.fail(n, "write it as KEY: VALUE", "want a mapping")
}

// elements returns the elements of a list, none for an absent value.
func (d *document) elements(n ast.Node) ([]ast.Node, error) {
	switch n := n.(type) {
	case *ast.NullNode:
		return nil, nil
	case *ast.SequenceNode:
		return n.Values, nil
	}
	return nil, d.fail(n, "start each element with a dash", "want a list")
}

// text returns a value that is text, quoted or not.
func (d *document) text(n ast.Node) (string, error) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, nil
	case *ast.LiteralNode:
		return n.Value.Value, nil
	}
	return "", d.fail(n, "put numbers and the like in quotes", "want text")
}
