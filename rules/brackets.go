package rules

import (
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// bracketKind is a family of ids that events of a plugin open and refer to.
type bracketKind uint8

const (
	approvals bracketKind = iota
	commands
	hooks
	retries
	dispatches
	workflows
	agents
	goals
	schedules
	teamMessages
	numBracketKinds
)

// role is what an event does to the id that it names.
type role uint8

const (
	opens     role = iota // the id must not be open already
	opensMore             // several may be open at once
	refers                // the id must be known, and stays so
	closes                // the id must be open, and is so no more
	mayClose              // the same, but earlier builds wrote no opening event
)

// pairing is one thing that events of a type do. The members of data that name
// the id are paths, such as "schedule.id".
type pairing struct {
	kind bracketKind
	role role
	id   []string
	when string // data.operation, "" for any
}

// pairings has what plugins of dsh ask of their own events, as far as a log
// shows it (docs/format.md §6.5).
var pairings = [256][]pairing{
	session.ApprovalAsked:        {{kind: approvals, role: opens, id: []string{"id"}}},
	session.ApprovalDecided:      {{kind: approvals, role: closes, id: []string{"id"}}},
	session.CommandRun:           {{kind: commands, role: opens, id: []string{"commandId"}}},
	session.CommandDone:          {{kind: commands, role: refers, id: []string{"commandId"}}},
	session.HookInvoked:          {{kind: hooks, role: opensMore, id: []string{"turn", "point", "handlerId"}}},
	session.HookResult:           {{kind: hooks, role: closes, id: []string{"turn", "point", "handlerId"}}},
	session.LLMRetry:             {{kind: retries, role: opens, id: []string{"retryId", "retry"}}},
	session.LLMRetryStarted:      {{kind: retries, role: closes, id: []string{"retryId", "retry"}}},
	session.CodeDispatchStart:    {{kind: dispatches, role: opens, id: []string{"subCallId"}}},
	session.CodeDispatch:         {{kind: dispatches, role: mayClose, id: []string{"subCallId"}}},
	session.WorkflowRunStart:     {{kind: workflows, role: opens, id: []string{"runId"}}},
	session.WorkflowAgentStart:   {{kind: workflows, role: refers, id: []string{"runId"}}, {kind: agents, role: opens, id: []string{"runId", "seq"}}},
	session.WorkflowAgentEnd:     {{kind: agents, role: closes, id: []string{"runId", "seq"}}},
	session.WorkflowRunEnd:       {{kind: workflows, role: closes, id: []string{"runId"}}},
	session.TeamMessageQueued:    {{kind: teamMessages, role: opens, id: []string{"teamId", "message.id"}}},
	session.TeamMessageDelivered: {{kind: teamMessages, role: refers, id: []string{"teamId", "messageId"}}},
	session.GoalChange: {
		{kind: goals, role: opens, id: []string{"goal.id"}, when: "create"},
		{kind: goals, role: refers, id: []string{"goal.id"}, when: "edit"},
		{kind: goals, role: refers, id: []string{"goal.id"}, when: "pause"},
		{kind: goals, role: refers, id: []string{"goal.id"}, when: "resume"},
		{kind: goals, role: refers, id: []string{"goal.id"}, when: "complete"},
		{kind: goals, role: refers, id: []string{"goal.id"}, when: "block"},
		{kind: goals, role: refers, id: []string{"cleared.id"}, when: "clear"},
	},
	session.ScheduleChange: {
		{kind: schedules, role: opens, id: []string{"schedule.id"}, when: "create"},
		{kind: schedules, role: refers, id: []string{"id"}, when: "delete"},
		{kind: schedules, role: refers, id: []string{"id"}, when: "dispatch"},
	},
}

// pairedTypes returns the types that have pairings.
func pairedTypes() (types []session.Type) {
	for kind := range pairings {
		if pairings[kind] != nil {
			types = append(types, session.Type(kind))
		}
	}
	return types
}

// ofTurn are the kinds that live within one turn.
var ofTurn = [...]bracketKind{hooks, retries, dispatches}

// openers names the event that opens an id of a kind.
var openers = [numBracketKinds]session.Type{
	approvals: session.ApprovalAsked, commands: session.CommandRun, hooks: session.HookInvoked,
	retries: session.LLMRetry, dispatches: session.CodeDispatchStart, workflows: session.WorkflowRunStart,
	agents: session.WorkflowAgentStart, goals: session.GoalChange, schedules: session.ScheduleChange,
	teamMessages: session.TeamMessageQueued,
}

// maxOpen bounds the ids of one kind that are followed. With more, the kind is
// not judged any further.
const maxOpen = 1024

// opened is an id that an event opened.
type opened struct {
	id    jsjson.Digest
	place scan.Place
	seq   int64
	dead  bool // by a session/end-seed: it may be opened again
}

// brackets follows the ids that events of plugins open and close.
type brackets struct {
	open [numBracketKinds][]opened
	full [numBracketKinds]bool // not judged any further
	// lost says that events are missing, so that an unknown id proves nothing.
	lost bool
	now  []mispairing // of the current event
	key  []byte       // for the composition of an id
}

// mispairing is an event that does not fit the ids that are open.
type mispairing struct {
	kind   bracketKind
	id     string // for messages
	first  scan.Place
	opened bool // the id is open already, else it is unknown
}

// event takes an event and finds what does not fit.
func (b *brackets) event(r *scan.Record, e *session.Event) {
	b.now = b.now[:0]
	if e.Kind == session.EndSeed {
		b.bury()
		return
	}
	for _, p := range pairings[e.Kind] {
		if p.when == "" || e.Field("operation").EqualText(p.when) {
			b.pair(r, e, &p)
		}
	}
}

func (b *brackets) pair(r *scan.Record, e *session.Event, p *pairing) {
	name, ok := b.name(e, p)
	if !ok || b.full[p.kind] {
		return
	}
	id := jsjson.NewValue(jsjson.Array, b.key).Digest()
	i := b.find(p.kind, id)
	known := i >= 0
	switch {
	case p.role == opens || p.role == opensMore:
		if known && p.role == opens && !b.open[p.kind][i].dead {
			b.now = append(b.now, mispairing{p.kind, name, b.open[p.kind][i].place, true})
			return
		}
		b.add(r, p.kind, id)
	case known && p.role != refers:
		b.open[p.kind] = append(b.open[p.kind][:i], b.open[p.kind][i+1:]...)
	case !known && p.role != mayClose && !b.lost:
		b.now = append(b.now, mispairing{kind: p.kind, id: name})
	}
}

// name composes the id of an event in b.key, and returns it for messages. Where
// a part of it is missing, there is none.
func (b *brackets) name(e *session.Event, p *pairing) (name string, ok bool) {
	b.key = append(b.key[:0], '[')
	for i, path := range p.id {
		key, inner, nested := strings.Cut(path, ".")
		v := e.Field(key)
		if nested {
			v = v.Get(inner)
		}
		if v.Kind != jsjson.String && v.Kind != jsjson.Number {
			return "", false
		}
		if i > 0 {
			b.key, name = append(b.key, ','), name+" "
		}
		b.key, name = append(b.key, v.Raw()...), name+v.JSString()
	}
	b.key = append(b.key, ']')
	return name, true
}

func (b *brackets) add(r *scan.Record, kind bracketKind, id jsjson.Digest) {
	if len(b.open[kind]) == maxOpen {
		b.open[kind], b.full[kind] = nil, true
		return
	}
	seq, _ := r.Seq()
	b.open[kind] = append(b.open[kind], opened{id: id, place: r.Place, seq: seq})
}

// find returns the index of the last opening of an id, or -1.
func (b *brackets) find(kind bracketKind, id jsjson.Digest) int {
	for i := len(b.open[kind]) - 1; i >= 0; i-- {
		if b.open[kind][i].id == id {
			return i
		}
	}
	return -1
}

// bury notes that the session was built anew, which kills all brackets that are
// open (docs/format.md §5.3).
func (b *brackets) bury() {
	for kind := range b.open {
		for i := range b.open[kind] {
			b.open[kind][i].dead = true
		}
	}
}

// endTurn forgets the kinds that live within one turn.
func (b *brackets) endTurn() {
	for _, kind := range ofTurn {
		b.open[kind] = b.open[kind][:0]
	}
}

// drift notes that events may be missing.
func (b *brackets) drift() {
	b.lost = true
	for kind := range b.open {
		b.open[kind] = b.open[kind][:0]
	}
}
