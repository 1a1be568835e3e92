package cli_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestComplete(t *testing.T) {
	tests := []struct {
		name  string
		words []string
		want  string
	}{
		{"commands come first", []string{""}, "check plan end help completion"},
		{"a command from its start", []string{"pl"}, "plan"},
		{"flags of the default command", []string{"a", "--f"}, "--format"},
		{"flags of a command", []string{"plan", "--"}, "--format --help --max --output --quiet --version"},
		{"values of a flag", []string{"plan", "--format", ""}, "text json"},
		{"a value from its start", []string{"--format", "j"}, "json"},
		{"values of a flag that takes several", []string{"end", "--some", ""}, "red green blue"},
		{"a flag with free values takes a file", []string{"--output", ""}, ""},
		{"a path behind a command", []string{"plan", ""}, ""},
		{"a path behind two dashes", []string{"--", "pl"}, ""},
		{"shells", []string{"completion", ""}, "bash zsh fish powershell"},
		{"words of a command that takes no paths", []string{"end", "c"}, "cancelled"},
		{"a value behind its flag", []string{"plan", "--format=j"}, "--format=json"},
		{"a value behind its flag, as bash has it", []string{"plan", "--format", "=", "j"}, "json"},
		{"no value behind its flag yet, as bash has it", []string{"plan", "--format", "="}, "text json"},
		{"a flag behind a flag with a value, as bash has it", []string{"--format", "=", "json", "plan", "--f"}, "--format"},
		{"a file behind its flag", []string{"plan", "--output=x"}, ""},
		{"commands that help explains", []string{"help", "e"}, "end"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := run(t.Context(), slices.Concat([]string{"__complete", "--"}, tt.words)...)
			if code != 0 || stderr != "" {
				t.Errorf("exit code %d, stderr %q", code, stderr)
			}
			if diff := cmp.Diff(tt.want, strings.Join(strings.Fields(stdout), " ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheWordToCompleteCanBeAFlagsValue(t *testing.T) {
	for word, want := range map[string]string{"": "text\njson\n", "j": "json\n"} {
		code, stdout, stderr := run(t.Context(), "__complete", "--word="+word, "--", "plan", "--format")
		if code != 0 || stdout != want || stderr != "" {
			t.Errorf("%q: exit code %d, stdout %q, want %q, stderr %q", word, code, stdout, want, stderr)
		}
	}
}

// TestShellsHandOverTheWords runs the completion scripts with the program, and
// what only the line editor of a shell has, replaced by functions that print
// what they are given.
func TestShellsHandOverTheWords(t *testing.T) {
	const echo = `prog() { printf '[%s]\n' "$@"; }; `
	tests := []struct{ shell, before, behind, want string }{
		{
			"bash", echo,
			`COMP_WORDS=(prog plan --format ''); COMP_CWORD=3; _prog; printf '<%s>' "${COMPREPLY[@]}"`,
			"<[__complete]><[--]><[plan]><[--format]><[]>",
		},
		{
			"zsh", echo + `compdef() { :; }; compadd() { shift; printf '<%s>' "$@"; }; `,
			`words=(prog plan --format '' behind); CURRENT=4; _prog`,
			"<[__complete]><[--]><[plan]><[--format]><[]>",
		},
		{
			"zsh", `compdef() { :; }; prog() { :; }; _files() { printf files; }; `,
			`words=(prog plan ''); CURRENT=3; _prog`,
			"files",
		},
		{
			"fish", "function prog; printf '<%s>\n' (string join + -- $argv); end; ",
			`complete -C "prog plan --format "`,
			"<__complete+--+plan+--format+>\n",
		},
		{"fish", "function prog; end; ", `complete -C "prog plan complete_t"`, "complete_test.go\n"},
	}
	for _, tt := range tests {
		t.Run(tt.shell, func(t *testing.T) {
			shell, err := exec.LookPath(tt.shell)
			if err != nil {
				t.Skip(err)
			}
			_, script, _ := run(t.Context(), "completion", tt.shell)
			out, err := exec.Command(shell, "-c", tt.before+"\n"+script+tt.behind).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if diff := cmp.Diff(tt.want, string(out)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCompletionWantsAShell(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		code, stdout, _ := run(t.Context(), "completion", shell)
		if code != 0 || !strings.Contains(stdout, "prog __complete ") {
			t.Errorf("%s: exit code %d, script %q", shell, code, stdout)
		}
	}
	for _, args := range [][]string{{"completion"}, {"completion", "tcsh"}, {"completion", "bash", "zsh"}} {
		if code, _, _ := run(t.Context(), args...); code != usage {
			t.Errorf("%q: exit code %d, want %d", args, code, usage)
		}
	}
}
