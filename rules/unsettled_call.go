package rules

// UnsettledCall reports that a call of a tool and its result do not fit
// together.
var UnsettledCall = &Rule{
	ID:        "TL912",
	Name:      "unsettled-call",
	Summary:   "a call of a tool and its result do not fit together",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Upgrade,
	Reader:    Refuses,
	Fix:       NoFix,
	Remedy:    "none: what the tool did is not known, and a result that is made up would tell the model something that did not happen",
	Doc:       page("unsettled-call"),
	refusals: []string{
		"tool call",
		"tool lifecycle",
		"TOOL_NOT_STARTED",
		"not-started error",
		"one tool-result",
		"PTC dispatch",
		"tool/code-dispatch changes",
		"tool/code-dispatch does not match",
		"tool/code-dispatch has no",
		"tool/code-dispatch-start repeats",
		"tool-role message",
		"toolCallId matching",
	},
}
