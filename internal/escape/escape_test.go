package escape_test

import (
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/escape"
)

func TestLine(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain text stays", `C:\logs\session.jsonl "a"`, `C:\logs\session.jsonl "a"`},
		{"letters of any script stay", "Sitzung-ü-会話", "Sitzung-ü-会話"},
		{"line breaks do not break the line", "a\nb\r\tc", `a\nb\r\tc`},
		{"an escape sequence is shown", "\x1b[31mred", `\x1b[31mred`},
		{"a change of direction is shown", "a\u202egpj", `a\u202egpj`},
		{"a control character of Latin-1 is shown", "\u009b1m", `\u009b1m`},
		{"bytes that are no UTF-8 are shown", "caf\xe9\xff", `caf\xe9\xff`},
		{"a replacement character stays", "\ufffd", "\ufffd"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, escape.Line(tt.in)); diff != "" {
				t.Errorf("Line(%q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestUTF8KeepsControlCharacters(t *testing.T) {
	if diff := cmp.Diff("a\n\x1b\\xff\u202e", escape.UTF8("a\n\x1b\xff\u202e")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestShellArg(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"a simple path needs no quotes", "a/b-1.jsonl", "a/b-1.jsonl"},
		{"standard input stays", "-", "-"},
		{"a name like a flag gets a directory", "-x.jsonl", "./-x.jsonl"},
		{"a space is quoted", "my log", "'my log'"},
		{"a quote is quoted", "it's", `'it'\''s'`},
		{"a tilde is not expanded", "~x", "'~x'"},
		{"nothing is a word too", "", "''"},
		{"a line break is spelled out", "a\nb", `$'a\012b'`},
		{"other bytes are spelled out", "caf\xe91", `$'caf\3511'`},
	}
	bash, err := exec.LookPath("bash")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := escape.ShellArg(tt.in)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ShellArg(%q) (-want +got):\n%s", tt.in, diff)
			}
			if err != nil || tt.in == "-x.jsonl" {
				return
			}
			out, err := exec.Command(bash, "-c", "printf %s "+got).Output()
			if err != nil || string(out) != tt.in {
				t.Errorf("bash reads %s as %q, %v", got, out, err)
			}
		})
	}
}
