package rules

import "embed"

//go:embed doc
var pages embed.FS

// page returns the page of the rule with a name. That it exists is tested.
func page(name string) string {
	text, _ := pages.ReadFile("doc/" + name + ".md")
	return string(text)
}

// Page returns the page of the rule in a language of package lang; where there is none, the
// English one, which is Doc.
func (r *Rule) Page(language string) string {
	text, err := pages.ReadFile("doc/" + language + "/" + r.Name + ".md")
	if err != nil {
		return r.Doc
	}
	return string(text)
}
