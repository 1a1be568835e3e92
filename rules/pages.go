package rules

import "embed"

//go:embed doc/*.md
var pages embed.FS

// page returns the page of the rule with a name. That it exists is tested.
func page(name string) string {
	text, _ := pages.ReadFile("doc/" + name + ".md")
	return string(text)
}
