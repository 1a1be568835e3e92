package rules

import "github.com/turnlint/turnlint/session"

// namedShapes are parts that several types share (docs/format.md §2.6). Sources
// and blocks are open sets.
var namedShapes = []struct{ name, text string }{
	{"$source", `{kind: user, rpcId?: string | number, clientTimeZone?: string}
		| {kind: plugin, plugin?: string, form?: string, summary?: string, sections?: [{name: string, text: string}]}
		| {kind: model, provider: string, model: string}
		| {kind: tool, callId: string}
		| {kind: goal, goalId: string, revision: number, round: number}
		| {kind: subagent-report, senderSessionId: string}
		| {kind: subagent-settled, summary: string, senderSessionId: string}
		| {kind: team-message, teamId: string, messageId: string, senderId: string, senderName: string}
		| ...`},
	{"$block", `{type: text | reasoning, text: string}
		| {type: image, attachment: {attachmentId: string, mediaType: string, bytes: number, width: number, height: number, name?: string}}
		| {type: tool-call, id: string, name: string, arguments: string}
		| {type: tool-result, toolCallId: string, content: [{}], isError?: bool}
		| ...`},
	{"$usage", `{inputTokens: number, outputTokens: number, cacheReadTokens?: number, cacheWriteTokens?: number, reasoningTokens?: number}`},
	{"$failure", `{message: string, code: string, status?: number, providerRetryAfterMs?: number, requestId?: string}`},
	{"$userMessage", `{role: user, id: string, content: [$block], source: $source}`},
	{"$dispatch", `{rootCallId?: string, parentCallId: string, subCallId: string, name: string, arguments: any}`},
	{"$range", `{start: int, end: int}`},
}

// eventShapes has the data of every known type, as today's dsh writes it; events
// in the shape of an earlier build are looked at after their migration. What
// dsh checks itself at load is left out where it would only be said twice.
var eventShapes = [256]string{
	session.TurnStart: `{turn: int}`,
	session.TurnEnd: `{turn: int, reason:
		{kind: completed | blocked | max-tokens | interrupted}
		| {kind: aborted, reason: string | {kind: user | parent | disposed | legacy} | {kind: hook, reason: string}}
		| {kind: error, error: $failure}
		| {kind: rejected, reason: string}}`,
	session.StepStart: `{turn: int, step: int}`,
	session.StepEnd:   `{turn: int, step: int}`,

	session.UserMessage: `{content: [$block], source: $source}`,
	session.AssistantChunk: `{turn: int, step: int, chunk:
		{type: block-start, index: number, blockType: string}
		| {type: text-delta | reasoning-delta, index: number, text: string}
		| {type: tool-call-delta, index: number, id: string, name?: string, argumentsDelta: string}
		| {type: block-end, index: number, block?: $block}
		| {type: usage, usage: $usage}
		| {type: finish, reason: {kind: stop | tool-calls | max-tokens} | {kind: aborted | error, failure: $failure} | ...}}`,
	session.AssistantMessage: `{turn: int, step: int, message: {content: [$block]}, usage?: $usage, interrupted?: true}`,
	session.ToolCall:         `{turn: int, step: int, callId: string, name: string, arguments: string}`,
	session.ToolResult: `{turn: int, step: int, message: {content: [{type: tool-result, content: [$block], isError?: bool}]},
		error?: {name: string, code: string}}`,

	session.TodoWrite:      `{todos: [{content: string, status: pending | in_progress | completed}]}`,
	session.RequestHeader:  `{header: {system?: string, tools?: [string | {name: string, description: string, parameters: {}}], config: {temperature?: number, maxTokens?: number, stop?: [string]}}, reason: initial | resume | change}`,
	session.RequestContext: `{provider: string, model: string, contextWindow?: number}`,
	session.EndSeed:        `{}`,

	session.InboxSpliced: `{target: next-turn | next-step, start: int, removedCount?: int, inserted: [$userMessage], outcome?: canceled}`,

	session.AgentPresetSelected: `{agentPreset: string}`,
	session.ApprovalAsked:       `{id: string, toolName: string, callId?: string, reason?: string}`,
	session.ApprovalDecided:     `{id: string, outcome: allowed-once | rejected | cancelled | unavailable}`,
	session.ApprovalPolicy:      `{policy: ask | never, source?: delegation}`,
	session.CommandRun:          `{commandId: string, name: string, args?: string, source: {kind: user}}`,
	session.CommandDone:         `{commandId: string, kind: success | error, text?: string, sourceEventSeq?: int}`,

	session.CompactionStart: `{compactionId: string, sourceCommandId?: string, turn: number | null}`,
	session.CompactionSummary: `{compactionId: string, sourceCommandId?: string, summary: [$block], shadowedRange: $range, shadowedSeqs: [int],
		shadowedTokenCount: number, provider: string, model: string, maxTokens?: number, usage?: $usage, rawOutput?: any, llmStreamCall?: true}`,
	session.CompactionPrune: `{shadowedRange: $range, shadowedSeqs: [int], shadowedTokenCount: number}`,
	session.CompactionEnd:   `{compactionId: string, sourceCommandId?: string, turn: number | null, error?: any}`,

	session.FeedbackRecord: `{text: string}`,
	session.GoalChange: `{operation: create | edit | pause | resume | complete | block, kind: goal/change, version: 1, goal: {
			id: string, revision: int, objective: string, phase: active | paused | blocked | complete,
			blockedReason?: {code: string, message: string}, maxGoalRounds: int},
			roundsStarted: int, createdAt: number, updatedAt: number}
		| {operation: clear, kind: goal/change, version: 1, cleared: {id: string, revision: int}, clearedAt: number}`,
	session.HookInvoked:     `{turn: int, point: string, dialect: claude-code | codex, matcher?: string, handlerId: string}`,
	session.HookResult:      `{turn: int, point: string, handlerId: string, decision: string, exitCode?: number, stderrSummary?: string, durationMs: number}`,
	session.LLMRetry:        `{retryId: string, turn: int, step: int, provider: string, mode: normal | always, policyKey: string, retry: int, maxRetries?: int, delayMs: number, failure: $failure}`,
	session.LLMRetryStarted: `{retryId: string, turn: int, step: int, retry: int}`,

	session.PermissionPreset: `{preset: string}`,
	session.PlanMode:         `{active: bool}`,
	session.SandboxMode:      `{mode: read-only | workspace-write | danger-full-access, source?: delegation}`,
	session.ScheduleChange: `{operation: create, version: 1, schedule:
			{id: string, kind: after | at | every, prompt: string, afterSeconds?: number, everySeconds?: number, scheduledAt: any}}
		| {operation: delete, version: 1, id: string}
		| {operation: dispatch, version: 1, id: string, acceptedAt?: any}`,
	session.SessionTitle: `{title: string, messageSeqs: [int], source:
		{kind: fallback} | {kind: provider, provider: string, model?: {provider: string, model: string}} | {kind: user}}`,
	session.SessionTitleRequest: `{titleProvider: string, messageSeqs: [int], route: {provider: string, model: string},
		system: string, messages: [{role: string, content: [$block]}], maxTokens: number}`,
	session.SubagentDescriptor: `{version: int, mode: one-shot | continuable, provider: string, label?: string,
		agentProvider?: string, agentModel?: string, persona?: any, toolFilter?: any}`,

	session.TeamMember:           `{version: 1, teamId: string, member: {id: string, name: string}}`,
	session.TeamTask:             `{version: 1, teamId: string, task: {id: string, subject: string, status: string}}`,
	session.TeamMessageQueued:    `{version: 1, teamId: string, message: {id: string}}`,
	session.TeamMessageDelivered: `{version: 1, teamId: string, messageId: string, targetId: string}`,

	session.CodeDispatchStart: `$dispatch`,
	session.CodeDispatch:      `{rootCallId?: string, parentCallId: string, subCallId: string, name: string, arguments: any, isError: bool, content: [$block]}`,

	session.WorkflowRunStart:   `{runId: string, name: string}`,
	session.WorkflowAgentStart: `{runId: string, seq: int, label: string, phase?: string, childId: string}`,
	session.WorkflowAgentEnd:   `{runId: string, seq: int, outcome: completed | failed | cancelled}`,
	session.WorkflowRunEnd:     `{runId: string, stopReason: completed | cancelled | error}`,
	session.SearchRequest:      `{endpoint: string, apiVersion: any, body: any}`,
}

// shapes has the shape of every known type.
var shapes = func() (all [256]*shape) {
	named := make(map[string]*shape)
	for _, s := range namedShapes {
		named[s.name] = parseShape(s.text, named)
	}
	for kind, text := range eventShapes {
		if text != "" {
			all[kind] = parseShape(text, named)
		}
	}
	return all
}()
