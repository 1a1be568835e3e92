package session

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// CanonicalFault returns what the readers of format v3 say of an event whose
// surface metadata or optional members are not as v3 writes them, or ""
// (docs/generations.md §2.4). seq is that of the event.
func CanonicalFault(e *Event, seq int64) string {
	fault := ""
	switch {
	case e.Kind == Unknown:
	case e.Kind.Surface():
		fault = markerFaultV3(e, seq)
	case e.Surface.Exists():
		fault = "has unexpected field surfaceOp"
	case e.Sources.Exists():
		fault = "has unexpected field sourceEventSeqs"
	}
	switch {
	case fault != "":
	case e.Kind == RequestHeader && (emptyMember(e, "tools") || emptyMember(e, "adapterDefaults")):
		fault = "empty optional header fields must be omitted"
	case e.Kind == ToolResult && e.Field("error").Exists() && e.Message().Block.Get("isError").Kind != jsjson.True:
		fault = "carries error metadata for a non-error tool result"
	}
	if fault == "" {
		return ""
	}
	return fmt.Sprintf("format v3 %s at seq %d %s", e.Kind, seq, fault)
}

// emptyMember reports whether an optional member of a request header holds nothing.
func emptyMember(e *Event, key string) bool {
	v := e.Field("header").Get(key)
	return (v.Kind == jsjson.Array || v.Kind == jsjson.Object) && v.Len() == 0
}

func markerFaultV3(e *Event, seq int64) string {
	op := e.Surface
	switch {
	case !op.Exists():
		return "requires a surfaceOp marker"
	case e.Kind == AssistantMessage && e.Sources.Exists():
		return "embeds its stream and cannot carry sourceEventSeqs"
	case e.Sources.Exists() && e.Sources.Len() == 0:
		return "sourceEventSeqs must be a non-empty array"
	case op.EqualText("append"):
		return ""
	case op.Kind != jsjson.Object:
		return "surfaceOp must be an object"
	case !op.HasExactly("op", "startSeq", "endSeq") || !op.Get("op").EqualText("replace"):
		return "requires exact replace fields op/startSeq/endSeq"
	}
	for _, key := range []string{"startSeq", "endSeq"} {
		if n, ok := op.Get(key).SafeInt(); !ok || n < 0 {
			return "surfaceOp " + key + " must be a non-negative safe integer"
		}
	}
	start, _ := op.Get("startSeq").SafeInt()
	end, _ := op.Get("endSeq").SafeInt()
	if start >= seq || end >= seq {
		return "replacement endpoints must reference earlier events"
	}
	return ""
}
