package rules_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/upgrade"
)

// upgradeSamples are those of the rules about what newer versions of dsh take
// over: for each rule the first log that is refused for it, and its base.
func upgradeSamples() (all []sample) {
	for _, r := range refusalTable() {
		rule := rules.ByName(r.rule)
		known := slices.ContainsFunc(all, func(s sample) bool { return s.rule == r.rule })
		if rule.Authority != rules.Upgrade || known {
			continue
		}
		s := sample{rule: r.rule, bad: r.image(), good: base(r.base), opt: rules.Options{Readers: scan.GenerationReaders()}}
		if r.children != nil {
			s.opt.Children = childrenOf("lamp", r.children)
			s.good = bytes.ReplaceAll(s.good, []byte(`"id":"lamp"`), []byte(`"id":"lantern"`))
		}
		all = append(all, s)
	}
	return all
}

// childrenOf returns the sub-agents of one session.
func childrenOf(parent string, children []upgrade.Child) func(string) []upgrade.Child {
	return func(id string) []upgrade.Child {
		if id != parent {
			return nil
		}
		return children
	}
}

// base returns a log of testdata/generations/bases.
func base(name string) []byte {
	image, err := os.ReadFile(filepath.Join("..", "testdata", "generations", "bases", name+".jsonl"))
	if err != nil {
		panic(err)
	}
	return image
}

func nearUpgrades() map[string]nearMiss {
	like := func(name, old, text string) []byte {
		all := refusalTable()
		r := all[slices.IndexFunc(all, func(r refusal) bool { return r.name == name })]
		image := r.image()
		if !bytes.Contains(image, []byte(old)) {
			panic(name + " has no " + old)
		}
		return bytes.Replace(image, []byte(old), []byte(text), 1)
	}
	behind := func(name string, events ...string) []byte {
		r := refusal{base: name, more: events}
		return r.image()
	}
	replacement := `{"type":"user/message","seq":#,"time":1790000002000,"data":{"id":"u9","role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":{"op":"replace","start":2,"end":2},"sourceEventSeqs":[2]}`
	queued := event("agent/inbox/spliced", `"target":"next-turn","start":0,"inserted":[{"id":"i1","role":"user","content":[],"source":{"kind":"user"}}]`)
	turn3 := strings.NewReplacer(`"turn":2`, `"turn":3`)
	return map[string]nearMiss{
		"descriptor-version":   {"version 3 is the one that every upgrade takes", like("descriptor-of-version-2", `"version":2`, `"version":3`)},
		"source-kind":          {"a plugin may be the source, under any name", like("source-of-another-kind", `{"kind":"at-file-mention"}`, `{"kind":"plugin","plugin":"at-file-mention"}`)},
		"content-kind":         {"reasoning is one of the six kinds", like("content-of-another-kind", `{"type":"chart","points":3}`, `{"type":"reasoning","text":"hi"}`)},
		"type-not-upgraded":    {"in a log of v3 an unknown event may be ignorable", behind("v3", strings.Replace(event("x/y", ``), `"seq"`, `"ignorable":true,"seq"`, 1))},
		"surface-before-step":  {"what is no message may stand before the first step", base("v0-rich")},
		"surface-not-upgraded": {"the span is on the surface, and cited", behind("v2", replacement)},
		"chunk-provenance":     {"a pair of seqs stands for all between them", like("answer-cites-a-part", `[5,6,7,8]`, `[[5,9]]`)},
		"turn-boundary":        {"a turn that is started anew for the messages in the inbox needs no end", behind("v0-turn", turnStart2, queued, turn3.Replace(turnStart2), turn3.Replace(turnEnd2))},
		"unsettled-call":       {"the call has its result", behind("v2", turnStart2, stepStart2, asks, calls, plainResult(resultBlock), stepEnd2, turnEnd2)},
		"inbox-message":        {"a snapshot may have no sections, if it says so", like("snapshot-without-sections", `"form":"snapshot"`, `"form":"snapshot","sections":[]`)},
		"delivery-marker":      {"a marker of an older format says nothing, whatever its session", like("marker-of-a-newer-format", `"sessionId":"lamp","throughSeq":3,"sessionFormatVersion":3`, `"sessionId":"lantern","throughSeq":3,"sessionFormatVersion":1`)},
		"subagent-catalog":     {"the log and that of the sub-agent say the same", like("sub-agent-made-at-another-time", `"childCreatedAt":5`, `"childCreatedAt":6`)},
		"payload-members":      {"the event has exactly its members", like("member-too-many", `,"note":"x"`, ``)},
		"upgrade-refused":      {"an id of a message that only looks like one of a prompt", like("message-id-of-the-prompt", `99ff511c"`, `99ff511d"`)},
		"upgrade-loses":        {"what is left out is no complete event", append(base("v0-open"), `{"type":"todo/write","se`...)},
		"unread-subagent":      {"a log of v4 is not upgraded", []byte(laterLamp)},
	}
}
