package main

import (
	"fmt"
	"slices"
	"strings"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/repair"
)

// refusal prints why a log is left alone, and what to do about it.
func (t *textWriter) refusal(name string, p *repair.Plan) {
	word := t.refused()
	if p.Verdict != "opens" && p.Verdict != "recovers" { // a verdict that dsh shares
		word = t.lang.Textf("%v (%v)", word, t.lang.Text(p.Verdict))
	}
	t.line(name, t.lang.Textf("%v: %v", word, printable(t.lang.Text(p.Reason))))
	if p.Level == repair.Choice {
		t.histories(p)
	}
	t.detail("hint", t.lang.Text(p.Next))
	t.detail("next", nextAfterRefusal(name, p))
}

// nextAfterRefusal returns the command that shows more of a log that is refused, or
// how it would be repaired with what the refusal names.
func nextAfterRefusal(name string, p *repair.Plan) string {
	opt := p.Options
	switch {
	case len(p.NeedAllow) > 0:
		opt.Allow = slices.Clone(p.Options.Allow)
		for _, r := range p.NeedAllow {
			if !slices.Contains(opt.Allow, r.Allow) {
				opt.Allow = append(opt.Allow, r.Allow)
			}
		}
	case p.Level == repair.Choice:
		opt.Branch = firstToChoose(p)
	case p.NeedLoss > 0:
		opt.AllowLoss = p.NeedLoss
	case strings.HasPrefix(name, pipedSession):
		return "turnlint " + shared.Stdin
	default:
		return "turnlint " + escape.ShellArg(name)
	}
	return commandFor("plan", name, opt)
}

// firstToChoose returns the number of the first history that dsh would open.
func firstToChoose(p *repair.Plan) int {
	i := slices.IndexFunc(p.Candidates, func(c repair.Candidate) bool { return c.Refusal == "" })
	return p.Candidates[i].Number
}

// histories prints what the user can choose from.
func (t *textWriter) histories(p *repair.Plan) {
	for _, c := range p.Candidates {
		what := t.events(c.Events)
		switch {
		case c.Refusal != "":
			what = t.lang.Text("dsh refuses it: " + c.Refusal)
		case c.ToEnd:
			what = t.lang.Textf("%v up to the end of the file", what)
		}
		t.detail(fmt.Sprintf("history %d", c.Number),
			t.lang.Textf("%v; leaves out %v, %d of a user, the model or a tool", what, t.events(c.Shadowed+c.Unreached), c.Real))
	}
}

// pipedSession begins the name of a session in a database on standard input.
const pipedSession = shared.Stdin + "#"

// commandFor returns the command of turnfix that uses the given options.
func commandFor(command, name string, opt repair.Options) string {
	if strings.HasPrefix(name, pipedSession) {
		name = shared.Stdin
	}
	words := []string{"turnfix " + command}
	if command == "apply" && name == shared.Stdin {
		words = append(words, "--output DIR")
	}
	if opt.LikeDsh {
		words = append(words, "--like-dsh")
	}
	if opt.AllowLoss > 0 {
		words = append(words, fmt.Sprintf("--allow-loss %d", opt.AllowLoss))
	}
	for _, permission := range opt.Allow {
		words = append(words, "--allow "+escape.ShellArg(string(permission)))
	}
	if opt.Branch > 0 {
		words = append(words, fmt.Sprintf("--branch %d", opt.Branch))
	}
	if opt.CWD != "" {
		words = append(words, "--cwd "+escape.ShellArg(opt.CWD))
	}
	if opt.Parent != "" {
		words = append(words, "--parent "+escape.ShellArg(opt.Parent))
	}
	for _, path := range opt.KeepCopies {
		words = append(words, "--keep-copy "+escape.ShellArg(string(path)))
	}
	if opt.Header != "" {
		words = append(words, "--header-from FILE")
	}
	return strings.Join(append(words, escape.ShellArg(name)), " ")
}
