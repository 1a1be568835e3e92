package cli

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"
)

// Man returns the manual page of the program, as man(7) source in ASCII. It says
// what the help of the program and of all its commands says.
func (p *Program) Man() string {
	p.setup()
	m := &manPage{}
	m.request("TH", strings.ToUpper(p.App.Name), "1", "", "turnlint and turnfix", "User Commands")
	m.request("SH", "NAME")
	m.text(p.App.Name + " - " + p.App.Usage)
	m.request("SH", "SYNOPSIS")
	for i, c := range p.App.VisibleCommands() {
		if i > 0 {
			m.request("br")
		}
		m.text(p.synopsis(c))
	}
	m.request("SH", "DESCRIPTION")
	m.text("Without the name of a command, " + p.Default + " runs. Options stand before or after the paths; -- ends them. Every command has these:")
	m.item("--help, -h", "print what is said here about the command")
	m.item("--version", "print the version of the program")
	m.request("SH", "COMMANDS")
	for _, c := range p.App.VisibleCommands() {
		m.command(c, p.synopsis(c))
	}
	m.tables(p)
	m.request("SH", "SEE ALSO")
	m.text(strings.Join(p.SeeAlso, "(1), ") + "(1)")
	return m.b.String()
}

// tables writes the sections that are about all commands.
func (m *manPage) tables(p *Program) {
	m.request("SH", "EXIT STATUS")
	for _, e := range p.Exits {
		m.item(fmt.Sprint(e.Code), e.Meaning)
	}
	m.request("SH", "ENVIRONMENT")
	for _, e := range p.Env {
		m.item(e.Name, e.Meaning)
	}
	m.request("SH", "EXAMPLES")
	for _, e := range p.Examples {
		m.item(e.Line, e.Meaning)
	}
}

func (m *manPage) command(c *cli.Command, synopsis string) {
	m.request("SS", synopsis)
	m.text(strings.ToUpper(c.Usage[:1]) + c.Usage[1:] + ".")
	if c.Description != "" {
		m.request("PP")
		m.text(c.Description)
	}
	for _, f := range c.Flags {
		names, placeholder, usage := flagDoc(f)
		m.item(strings.Join(names, ", ")+placeholder, usage)
	}
}

// manPage is a manual page in the making.
type manPage struct{ b strings.Builder }

// request writes a line for the formatter.
func (m *manPage) request(name string, args ...string) {
	m.b.WriteString("." + name)
	for _, arg := range args {
		m.b.WriteString(` "` + roff(arg) + `"`)
	}
	m.b.WriteString("\n")
}

// item writes a paragraph with its tag in bold.
func (m *manPage) item(tag, text string) {
	m.request("TP")
	m.request("B", tag)
	m.text(text)
}

// text writes lines to be filled; those that are indented stay as they are.
func (m *manPage) text(text string) {
	asIs := false
	for line := range strings.Lines(text) {
		if indented := strings.HasPrefix(line, "  "); indented != asIs {
			m.verbatim(indented)
			asIs = indented
		}
		if strings.HasPrefix(line, ".") {
			m.b.WriteString(`\&`) // or it would be a request
		}
		m.b.WriteString(roff(strings.TrimRight(line, "\n")) + "\n")
	}
	if asIs {
		m.verbatim(false)
	}
}

// verbatim starts or ends lines that stay as they are.
func (m *manPage) verbatim(on bool) {
	if on {
		m.request("EX")
	} else {
		m.request("EE")
	}
}

// roffNames are the names of characters that the formatter would take for
// requests, or print as others that no shell understands; see groff_man_style(7),
// "Portability".
var roffNames = map[rune]string{
	'\\': `\e`, '-': `\-`, '\'': `\(aq`, '"': `\(dq`, '`': `\(ga`, '^': `\(ha`, '~': `\(ti`,
}

// roff returns a text as source that prints it.
func roff(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch name, ok := roffNames[r]; {
		case ok:
			b.WriteString(name)
		case r > unicode.MaxASCII:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
