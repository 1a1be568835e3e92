package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"
)

// action is what the tests look at in action.yml.
type action struct {
	Inputs map[string]struct {
		Description string
		Default     *string
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []step
	}
}

type step struct {
	ID, Name, Uses, Shell, Run string
	Env, With                  map[string]string
}

func readYAML(t *testing.T, name string, v any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, v); err != nil {
		t.Fatal(err)
	}
}

var expression = regexp.MustCompile(`\$\{\{ *([a-z.]+)\.([a-z_-]+) *\}\}`)

// stepsWith returns the environment of the action's check, with inputs in the
// place of the expressions, and the scripts of its steps.
func (a *action) stepsWith(t *testing.T, inputs map[string]string) (env, scripts []string) {
	t.Helper()
	for _, s := range a.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("step %q has an expression in its script", s.Name)
		}
		if s.Run != "" {
			scripts = append(scripts, s.Run)
		}
		for name, value := range s.Env {
			m := expression.FindStringSubmatch(value)
			if m == nil || m[1] != "inputs" || a.Inputs[m[2]].Default == nil {
				t.Fatalf("%s: %s is no input with a default", name, value)
			}
			value, ok := inputs[m[2]]
			if !ok {
				value = *a.Inputs[m[2]].Default
			}
			env = append(env, name+"="+value)
		}
	}
	return env, scripts
}

// TestActionChecksLogs runs the scripts of the steps as GitHub's runner does.
func TestActionChecksLogs(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	if runtime.GOOS == "windows" {
		t.Skip("bash there wants other paths")
	}
	for _, tool := range []string{"bash", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	readYAML(t, "action.yml", &a)
	temp := t.TempDir()
	_, scripts := a.stepsWith(t, nil)
	if len(scripts) != 2 || a.Runs.Using != "composite" {
		t.Fatalf("%d scripts and using %q, want 2 and composite", len(scripts), a.Runs.Using)
	}
	inFolder(t, map[string]string{
		"logs/clean.jsonl":     "ok/two-turns-with-a-tool-call.jsonl",
		"logs/two words.jsonl": "torn/cut-before-the-turn-end.jsonl",
		"gap.jsonl":            "bad/batch-missing-in-the-middle.jsonl",
	})
	bash := func(script string, env ...string) string {
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
		cmd.Env = append(os.Environ(), append(env, "GITHUB_ACTION_PATH="+root, "RUNNER_TEMP="+temp, "GITHUB_OUTPUT="+temp+"/output")...)
		out, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState.ExitCode() < 0 {
			t.Fatal(err)
		}
		return string(out)
	}
	if out := bash(scripts[0]); out != "" {
		t.Fatal(out)
	}
	tests := []struct {
		name   string
		inputs map[string]string
		code   string
		prints []string
	}{
		{"everything by default", nil, "1", []string{"::warning file=logs/two words.jsonl,", "::error file=gap.jsonl,line=19,"}},
		{"a directory without errors", map[string]string{"paths": "logs"}, "0", []string{"::warning file=logs/two words.jsonl,"}},
		{"a stricter severity", map[string]string{"paths": "logs\n", "fail-on": "warning"}, "1", nil},
		{"paths on lines", map[string]string{"paths": "logs/two words.jsonl\n\ngap.jsonl\n"}, "1", []string{"two words.jsonl", "gap.jsonl"}},
		{"a SARIF report", map[string]string{"paths": "gap.jsonl", "sarif": "a report.sarif"}, "1", nil},
		{"a path that is none", map[string]string{"paths": "$(touch owned)`touch owned`"}, "3", []string{"no such file or directory"}},
		{"a baseline that is none", map[string]string{"baseline": "gap.jsonl"}, "4", []string{"not a baseline"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			os.Remove(temp + "/output")
			env, _ := a.stepsWith(t, tt.inputs)
			out := bash(scripts[1], env...)
			if got := readFile(t, temp+"/output"); got != "exit-code="+tt.code+"\n" {
				t.Errorf("output %q, want exit code %s: %s", got, tt.code, out)
			}
			for _, text := range tt.prints {
				if !strings.Contains(out, text) {
					t.Errorf("does not print %q: %s", text, out)
				}
			}
		})
	}
	if got := gjson.Get(readFile(t, "a report.sarif"), "runs.0.results.#").Int(); got != 1 {
		t.Errorf("%d results in the SARIF report, want 1", got)
	}
	if _, err := os.Stat("owned"); err == nil {
		t.Error("a path was run")
	}
}

func TestOutputsOfTheActionAreThoseOfItsSteps(t *testing.T) {
	var a action
	readYAML(t, "action.yml", &a)
	for name, output := range a.Outputs {
		m := expression.FindStringSubmatch(output.Value)
		if m == nil || m[1] != "steps.check.outputs" || !strings.Contains(a.Runs.Steps[len(a.Runs.Steps)-1].Run, m[2]+"=") {
			t.Errorf("%s: %q is no output of a step", name, output.Value)
		}
	}
}

func TestPreCommitHookIsGivenLogs(t *testing.T) {
	var hooks []struct {
		ID, Name, Description, Language, Entry, Files string
		RequireSerial                                 bool `yaml:"require_serial"`
	}
	readYAML(t, ".pre-commit-hooks.yaml", &hooks)
	if len(hooks) != 1 || hooks[0].Language != "golang" || hooks[0].Entry != program().App.Name {
		t.Fatalf("hooks %+v", hooks)
	}
	files := regexp.MustCompile(hooks[0].Files)
	got := make(map[string]bool)
	for _, name := range []string{"session.jsonl", "a/b/session.jsonl.zstd", "data.jsonl", "my-session.jsonl", "session.jsonl.bak"} {
		got[name] = files.MatchString(name)
	}
	want := map[string]bool{
		"session.jsonl": true, "a/b/session.jsonl.zstd": true, "data.jsonl": false, "my-session.jsonl": false, "session.jsonl.bak": false,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// pre-commit runs the entry with the names of the files behind it.
	inFolder(t, map[string]string{"a/session.jsonl": "bad/batch-missing-in-the-middle.jsonl", "b/session.jsonl": "ok/two-turns-with-a-tool-call.jsonl"})
	if code, out, _ := run(t, "a/session.jsonl", "b/session.jsonl"); code != exitFindings || !strings.Contains(out, "2 logs") {
		t.Errorf("exit code %d: %s", code, out)
	}
}
