package cli_test

import (
	"os/exec"
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
		{"shells", []string{"completion", ""}, "bash fish zsh"},
		{"commands that help explains", []string{"help", "e"}, "end"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := run(t.Context(), append([]string{"__complete", "--"}, tt.words...)...)
			if code != 0 || stderr != "" {
				t.Errorf("exit code %d, stderr %q", code, stderr)
			}
			if diff := cmp.Diff(tt.want, strings.Join(strings.Fields(stdout), " ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestBashReadsTheCompletionScript(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	_, script, _ := run(t.Context(), "completion", "bash")
	const stub = `prog() { printf '[%s]\n' "$@"; }
COMP_WORDS=(prog plan --format ''); COMP_CWORD=3; _prog; printf '<%s>' "${COMPREPLY[@]}"`
	out, err := exec.Command(bash, "-c", script+stub).CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("<[__complete]><[--]><[plan]><[--format]><[]>", string(out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCompletionWantsAShell(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		code, stdout, _ := run(t.Context(), "completion", shell)
		if code != 0 || !strings.Contains(stdout, "prog __complete --") {
			t.Errorf("%s: exit code %d, script %q", shell, code, stdout)
		}
	}
	if code, _, _ := run(t.Context(), "completion", "tcsh"); code != usage {
		t.Errorf("tcsh: exit code %d, want %d", code, usage)
	}
}
