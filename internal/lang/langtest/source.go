package langtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// messages returns what the package says, in the order of its files.
func (s *Source) messages() ([]message, error) {
	names, err := filepath.Glob(filepath.Join(s.Dir, "*.go"))
	if err != nil {
		return nil, err
	}
	c := collector{source: s, files: token.NewFileSet(), constants: map[string]ast.Expr{}, found: new([]message)}
	var parsed []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(c.files, name, nil, 0)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
		ast.Inspect(f, c.constant)
	}
	for _, f := range parsed {
		ast.Walk(c, f)
	}
	return *c.found, nil
}

// collector is a visitor that gathers messages.
type collector struct {
	source    *Source
	files     *token.FileSet
	constants map[string]ast.Expr // of the package, by name
	said      bool                // single words are messages here
	found     *[]message
}

// constant notes the values of constants.
func (c collector) constant(n ast.Node) bool {
	if decl, ok := n.(*ast.GenDecl); ok && decl.Tok == token.CONST {
		for _, spec := range decl.Specs {
			spec := spec.(*ast.ValueSpec)
			for i, value := range spec.Values {
				c.constants[spec.Names[i].Name] = value
			}
		}
	}
	return true
}

// Visit implements ast.Visitor.
func (c collector) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.Ident: // a constant is found where it is declared
		return nil
	case *ast.Field:
		ast.Walk(c, n.Type) // and not its tag
		return nil
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && slices.Contains(c.source.Not, key.Name) {
			return nil
		}
	case *ast.AssignStmt:
		if n.Tok == token.ADD_ASSIGN {
			if format, ok := c.format(n.Rhs[0]); ok {
				c.add(n, "%s"+format)
				return nil
			}
		}
	case *ast.CallExpr:
		name := nameOf(n.Fun)
		if slices.Contains(c.source.Not, name) {
			return nil
		}
		c.said = slices.Contains(c.source.Says, name)
	}
	if e, ok := n.(ast.Expr); ok {
		if format, ok := c.format(e); ok {
			c.add(e, format)
			c.operands(e)
			return nil
		}
	}
	return c
}

// twoWords tells words from names and from what programs read.
var twoWords = regexp.MustCompile(`\pL\S* +\S*\pL`)

func (c collector) add(n ast.Node, format string) {
	if c.said || twoWords.MatchString(verb.ReplaceAllString(format, "")) {
		*c.found = append(*c.found, message{c.files.Position(n.Pos()), format})
	}
}

// format returns the format that an expression with a constant text in it is the value of.
func (c collector) format(e ast.Expr) (format string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text, true
		}
	case *ast.Ident:
		if value, ok := c.constants[e.Name]; ok {
			return c.format(value)
		}
	case *ast.BinaryExpr:
		left, isLeft := c.format(e.X)
		right, isRight := c.format(e.Y)
		if e.Op != token.ADD || !isLeft && !isRight {
			return "", false
		}
		if !isLeft {
			left = "%s"
		}
		if !isRight {
			right = "%s"
		}
		return left + right, true
	case *ast.CallExpr:
		if strings.HasSuffix(nameOf(e.Fun), "f") && len(e.Args) > 0 {
			format, ok := c.format(e.Args[0])
			return strings.ReplaceAll(format, "%w", "%s"), ok
		}
	}
	return "", false
}

// operands visits the values that go into a message.
func (c collector) operands(e ast.Expr) {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		for _, operand := range []ast.Expr{e.X, e.Y} {
			if _, ok := c.format(operand); ok {
				c.operands(operand)
			} else {
				ast.Walk(c, operand)
			}
		}
	case *ast.CallExpr:
		for _, arg := range e.Args[1:] {
			ast.Walk(c, arg)
		}
	}
}

// nameOf returns the name of a function without its package or receiver.
func nameOf(fun ast.Expr) string {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}
