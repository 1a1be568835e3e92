package session

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// admitV4 is the admission of rows of format v4: no syntax of v3, and developer
// messages, system messages and results of the right shape. With owned, every
// message has to say who produced it.
func admitV4(e *Event, owned bool) *RowFault {
	if dispatchGone(e) {
		return &RowFault{Text: "format v4 rejects retired event type " + e.Type.Text(), Unsupported: true, Retired: true}
	}
	if !e.IsRecord() {
		return nil
	}
	kind := AnyTypeOf(e.Type)
	if fault := developerFault(e, kind); fault != nil {
		return fault
	}
	if fault := sourcesOwned(e, kind, owned); fault != nil {
		return fault
	}
	switch kind {
	case RequestHeader:
		return headerFaultV4(e)
	case SystemMessage:
		return systemFaultV4(e)
	case ToolResult:
		return resultFaultV4(e)
	case UserMessage, AssistantMessage, DeveloperMessage:
		if wrapped(e.Message().Content) {
			return wrapperGone(e)
		}
	}
	return wrapperElsewhere(e, kind)
}

// wrapped reports whether blocks of content have one of the wrappers that v3 had
// around results.
func wrapped(content jsjson.Value) bool {
	for block := range content.Elements() {
		if block.Get("type").EqualText("tool-result") {
			return true
		}
	}
	return false
}

func wrapperGone(e *Event) *RowFault {
	return gone("format v4 %s at seq %s content must not contain a released tool-result wrapper", e.Type.Text(), printed(e.Seq))
}

// wrapperElsewhere looks for wrappers outside messages.
func wrapperElsewhere(e *Event, kind Type) *RowFault {
	found := false
	switch kind {
	case PTCDispatch:
		found = wrapped(e.Field("content"))
	case CompactionSummary:
		found = wrapped(e.Field("summary")) || wrapped(e.Field("rawOutput"))
	case AssistantMessage, AssistantAttempt:
		for record := range e.Field("stream").Elements() {
			chunk := record.Get("chunk")
			found = found || chunk.Get("blockType").EqualText("tool-result") || chunk.Get("block").Get("type").EqualText("tool-result")
		}
	}
	if found {
		return wrapperGone(e)
	}
	return nil
}

// sourcesOwned checks the sources of the messages in a row.
func sourcesOwned(e *Event, kind Type, owned bool) *RowFault {
	switch kind {
	case UserMessage, AssistantMessage, ToolResult, SystemMessage:
		return sourceOwned(e.Message().Value, owned)
	case InboxSpliced:
		return eachOwned(e.Field("inserted"), owned)
	case SessionTitleRequest:
		return eachOwned(e.Field("messages"), owned)
	}
	return nil
}

func eachOwned(messages jsjson.Value, owned bool) *RowFault {
	for message := range messages.Elements() {
		if fault := sourceOwned(message, owned); fault != nil {
			return fault
		}
	}
	return nil
}

func sourceOwned(message jsjson.Value, owned bool) *RowFault {
	source := message.Get("source").Get("kind")
	retired := source.EqualText("plugin")
	if message.Kind == jsjson.Object && (retired || owned && !source.NonEmptyString()) {
		return &RowFault{Text: "format v4 message requires a producer-owned source kind", Retired: retired}
	}
	return nil
}

func headerFaultV4(e *Event) *RowFault {
	header := e.Field("header")
	switch {
	case header.Kind != jsjson.Object:
		return malformed("format v4 request/header requires data and header objects")
	case header.Has("system"):
		return gone("format v4 request/header rejects retired header.system")
	}
	for tool := range header.Get("tools").Elements() {
		if deferred := tool.Get("deferLoading"); deferred.Exists() && deferred.Kind != jsjson.True {
			return malformed("format v4 tool deferLoading must be true when present")
		}
	}
	return nil
}

func systemFaultV4(e *Event) *RowFault {
	if e.Data.Kind != jsjson.Object {
		return malformed("format v4 system/message data requires an object")
	}
	for _, key := range []string{"turn", "step"} {
		if fault := natural(e.Field(key), "system/message "+key, "format v4 system/message "+key); fault != "" {
			return &RowFault{Text: fault}
		}
	}
	switch {
	case e.Message().Kind != jsjson.Object:
		return malformed("format v4 system message requires an object")
	case !e.Message().ID.NonEmptyString():
		return malformed("format v4 system message id requires a string with content")
	case !e.Message().Role.EqualText("system"):
		return malformed("format v4 system message requires system role")
	case e.Message().Content.Kind != jsjson.Array:
		return malformed("format v4 system message requires content array")
	}
	for block := range e.Message().Content.Elements() {
		if fault := systemBlockFault(block); fault != nil {
			return fault
		}
	}
	return nil
}

func systemBlockFault(block jsjson.Value) *RowFault {
	kind := block.Get("type")
	switch {
	case block.Kind != jsjson.Object:
		return malformed("format v4 system content block requires an object")
	case kind.EqualText("tool-result"):
		return gone("format v4 system content rejects retired tool-result wrappers")
	case kind.EqualText("text") && block.Get("text").Kind != jsjson.String:
		return malformed("format v4 system content text requires a string")
	case kind.EqualText("image"):
		media := block.Get("attachment").Get("mediaType")
		if media.Kind != jsjson.String || !oneOf(media, imageTypes) {
			return malformed("format v4 system image requires a supported mediaType")
		}
	}
	return nil
}

// developerFault checks developer messages, and that nothing else pretends to be one.
func developerFault(e *Event, kind Type) *RowFault {
	if kind != DeveloperMessage {
		if kind.Surface() && e.Message().Role.EqualText("developer") {
			return malformed("format v4 developer/message and developer role must occur together")
		}
		return nil
	}
	source := e.Message().SourceKind
	switch {
	case e.Data.Kind != jsjson.Object:
		return malformed("format v4 developer/message data must be an object")
	case !e.Turn().Exists() || !e.Step().Exists() || e.Message().Kind != jsjson.Object:
		return malformed("format v4 developer/message requires turn, step, and a developer message")
	case !e.Message().ID.NonEmptyString(), !e.Message().Role.EqualText("developer"),
		e.Message().Content.Kind != jsjson.Array, !source.NonEmptyString(), source.EqualText("plugin"):
		return malformed("format v4 developer message requires id, role, content, and a producer-owned source")
	}
	for _, key := range []string{"turn", "step"} {
		if fault := natural(e.Field(key), "developer/message "+key, "developer/message "+key); fault != "" {
			return &RowFault{Text: fault}
		}
	}
	return toolChangeFault(e)
}

// toolChangeFault checks the tools that a developer message adds and removes.
func toolChangeFault(e *Event) *RowFault {
	adds := false
	for block := range e.Message().Content.Elements() {
		kind := block.Get("type")
		addition := kind.EqualText("tool-addition")
		adds = adds || addition
		if !addition && !kind.EqualText("tool-removal") {
			continue
		}
		if !block.Get("toolName").NonEmptyString() {
			return malformed("format v4 %s requires a nonempty toolName", kind.Text())
		}
		if block.Has("tool") {
			return malformed("format v4 %s must omit inline tool definitions", kind.Text())
		}
	}
	if !adds {
		return nil
	}
	if n, ok := e.Field("headerSeq").SafeInt(); !ok || n < 0 {
		return malformed("developer/message headerSeq must be a non-negative safe integer")
	}
	return nil
}

func resultFaultV4(e *Event) *RowFault {
	fault := func(text string) *RowFault {
		return malformed("format v4 tool/result at seq %s %s", printed(e.Seq), text)
	}
	source, call := e.Message().Source, e.Message().Get("toolCallId")
	failed := e.Message().Get("isError")
	switch {
	case e.Message().Kind != jsjson.Object:
		return fault("message must be an object")
	case !e.Message().Role.EqualText("tool"):
		f := fault("requires a tool-role message")
		f.Retired = e.Message().Role.EqualText("user")
		return f
	case !e.Message().ID.NonEmptyString():
		return fault("requires a first-class message with a string id")
	case !source.Get("kind").EqualText("tool"), !call.NonEmptyString(), !jsjson.StrictEqual(call, source.Get("callId")):
		return fault("requires toolCallId matching its tool source")
	case e.Message().Content.Kind != jsjson.Array:
		return fault("requires array content")
	case wrapped(e.Message().Content):
		return wrapperGone(e)
	case failed.Exists() && failed.Kind != jsjson.True && failed.Kind != jsjson.False:
		return fault("isError must be boolean when present")
	case e.Field("error").Exists() && failed.Kind != jsjson.True:
		return fault("carries error metadata for a non-error tool result")
	case !forkedResult(e):
		return malformed("invalid V4 not-started fork result")
	}
	return nil
}

// forkedIDPrefix starts the ids of results that a fork made for calls that were
// not answered in the copied events.
const forkedIDPrefix = "forked-tool-result-"

// forkedResult reports whether the result that a fork made for a call that was
// not started is as it has to be; it is true for all other results. Its id ends
// in its own seq, or in that of the result that it replaces and cites.
func forkedResult(e *Event) bool {
	id := e.Message().ID.Text()
	failure := e.Field("error")
	if !strings.HasPrefix(id, forkedIDPrefix) || !failure.Get("code").EqualText(CodeNotStarted) {
		return true
	}
	number, named := strings.CutPrefix(id, forkedIDPrefix+e.Message().Get("toolCallId").Text()+"-")
	seq, err := strconv.ParseInt(number, 10, 64)
	own, _ := e.Seq.SafeInt()
	content := e.Message().Content
	text := content.Len() == 1
	for block := range content.Elements() {
		text = text && block.Get("type").EqualText("text")
	}
	if !named || err != nil || fmt.Sprint(seq) != number || !text || !failure.Get("name").EqualText("ToolNotStartedError") {
		return false
	}
	if e.Surface.EqualText("append") {
		return seq == own && !e.Sources.Exists()
	}
	var cited Sources
	return seq < own && cited.Read(e.Sources, own) == "" && len(cited.Ranges) == 1 && cited.Ranges[0] == SeqRange{seq, seq}
}
