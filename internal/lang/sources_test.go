package lang

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// spoken are the folders whose messages people read.
var spoken = []string{"cmd/turnlint", "config", "follow", "internal/cli", "picture", "report", "rules", "sketch"}

// messagesOf says which arguments of a function are messages, by the name of the function.
var messagesOf = map[string][]int{
	"Text": {0}, "Textf": {0}, "say": {0}, "title": {0}, "row": {0}, "refusal": {0},
	"Usagef": {0}, "UsageHint": {1}, "New": {0}, "Errorf": {0}, "warn": {0}, "fail": {1, 2}, "failAt": {1, 2}, "Notice": {0},
	"report": {0, 1}, "reportAt": {1}, "reportOnce": {0}, "reportBlind": {0}, "reportFrame": {0}, "reportTurn": {0},
	"relateFile": {1}, "hand": {2}, "reportFirst": {2},
}

// thingOf says which argument of a function is the name of a thing that is counted.
var thingOf = map[string]int{"Count": 1, "counted": 1}

// messageFields are the fields of structs that hold messages.
var messageFields = []string{"What", "Hint", "Problem", "Message", "Summary", "Remedy"}

// byFormat are the functions that look their message up as it is, with all its holes.
var byFormat = []string{"Textf", "say", "title"}

func TestEveryMessageInTheSourcesIsInTheCatalogue(t *testing.T) {
	texts, err := translations(Chinese)
	if err != nil {
		t.Fatal(err)
	}
	keys := slices.Collect(maps.Keys(texts))
	for _, folder := range spoken {
		found := 0
		for where, m := range messagesIn(t, filepath.Join("..", "..", filepath.FromSlash(folder))) {
			found++
			if _, ok := texts[m.text]; !ok && (m.exact || !slices.ContainsFunc(keys, m.mayBe())) {
				t.Errorf("%s: %q", where, m.text)
			}
		}
		if found == 0 {
			t.Errorf("%s: no messages", folder)
		}
	}
}

// sourceMessage is a message in a source file. One that is not exact may be in the catalogue
// with other holes.
type sourceMessage struct {
	text  string
	exact bool
}

// phrase is a text of several words.
var phrase = regexp.MustCompile(`^[a-z]+ .*[a-z]`)

// verb is one of package fmt.
var verb = regexp.MustCompile(`%[-+# 0-9.*]*[a-zA-Z]`)

// mayBe returns the function that reports whether a key of the catalogue is the message, perhaps
// with some of its holes filled. Of a message that is nothing but holes each key may be it.
func (m sourceMessage) mayBe() func(key string) bool {
	var parts []string
	for _, words := range verb.Split(m.text, -1) {
		parts = append(parts, regexp.QuoteMeta(words))
	}
	return regexp.MustCompile(`^(?s:` + strings.Join(parts, ".*") + `)$`).MatchString
}

// messagesIn yields the places and the texts of the constant messages of the files in a folder.
func messagesIn(t *testing.T, folder string) iter.Seq2[string, sourceMessage] {
	t.Helper()
	return func(yield func(string, sourceMessage) bool) {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no sources, %v", folder, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				for _, message := range messagesAt(n) {
					if !yield(fmt.Sprint(set.Position(n.Pos())), message) {
						return false
					}
				}
				return true
			})
		}
		for _, name := range templatesIn(t, folder) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range inTemplate.FindAllStringSubmatch(string(text), -1) {
				message, err := strconv.Unquote(found[1])
				if err != nil || !yield(name, sourceMessage{message, false}) {
					return
				}
			}
		}
	}
}

// inTemplate finds the messages of a template.
var inTemplate = regexp.MustCompile(`\{\{t (?:\(printf )?("[^"]*")`)

func templatesIn(t *testing.T, folder string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "html", "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// messagesAt returns the messages of a call, or of a field of a struct.
func messagesAt(n ast.Node) (all []sourceMessage) {
	add := func(exact bool, e ast.Expr, formats ...string) {
		text, ok := constantText(e)
		for _, format := range formats {
			if ok {
				all = append(all, sourceMessage{fmt.Sprintf(format, text), exact})
			}
		}
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		name := nameOf(n.Fun)
		for _, i := range messagesOf[name] {
			if i < len(n.Args) {
				add(slices.Contains(byFormat, name), n.Args[i], "%s")
			}
		}
		if i, ok := thingOf[name]; ok && i < len(n.Args) && !isOf(n.Fun, "strings") {
			add(true, n.Args[i], "%%d %s", "%%d %ss")
		}
		if name == "heads" {
			for _, arg := range n.Args[2:] {
				add(true, arg, "%s")
			}
		}
	case *ast.CompositeLit:
		if name := nameOf(n.Type); name == "Related" || name == "Other" {
			add(false, n.Elts[len(n.Elts)-1], "%s")
		}
	case *ast.ReturnStmt:
		for _, result := range n.Results {
			if text, _ := constantText(result); phrase.MatchString(text) {
				add(false, result, "%%s%s%%s") // which is put into a message
			}
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && slices.Contains(messageFields, key.Name) {
			add(false, n.Value, "%s")
		}
	}
	return slices.DeleteFunc(all, func(m sourceMessage) bool { return m.text == "" })
}

func nameOf(fun ast.Expr) string {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

// isOf reports whether a function is of the package with a name.
func isOf(fun ast.Expr, name string) bool {
	selector, ok := fun.(*ast.SelectorExpr)
	return ok && nameOf(selector.X) == name
}

// constantText returns the value of an expression that is a constant text in itself.
func constantText(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		return constant.StringVal(constant.MakeFromLiteral(e.Value, e.Kind, 0)), true
	case *ast.BinaryExpr:
		left, okLeft := constantText(e.X)
		right, okRight := constantText(e.Y)
		return left + right, e.Op == token.ADD && okLeft && okRight
	}
	return "", false
}
