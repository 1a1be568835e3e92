package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// shells are those that there is a completion script for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// completionScripts hand over the words up to the cursor, and let the shell
// complete file names when nothing comes back.
//
// The one for zsh may be sourced, or lie in $fpath, where its first call is a
// completion already. Windows PowerShell drops empty arguments, so the word to
// complete is part of one that is never empty.
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
if [[ "${funcstack[1]}" == _NAME ]]; then
  _NAME "$@"
else
  compdef _NAME NAME
fi
`,
	"fish": `function __NAME_complete
  set -l candidates (NAME __complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if set -q candidates[1]
    printf '%s\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c NAME -f -a '(__NAME_complete)'
`,
	"powershell": `Register-ArgumentCompleter -Native -CommandName NAME -ScriptBlock {
  param($word, $command, $cursor)
  $before = @($command.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })
  NAME __complete "--word=$word" '--' $before 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
}

const completionSetup = `EXAMPLES
  source <(NAME completion bash)     in ~/.bashrc
  source <(NAME completion zsh)      in ~/.zshrc, behind compinit
  NAME completion fish | source      in ~/.config/fish/config.fish
  NAME completion powershell | Out-String | Invoke-Expression     in $PROFILE`

func (p *Program) completionCommand() *cli.Command {
	return &cli.Command{
		Name: "completion", Usage: "print a completion script for " + orList(shells), ArgsUsage: "SHELL",
		Description: p.named(completionSetup),
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 || !slices.Contains(shells, c.Args().First()) {
				return Usagef("want one shell: %s", orList(shells))
			}
			_, err := fmt.Fprint(c.App.Writer, p.named(completionScripts[c.Args().First()]))
			return err
		},
	}
}

// named puts the name of the program into a text.
func (p *Program) named(text string) string {
	return strings.ReplaceAll(text, "NAME", p.App.Name)
}
