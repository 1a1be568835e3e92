package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// completeName is the hidden command that the completion scripts call with the
// words of the command line so far. The last one is the word to complete, unless
// the flag wordName has that.
const (
	completeName = "__complete"
	wordName     = "word"
)

func (p *Program) completeCommand() *cli.Command {
	return &cli.Command{
		Name: completeName, Hidden: true,
		Flags: []cli.Flag{&cli.StringFlag{Name: wordName}},
		Action: func(c *cli.Context) error {
			words := c.Args().Slice()
			if c.IsSet(wordName) {
				words = append(words, c.String(wordName))
			}
			for _, candidate := range p.complete(words) {
				fmt.Fprintln(c.App.Writer, candidate)
			}
			return nil
		},
	}
}

// complete returns what the last word may become; none means a file name.
func (p *Program) complete(words []string) []string {
	words = unsplit(words)
	if len(words) == 0 {
		words = []string{""}
	}
	before, word := words[:len(words)-1], words[len(words)-1]
	if slices.Contains(before, "--") {
		return nil
	}
	line := p.arrange(before)
	command := line.command
	if command == nil {
		command = p.App.Command(p.Default)
	}
	if len(before) > 0 && takesNext(command, before[len(before)-1]) {
		return matching(allowedWords(command, before[len(before)-1]), word)
	}
	switch {
	case isFlag(word) && strings.Contains(word, "="):
		return assignments(command, word)
	case strings.HasPrefix(word, "-"):
		return matching(flagWords(command), word)
	case !line.named:
		return matching(p.commandNames(), word)
	}
	return matching(p.argumentWords(command), word)
}

// unsplit makes two words, a flag and its value, of the three that bash makes of
// --flag=value.
func unsplit(words []string) (joined []string) {
	for i, word := range words {
		switch {
		case word != "=" || i == 0 || !isFlag(words[i-1]):
			joined = append(joined, word)
		case i == len(words)-1:
			joined = append(joined, "")
		}
	}
	return joined
}

// assignments returns what a word like --flag=value may become.
func assignments(c *cli.Command, word string) (words []string) {
	flag, value, _ := strings.Cut(word, "=")
	for _, allowed := range matching(allowedWords(c, flag), value) {
		words = append(words, flag+"="+allowed)
	}
	return words
}

// argumentWords returns the words that are arguments of a command which takes no
// paths.
func (p *Program) argumentWords(c *cli.Command) []string {
	switch c.Name {
	case "help":
		return p.commandNames()
	case "completion":
		return slices.Clone(shells)
	}
	return slices.Clone(p.Words[c.Name])
}

func matching(words []string, prefix string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return !strings.HasPrefix(w, prefix) })
}

func (p *Program) commandNames() (names []string) {
	for _, c := range p.App.VisibleCommands() {
		names = append(names, c.Name)
	}
	return names
}

func flagWords(c *cli.Command) []string {
	words := []string{"--help", "--version"}
	for _, f := range c.Flags {
		words = append(words, dashed(f.Names()[0]))
	}
	slices.Sort(words)
	return words
}

// allowedWords returns the words that a flag takes, if those are known.
func allowedWords(c *cli.Command, arg string) []string {
	if f, ok := findFlag(c, strings.TrimLeft(arg, "-")).(*cli.GenericFlag); ok {
		switch v := f.Value.(type) {
		case *choice:
			return slices.Clone(v.allowed)
		case *choices:
			return slices.Clone(v.allowed)
		}
	}
	return nil
}
