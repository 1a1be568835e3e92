package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// completeName is the hidden command that the completion scripts call with the
// words of the command line so far. The last one is the word to complete.
const completeName = "__complete"

// completionScripts hand every word over and fall back to file names.
var completionScripts = map[string]string{
	"bash": `_NAME() {
  local IFS=$'\n'
  COMPREPLY=($(NAME __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _NAME NAME
`,
	"zsh": `#compdef NAME
_NAME() {
  local -a candidates
  candidates=("${(@f)$(NAME __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "${candidates[1]}" ]]; then
    compadd -- "${candidates[@]}"
  else
    _files
  fi
}
compdef _NAME NAME
`,
	"fish": `complete -c NAME -a '(NAME __complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}

func (p *Program) completionCommand() *cli.Command {
	return &cli.Command{
		Name: "completion", Usage: "print a completion script for bash, zsh or fish", ArgsUsage: "SHELL",
		Description: p.completionSetup(),
		Action: func(c *cli.Context) error {
			script, ok := completionScripts[c.Args().First()]
			if !ok || c.NArg() != 1 {
				return Usagef("want one shell: bash, zsh or fish")
			}
			_, err := fmt.Fprint(c.App.Writer, strings.ReplaceAll(script, "NAME", p.App.Name))
			return err
		},
	}
}

func (p *Program) completionSetup() string {
	return strings.ReplaceAll(`EXAMPLES
  source <(NAME completion bash)     in ~/.bashrc
  source <(NAME completion zsh)      in ~/.zshrc, behind compinit
  NAME completion fish | source      in ~/.config/fish/config.fish`, "NAME", p.App.Name)
}

func (p *Program) completeCommand() *cli.Command {
	return &cli.Command{
		Name: completeName, Hidden: true,
		Action: func(c *cli.Context) error {
			for _, candidate := range p.complete(c.Args().Slice()) {
				fmt.Fprintln(c.App.Writer, candidate)
			}
			return nil
		},
	}
}

// complete returns what the last word may become; none means a file name.
func (p *Program) complete(words []string) []string {
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
	case strings.HasPrefix(word, "-"):
		return matching(flagWords(command), word)
	case command.Name == "completion":
		return matching([]string{"bash", "fish", "zsh"}, word)
	case !line.named || command.Name == "help":
		return matching(p.commandNames(), word)
	}
	return nil
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
