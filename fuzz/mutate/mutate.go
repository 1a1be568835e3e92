package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mutation is one small change of a file.
type mutation struct {
	file     string // below the module, with slashes
	line     int
	from, to int // bytes of the file that are replaced
	with     string
	about    string
}

// apply returns the file with the change.
func (m *mutation) apply(source []byte) []byte {
	return []byte(string(source[:m.from]) + m.with + string(source[m.to:]))
}

func (m *mutation) String() string { return fmt.Sprintf("%s:%d: %s", m.file, m.line, m.about) }

// mutations returns every change that is known of the files of a package, a path
// below the module, whose names match pattern.
func mutations(root, pkg, pattern string) (all []*mutation, err error) {
	names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), pattern))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, name, source, 0)
		if err != nil {
			return nil, err
		}
		f := &finder{files: files, source: source, file: pkg + "/" + filepath.Base(name)}
		ast.Inspect(parsed, f.visit)
		all = append(all, f.found...)
	}
	return all, nil
}

// finder collects the mutations of a file.
type finder struct {
	files  *token.FileSet
	source []byte
	file   string
	found  []*mutation
}

// swapped are the operators that stand in for others.
var swapped = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD,
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok != token.IMPORT && n.Tok != token.CONST // whose numbers are mostly names
	case *ast.BinaryExpr:
		if other, ok := swapped[n.Op]; ok && !isText(n) {
			f.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String(), fmt.Sprintf("%s becomes %s", n.Op, other))
		}
	case *ast.BasicLit:
		if v, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
			f.add(n.Pos(), n.End(), strconv.Itoa(v+1), fmt.Sprintf("%d becomes %d", v, v+1))
		}
	case *ast.Ident:
		if other, ok := map[string]string{"true": "false", "false": "true"}[n.Name]; ok {
			f.add(n.Pos(), n.End(), other, fmt.Sprintf("%s becomes %s", n.Name, other))
		}
	case *ast.ExprStmt, *ast.IncDecStmt:
		f.add(n.Pos(), n.End(), "", "the statement is gone: "+f.text(n))
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			f.add(n.Pos(), n.End(), "", "the assignment is gone: "+f.text(n))
		}
	case *ast.ReturnStmt:
		if k := len(n.Results) - 1; k >= 0 {
			if id, ok := n.Results[k].(*ast.Ident); ok && id.Name == "err" {
				f.add(id.Pos(), id.End(), "nil", "the error is not returned")
			}
		}
	}
	return true
}

// isText reports whether an addition joins texts, which nothing can be taken from.
func isText(n *ast.BinaryExpr) bool {
	if n.Op != token.ADD {
		return false
	}
	for _, side := range []ast.Expr{n.X, n.Y} {
		if lit, ok := side.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			return true
		}
	}
	return false
}

func (f *finder) add(from, to token.Pos, with, about string) {
	start, end := f.files.Position(from), f.files.Position(to)
	f.found = append(f.found, &mutation{f.file, start.Line, start.Offset, end.Offset, with, about})
}

// text returns the first line of a node.
func (f *finder) text(n ast.Node) string {
	text := string(f.source[f.files.Position(n.Pos()).Offset:f.files.Position(n.End()).Offset])
	line, _, _ := strings.Cut(text, "\n")
	return line
}
