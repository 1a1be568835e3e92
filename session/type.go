package session

import "github.com/turnlint/turnlint/internal/jsjson"

// Type identifies a known event type. The zero Type is any other type.
type Type uint8

// The types that dsh 0.1.1-rc.2 knows (docs/format.md §2.5): thirteen of the
// core, then those of its plugins.
const (
	Unknown Type = iota

	TurnStart
	TurnEnd
	StepStart
	StepEnd
	UserMessage
	AssistantChunk
	AssistantMessage
	ToolCall
	ToolResult
	TodoWrite
	RequestHeader
	RequestContext
	EndSeed

	InboxSpliced
	AgentPresetSelected
	ApprovalAsked
	ApprovalDecided
	ApprovalPolicy
	CommandRun
	CommandDone
	CompactionStart
	CompactionSummary
	CompactionPrune
	CompactionEnd
	FeedbackRecord
	GoalChange
	HookInvoked
	HookResult
	LLMRetry
	LLMRetryStarted
	PermissionPreset
	PlanMode
	SandboxMode
	ScheduleChange
	SessionTitle
	SessionTitleRequest
	SubagentDescriptor
	TeamMember
	TeamTask
	TeamMessageQueued
	TeamMessageDelivered
	CodeDispatchStart
	CodeDispatch
	WorkflowRunStart
	WorkflowAgentStart
	WorkflowAgentEnd
	WorkflowRunEnd
	SearchRequest

	numTypes
)

// The types that came with later formats (docs/generations.md §2.5). Readers of
// format v0 know none of them.
const (
	ModelSelection Type = numTypes + iota
	ModelSelectionPolicy
	DeliveryAccepted
	AssistantAttempt
	PTCDispatchStart
	PTCDispatch
	FeedbackPut
	FeedbackDelete
	SystemMessage
	DeliverablesPresented
	SubagentCatalog
	ImageOffload
	WorkspaceChanges
	DeveloperMessage

	numLaterTypes
)

var typeNames = [numLaterTypes]string{
	TurnStart:            "turn/start",
	TurnEnd:              "turn/end",
	StepStart:            "step/start",
	StepEnd:              "step/end",
	UserMessage:          "user/message",
	AssistantChunk:       "assistant/chunk",
	AssistantMessage:     "assistant/message",
	ToolCall:             "tool/call",
	ToolResult:           "tool/result",
	TodoWrite:            "todo/write",
	RequestHeader:        "request/header",
	RequestContext:       "request/context",
	EndSeed:              "session/end-seed",
	InboxSpliced:         "agent/inbox/spliced",
	AgentPresetSelected:  "agent-preset/selected",
	ApprovalAsked:        "approval/asked",
	ApprovalDecided:      "approval/decided",
	ApprovalPolicy:       "approval/policy",
	CommandRun:           "command/run",
	CommandDone:          "command/done",
	CompactionStart:      "compaction/start",
	CompactionSummary:    "compaction/summary",
	CompactionPrune:      "compaction/prune",
	CompactionEnd:        "compaction/end",
	FeedbackRecord:       "feedback/record",
	GoalChange:           "goal/change",
	HookInvoked:          "hook/invoked",
	HookResult:           "hook/result",
	LLMRetry:             "llm/retry",
	LLMRetryStarted:      "llm/retry-started",
	PermissionPreset:     "permission/preset",
	PlanMode:             "plan/mode",
	SandboxMode:          "sandbox/mode",
	ScheduleChange:       "schedule/change",
	SessionTitle:         "session/title",
	SessionTitleRequest:  "session/title-llm-request",
	SubagentDescriptor:   "subagent/descriptor",
	TeamMember:           "team/member",
	TeamTask:             "team/task",
	TeamMessageQueued:    "team/message/queued",
	TeamMessageDelivered: "team/message/delivered",
	CodeDispatchStart:    "tool/code-dispatch-start",
	CodeDispatch:         "tool/code-dispatch",
	WorkflowRunStart:     "tool-workflow/run-start",
	WorkflowAgentStart:   "tool-workflow/agent-start",
	WorkflowAgentEnd:     "tool-workflow/agent-end",
	WorkflowRunEnd:       "tool-workflow/run-end",
	SearchRequest:        "web/deepseek-search-llm-request",

	ModelSelection:        "model/selection",
	ModelSelectionPolicy:  "subagent/model-selection-policy",
	DeliveryAccepted:      "session-log-deepseek/delivery-accepted",
	AssistantAttempt:      "assistant/attempt",
	PTCDispatchStart:      "tool/ptc-dispatch-start",
	PTCDispatch:           "tool/ptc-dispatch",
	FeedbackPut:           "feedback/message-put",
	FeedbackDelete:        "feedback/message-delete",
	SystemMessage:         "system/message",
	DeliverablesPresented: "deliverables/presented",
	SubagentCatalog:       "subagent/catalog",
	ImageOffload:          "image/offload",
	WorkspaceChanges:      "workspace/changes",
	DeveloperMessage:      "developer/message",
}

var typesByName = func() map[string]Type {
	m := make(map[string]Type, numLaterTypes)
	for t := TurnStart; t < numLaterTypes; t++ {
		m[typeNames[t]] = t
	}
	return m
}()

// oldest and newest bound the formats whose readers know the type
// (docs/generations.md §2.5).
func (t Type) oldest() int64 {
	switch {
	case t == DeveloperMessage:
		return 4
	case t >= PTCDispatchStart:
		return 3
	case t >= ModelSelection:
		return 2
	}
	return 0
}

func (t Type) newest() int64 {
	switch t {
	case AssistantChunk:
		return 1
	case CodeDispatchStart, CodeDispatch:
		return 2
	}
	return Newest
}

// In returns the type for readers of a generation: [Unknown] when they do not
// know it.
func (t Type) In(generation int64) Type {
	if generation < t.oldest() || generation > t.newest() {
		return Unknown
	}
	return t
}

// String returns the name of a known type, and "" for [Unknown].
func (t Type) String() string { return typeNames[t] }

// Types returns every known type in the order of docs/format.md §2.5.
func Types() []Type {
	all := make([]Type, 0, numTypes-1)
	for t := TurnStart; t < numTypes; t++ {
		all = append(all, t)
	}
	return all
}

// Surface reports whether events of the type join the model's history and so
// carry surface metadata (docs/format.md §2.3).
func (t Type) Surface() bool {
	switch t {
	case UserMessage, AssistantMessage, ToolResult, SystemMessage, DeveloperMessage:
		return true
	}
	return false
}

// TypeOf returns the type known to readers of format v0 that a JSON string names,
// and [Unknown] for any other value.
func TypeOf(v jsjson.Value) Type { return AnyTypeOf(v).In(0) }

// AnyTypeOf returns the type of any format that a JSON string names, and
// [Unknown] for any other value.
func AnyTypeOf(v jsjson.Value) Type {
	if v.Kind != jsjson.String {
		return Unknown
	}
	if t, ok := typesByName[string(v.Raw()[1:len(v.Raw())-1])]; ok {
		return t
	}
	for i := range v.Raw() {
		if v.Raw()[i] == '\\' { // an escaped spelling of a known name
			return typesByName[v.Text()]
		}
	}
	return Unknown
}
