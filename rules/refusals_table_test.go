package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	format "github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/upgrade"
)

// refusal is a log that a newer dsh does not take over, made from a base by one
// surgery, and what it says of it.
type refusal struct {
	name       string // of its folder
	base       string // in testdata/generations/bases
	generation int64
	edit       []string // texts and what stands in their place
	more       []string // events behind the base, in which "#" stands for the seq
	children   []upgrade.Child

	rule string   // that finds it
	says []string // versions with commas between, and the words of dsh, by turns
}

const (
	edge01 = "@deepseek-ai/dsh-session-format-v0-to-v1 refuses this format v0 Session: "
	edge12 = "@deepseek-ai/dsh-session-format-v1-to-v2 refuses this format v1 Session: "
	edge23 = "@deepseek-ai/dsh-session-format-v2-to-v3 refuses this format v2 Session: "
	edge34 = "@deepseek-ai/dsh-session-format-v3-to-v4 refuses this format v3 Session: "

	after2, after3, after4 = "0.1.3,0.1.5,0.1.7", "0.1.5,0.1.7", "0.1.7"
)

// target is what dsh puts before the words about a migrated log.
func target(from, to int) string {
	return fmt.Sprintf("Session migration from v%d to v%d refuses the transformed artifact: ", from, to)
}

// Events behind a base.
const (
	turnStart2 = `{"type":"turn/start","seq":#,"time":1790000002000,"data":{"turn":2}}`
	stepStart2 = `{"type":"step/start","seq":#,"time":1790000002000,"data":{"turn":2,"step":1}}`
	stepEnd2   = `{"type":"step/end","seq":#,"time":1790000002000,"data":{"turn":2,"step":1}}`
	turnEnd2   = `{"type":"turn/end","seq":#,"time":1790000002000,"data":{"turn":2,"reason":{"kind":"completed"}}}`
	asks       = `{"type":"assistant/message","seq":#,"time":1790000002000,"data":{"turn":2,"step":1,"message":{"id":"a9","role":"assistant","content":[{"type":"tool-call","id":"c9","name":"lamp","arguments":"{}"}],"source":{"kind":"model","provider":"p","model":"m"}},"stream":[]},"surfaceOp":"append"}`
	calls      = `{"type":"tool/call","seq":#,"time":1790000002000,"data":{"turn":2,"step":1,"callId":"c9","name":"lamp","arguments":"{}"}}`
)

// plainResult is a result of the call c9 of v2 and v3.
func plainResult(content string) string {
	return `{"type":"tool/result","seq":#,"time":1790000002000,"data":{"turn":2,"step":1,"message":{"id":"r9","role":"user","source":{"kind":"tool","callId":"c9"},"content":[` + content + `]}},"surfaceOp":"append"}`
}

const resultBlock = `{"type":"tool-result","toolCallId":"c9","content":[{"type":"text","text":"on"}]}`

// refusalTable has a log for every refusal that a migration is known to give, and
// for what it leaves out without one.
func refusalTable() []refusal {
	return slices.Concat(
		descriptionRefusals(), memberRefusals(), attemptRefusals(), boundaryRefusals(), callRefusals(),
		surfaceRefusals(), catalogRefusals(), otherRefusals(), fileRefusals(),
	)
}

// image returns the log.
func (r *refusal) image() []byte {
	base, err := os.ReadFile(filepath.Join("..", "testdata", "generations", "bases", r.base+".jsonl"))
	if err != nil {
		panic(err)
	}
	text := string(base)
	for i := 0; i < len(r.edit); i += 2 {
		if !strings.Contains(text, r.edit[i]) {
			panic(r.name + ": the base has no " + r.edit[i])
		}
		text = strings.Replace(text, r.edit[i], r.edit[i+1], 1)
	}
	seq := strings.Count(text, "\n") - 1
	for i, e := range r.more {
		text += strings.Replace(e, "#", fmt.Sprint(seq+i), 1) + "\n"
	}
	return []byte(text)
}

// path returns where the log is kept.
func (r *refusal) path() string {
	name := format.LogName{Generation: r.generation}.String()
	return filepath.Join("..", "testdata", "generations", "refusals", r.name, name)
}

// options asks one version of dsh of each format.
func (r *refusal) options() rules.Options {
	return rules.Options{
		Path: filepath.Base(r.path()), Readers: scan.GenerationReaders(),
		Children: func(string) []upgrade.Child { return r.children },
	}
}
