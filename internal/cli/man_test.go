package cli_test

import (
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/cli"
)

// awkward is a program whose texts have what man(7) source reads as something
// else.
func awkward() *cli.Program {
	p := program(io.Discard, io.Discard)
	p.App.Commands = p.App.Commands[1:2] // with flags of every kind
	p.App.Commands[0].Description = ".sh starts a line, \"quoted\"\n'it' and ~/a\\b^2 … do\n  as   is"
	return p
}

func TestManPagePrintsEveryCharacterAsItIs(t *testing.T) {
	want := `.SS "prog plan [flags] PATH..."
Show the arguments.
.PP
\&.sh starts a line, \(dqquoted\(dq
\(aqit\(aq and \(ti/a\eb\(ha2 \[u2026] do
.EX
  as   is
.EE
.TP
.B "\-\-format FORMAT"
print as FORMAT: text or json (default text)
`
	got := awkward().Man()
	_, got, _ = strings.Cut(got, ".SH \"COMMANDS\"\n")
	if diff := cmp.Diff(want, got[:min(len(got), len(want))]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestManPageSaysWhatTheHelpSays(t *testing.T) {
	page := program(io.Discard, io.Discard).Man()
	for _, text := range []string{
		"\nprog \\- test arguments\n",
		"\nprog [check] [flags] PATH...\n",
		"\n.B \"\\-\\-quiet, \\-q\"\n",
		"\n.SS \"prog completion SHELL\"\n",
		"\n.B \"4\"\nwrong command line\n",
		"\n.B \"PROG_HOME\"\nwhere it lives\n",
		"\n.B \"prog FILE\"\nshow it\n",
		"\nother(1)\n",
	} {
		if !strings.Contains(page, text) {
			t.Errorf("does not have %q:\n%s", text, page)
		}
	}
	if strings.Contains(page, "complete \\-") || strings.Contains(page, "__complete") {
		t.Error("the page has the hidden command")
	}
}

func TestGroffHasNothingToSayAboutTheManPage(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(groff, "-man", "-Tutf8", "-ww")
	cmd.Stdin = strings.NewReader(awkward().Man())
	var warnings strings.Builder
	cmd.Stderr = &warnings
	out, err := cmd.Output()
	if err != nil || warnings.String() != "" {
		t.Errorf("%v: %s", err, warnings.String())
	}
	if text := "as   is"; !strings.Contains(string(out), text) {
		t.Errorf("%q is not in\n%s", text, out)
	}
}
