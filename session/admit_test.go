package session_test

import (
	"strings"
	"testing"

	"github.com/turnlint/turnlint/session"
)

// admission is what the readers of a generation say of a row on its own.
type admission struct {
	line, want string // want is "" for a row that is admitted
	// unsupported and retired are those of the fault.
	unsupported, retired bool
}

func checkAdmissions(t *testing.T, generation int64, tests map[string]admission) {
	t.Helper()
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			fault := session.Admit(event(t, test.line), generation)
			if fault == nil {
				fault = &session.RowFault{}
			}
			want := session.RowFault{Text: test.want, Unsupported: test.unsupported, Retired: test.retired}
			if *fault != want {
				t.Errorf("%+v, want %+v", *fault, want)
			}
		})
	}
}

// systemV3 is a system message of v3.
const systemV3 = `{"type":"system/message","seq":5,"data":{"turn":1,"step":1,"message":{"id":"m1","role":"system","source":{"kind":"plugin","plugin":"p"},"content":[]}},"surfaceOp":"append"}`

// edit returns a text with old replaced, which it must have.
func edit(t *testing.T, text, old, with string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("no %q in %q", old, text)
	}
	return strings.Replace(text, old, with, 1)
}

func TestAdmissionToV3(t *testing.T) {
	system := func(old, with string) string { return edit(t, systemV3, old, with) }
	image := func(attachment string) string {
		return system(`"content":[]`, `"content":[{"type":"image","attachment":`+attachment+`}]`)
	}
	const header = `{"type":"request/header","seq":5,"data":{"header":{"config":{}},"reason":"initial"}}`
	checkAdmissions(t, 3, map[string]admission{
		"a system message":                     {line: systemV3},
		"any other event":                      {line: `{"type":"todo/write","data":null}`},
		"an array":                             {line: "[]"},
		"a request header":                     {line: header},
		"a dispatch of v2":                     {`{"type":"tool/code-dispatch","seq":5,"data":{}}`, `format v3 contains unknown event type "tool/code-dispatch" at seq 5`, true, true},
		"one that may be ignored":              {line: `{"type":"tool/code-dispatch","seq":5,"data":{},"ignorable":true}`},
		"a header with the prompt of v2":       {edit(t, header, `"config":{}`, `"config":{},"system":"x"`), "format v3 request/header rejects retired header.system", true, true},
		"a header without data":                {line: `{"type":"request/header","data":null}`, want: "request/header data must be an object"},
		"a header without header":              {line: `{"type":"request/header","data":{}}`, want: "request/header header must be an object"},
		"system data that is null":             {line: `{"type":"system/message","data":null}`, want: "system/message data must be an object"},
		"a system message without a step":      {line: system(`"step":1,`, ""), want: "system/message data lacks required field step"},
		"more data":                            {line: system(`"step":1,`, `"step":1,"zz":1,`), want: "system/message data has unexpected field zz"},
		"turn 0":                               {line: system(`"turn":1`, `"turn":0`), want: "turn must be positive"},
		"a turn in quotes":                     {line: system(`"turn":1`, `"turn":"1"`), want: "turn must be a non-negative safe integer"},
		"no message":                           {line: `{"type":"system/message","data":{"turn":1,"step":1,"message":null}}`, want: "system message must be an object"},
		"a message without a source":           {line: system(`"source":{"kind":"plugin","plugin":"p"},`, ""), want: "system message lacks required field source"},
		"an empty id":                          {line: system(`"m1"`, `""`), want: "system message requires an id and system role"},
		"another role":                         {line: system(`"role":"system"`, `"role":"user"`), want: "system message requires an id and system role"},
		"the source of v4":                     {line: system(`{"kind":"plugin","plugin":"p"}`, `{"kind":"system-prompt"}`), want: "system message requires plugin source"},
		"a source with more members":           {line: system(`"plugin":"p"`, `"plugin":"p","zz":1`), want: `user/message 0 source has unexpected member "zz"`},
		"content that is a string":             {line: system(`"content":[]`, `"content":"x"`), want: "user/message 0 content must be an array"},
		"a sound image":                        {line: image(`{"mediaType":"image/png","width":1,"height":1}`)},
		"an image of a type that is not known": {line: image(`{"mediaType":"image/tiff","width":1,"height":1}`), want: "user/message 0 content[0] attachment mediaType must be one of image/png, image/jpeg, image/webp, image/gif"},
		"an image without width":               {line: image(`{"mediaType":"image/png","width":0,"height":1}`), want: "user/message 0 content[0] attachment width must be positive"},
	})
}

const (
	userV4   = `{"type":"user/message","seq":6,"data":{"id":"m1","role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":"append"}`
	systemV4 = `{"type":"system/message","seq":5,"data":{"turn":1,"step":1,"message":{"id":"m1","role":"system","source":{"kind":"system-prompt"},"content":[]}},"surfaceOp":"append"}`
	resultV4 = `{"type":"tool/result","seq":14,"data":{"turn":1,"step":1,"message":{"id":"r","role":"tool","toolCallId":"c","source":{"kind":"tool","callId":"c"},"content":[{"type":"text","text":"t"}]}},"surfaceOp":"append"}`
	toolsV4  = `{"type":"developer/message","seq":9,"data":{"turn":1,"step":1,"headerSeq":5,"message":{"id":"d","role":"developer","content":[{"type":"tool-addition","toolName":"late"}],"source":{"kind":"tool-jobs"}}},"surfaceOp":"append"}`
	forkedV4 = `{"type":"tool/result","seq":14,"data":{"turn":1,"step":1,"message":{"id":"forked-tool-result-c-14","role":"tool","toolCallId":"c","isError":true,"source":{"kind":"tool","callId":"c"},"content":[{"type":"text","text":"t"}]},"error":{"name":"ToolNotStartedError","code":"TOOL_NOT_STARTED"}},"surfaceOp":"append"}`
)

func TestAdmissionToV4(t *testing.T) {
	const owned = "format v4 message requires a producer-owned source kind"
	const wrapper = "content must not contain a released tool-result wrapper"
	checkAdmissions(t, 4, map[string]admission{
		"a user message":                    {line: userV4},
		"a system message":                  {line: systemV4},
		"a result":                          {line: resultV4},
		"null":                              {line: "null"},
		"a dispatch of v2":                  {`{"type":"tool/code-dispatch-start","data":{}}`, "format v4 rejects retired event type tool/code-dispatch-start", true, true},
		"one that may be ignored":           {line: `{"type":"tool/code-dispatch-start","data":{},"ignorable":true}`},
		"a source of v3":                    {line: edit(t, userV4, `"kind":"user"`, `"kind":"plugin","plugin":"x"`), want: owned, retired: true},
		"no source kind":                    {line: edit(t, userV4, `{"kind":"user"}`, `{}`), want: owned},
		"a source of v3 in the inbox":       {line: `{"type":"agent/inbox/spliced","data":{"inserted":[{"source":{"kind":"plugin"}}]}}`, want: owned, retired: true},
		"one in a request for a title":      {line: `{"type":"session/title-llm-request","data":{"messages":[{"source":{"kind":"plugin"}}]}}`, want: owned, retired: true},
		"a wrapper around a result":         {line: edit(t, userV4, "[]", `[{"type":"tool-result"}]`), want: "format v4 user/message at seq 6 " + wrapper, retired: true},
		"a wrapper in a dispatch":           {line: `{"type":"tool/ptc-dispatch","seq":7,"data":{"content":[{"type":"tool-result"}]}}`, want: "format v4 tool/ptc-dispatch at seq 7 " + wrapper, retired: true},
		"a wrapper in a summary":            {line: `{"type":"compaction/summary","seq":7,"data":{"summary":[{"type":"tool-result"}]}}`, want: "format v4 compaction/summary at seq 7 " + wrapper, retired: true},
		"a wrapper in a stream":             {line: `{"type":"assistant/attempt","seq":7,"data":{"stream":[{"type":"chunk","chunk":{"type":"block-start","blockType":"tool-result"}}]}}`, want: "format v4 assistant/attempt at seq 7 " + wrapper, retired: true},
		"a user who is a developer":         {line: edit(t, userV4, `"role":"user"`, `"role":"developer"`), want: "format v4 developer/message and developer role must occur together"},
		"a header without data":             {line: `{"type":"request/header","data":null}`, want: "format v4 request/header requires data and header objects"},
		"a header with the prompt of v2":    {line: `{"type":"request/header","data":{"header":{"system":"x"}}}`, want: "format v4 request/header rejects retired header.system", retired: true},
		"a tool that is deferred":           {line: `{"type":"request/header","data":{"header":{"tools":[{"deferLoading":true}]}}}`},
		"a tool that is not, and says so":   {line: `{"type":"request/header","data":{"header":{"tools":[{"deferLoading":false}]}}}`, want: "format v4 tool deferLoading must be true when present"},
		"system data that is null":          {line: `{"type":"system/message","data":null}`, want: "format v4 system/message data requires an object"},
		"a system message without a turn":   {line: `{"type":"system/message","data":{}}`, want: "system/message turn must be a non-negative safe integer"},
		"a system message in turn 0":        {line: edit(t, systemV4, `"turn":1`, `"turn":0`), want: "format v4 system/message turn must be positive"},
		"no system message":                 {line: `{"type":"system/message","data":{"turn":1,"step":1}}`, want: "format v4 system message requires an object"},
		"a system message without an id":    {line: edit(t, systemV4, `"m1"`, `""`), want: "format v4 system message id requires a string with content"},
		"a system message of a user":        {line: edit(t, systemV4, `"role":"system"`, `"role":"user"`), want: "format v4 system message requires system role"},
		"a system message that is a string": {line: edit(t, systemV4, "[]", `"x"`), want: "format v4 system message requires content array"},
		"null in a system message":          {line: edit(t, systemV4, "[]", "[null]"), want: "format v4 system content block requires an object"},
		"a wrapper in a system message":     {line: edit(t, systemV4, "[]", `[{"type":"tool-result"}]`), want: "format v4 system content rejects retired tool-result wrappers", retired: true},
		"a text that is a number":           {line: edit(t, systemV4, "[]", `[{"type":"text","text":5}]`), want: "format v4 system content text requires a string"},
		"an image that is not known":        {line: edit(t, systemV4, "[]", `[{"type":"image"}]`), want: "format v4 system image requires a supported mediaType"},
	})
}

func TestAdmissionOfResultsToV4(t *testing.T) {
	const at = "format v4 tool/result at seq 14 "
	const invalid = "invalid V4 not-started fork result"
	replaced := strings.NewReplacer(`"append"`, `{"op":"replace","startSeq":9,"endSeq":9},"sourceEventSeqs":[9]`, "-c-14", "-c-9")
	checkAdmissions(t, 4, map[string]admission{
		"no message":                         {line: `{"type":"tool/result","seq":14,"data":{"message":null}}`, want: at + "message must be an object"},
		"the role of v3":                     {line: edit(t, resultV4, `"role":"tool"`, `"role":"user"`), want: at + "requires a tool-role message", retired: true},
		"another role":                       {line: edit(t, resultV4, `"role":"tool"`, `"role":"assistant"`), want: at + "requires a tool-role message"},
		"no id":                              {line: edit(t, resultV4, `"id":"r",`, ""), want: at + "requires a first-class message with a string id"},
		"another call in the source":         {line: edit(t, resultV4, `"callId":"c"`, `"callId":"d"`), want: at + "requires toolCallId matching its tool source"},
		"content that is a string":           {line: edit(t, resultV4, `[{"type":"text","text":"t"}]`, `"t"`), want: at + "requires array content"},
		"a wrapper":                          {line: edit(t, resultV4, `"type":"text"`, `"type":"tool-result"`), want: at + "content must not contain a released tool-result wrapper", retired: true},
		"isError as a string":                {line: edit(t, resultV4, `"id":"r"`, `"id":"r","isError":"x"`), want: at + "isError must be boolean when present"},
		"an error that is none":              {line: edit(t, forkedV4, `"isError":true`, `"isError":false`), want: at + "carries error metadata for a non-error tool result"},
		"a result of a fork":                 {line: forkedV4},
		"one that replaces an earlier one":   {line: replaced.Replace(forkedV4)},
		"one that replaces another one":      {line: strings.Replace(replaced.Replace(forkedV4), "Seqs\":[9]", "Seqs\":[8]", 1), want: invalid},
		"another seq in its id":              {line: edit(t, forkedV4, "-c-14", "-c-1"), want: invalid},
		"a seq with a leading zero":          {line: edit(t, forkedV4, "-c-14", "-c-014"), want: invalid},
		"another call in its id":             {line: edit(t, forkedV4, "-c-14", "-d-14"), want: invalid},
		"an appended one that cites":         {line: edit(t, forkedV4, `"append"`, `"append","sourceEventSeqs":[1]`), want: invalid},
		"two blocks":                         {line: edit(t, forkedV4, `[{`, `[{"type":"text","text":"u"},{`), want: invalid},
		"another name of the error":          {line: edit(t, forkedV4, "ToolNotStartedError", "X"), want: invalid},
		"another code is no result of forks": {line: edit(t, edit(t, forkedV4, "TOOL_NOT_STARTED", "X"), "-c-14", "-c-1")},
	})
}

func TestAdmissionOfDeveloperMessagesToV4(t *testing.T) {
	const shape = "format v4 developer message requires id, role, content, and a producer-owned source"
	const headerSeq = "developer/message headerSeq must be a non-negative safe integer"
	checkAdmissions(t, 4, map[string]admission{
		"a new tool":                          {line: toolsV4},
		"a removed tool needs no header":      {line: edit(t, edit(t, toolsV4, `"headerSeq":5,`, ""), "tool-addition", "tool-removal")},
		"no data":                             {line: `{"type":"developer/message","data":5}`, want: "format v4 developer/message data must be an object"},
		"malformed, though it may be ignored": {line: `{"type":"developer/message","data":5,"ignorable":true}`, want: "format v4 developer/message data must be an object"},
		"nothing in it":                       {line: `{"type":"developer/message","data":{}}`, want: "format v4 developer/message requires turn, step, and a developer message"},
		"an empty id":                         {line: edit(t, toolsV4, `"d"`, `""`), want: shape},
		"another role":                        {line: edit(t, toolsV4, `"role":"developer"`, `"role":"user"`), want: shape},
		"a source of v3":                      {line: edit(t, toolsV4, `"tool-jobs"`, `"plugin"`), want: shape},
		"turn 0":                              {line: edit(t, toolsV4, `"turn":1`, `"turn":0`), want: "developer/message turn must be positive"},
		"a tool without a name":               {line: edit(t, toolsV4, `"late"`, `""`), want: "format v4 tool-addition requires a nonempty toolName"},
		"a tool with its definition":          {line: edit(t, toolsV4, `"late"`, `"late","tool":{}`), want: "format v4 tool-addition must omit inline tool definitions"},
		"a new tool without a header":         {line: edit(t, toolsV4, `"headerSeq":5,`, ""), want: headerSeq},
		"a wrapper":                           {line: edit(t, edit(t, toolsV4, `"headerSeq":5,`, ""), "tool-addition", "tool-result"), want: "format v4 developer/message at seq 9 content must not contain a released tool-result wrapper", retired: true},
	})
}

func TestMigrationsAdmitMore(t *testing.T) {
	nobody := event(t, edit(t, userV4, `{"kind":"user"}`, `{}`))
	if fault := session.AdmitStored(nobody, 4); fault != nil {
		t.Errorf("a message from nobody: %s", fault.Text)
	}
	ignorable := event(t, `{"type":"developer/message","data":5,"ignorable":true}`)
	if fault := session.AdmitStored(ignorable, 4); fault != nil {
		t.Errorf("a malformed message that may be ignored: %s", fault.Text)
	}
	if fault := session.AdmitStored(event(t, edit(t, userV4, `"kind":"user"`, `"kind":"plugin"`)), 4); fault == nil {
		t.Error("a source of v3 is admitted")
	}
	if fault := session.Admit(event(t, `{"type":"tool/code-dispatch","data":{}}`), 2); fault != nil {
		t.Errorf("v2 has an admission: %s", fault.Text)
	}
}

func TestCanonicalRowsOfV3(t *testing.T) {
	const user = `{"type":"user/message","data":{},"surfaceOp":"append"}`
	const header = `{"type":"request/header","data":{"header":{"tools":[{}]}}}`
	const result = `{"type":"tool/result","data":{"error":{},"message":{"content":[{"isError":true}]}},"surfaceOp":"append"}`
	replace := func(op string) string { return edit(t, user, `"append"`, op) }
	tests := map[string]struct{ line, want string }{
		"a message":                         {user, ""},
		"a replacement":                     {replace(`{"op":"replace","startSeq":1,"endSeq":3}`), ""},
		"an unknown event is not looked at": {`{"type":"tide/measured","data":{},"surfaceOp":5}`, ""},
		"no marker":                         {`{"type":"user/message","data":{}}`, "user/message at seq 7 requires a surfaceOp marker"},
		"a marker of null":                  {replace("null"), "user/message at seq 7 surfaceOp must be an object"},
		"the members of v2":                 {replace(`{"op":"replace","start":1,"end":3}`), "user/message at seq 7 requires exact replace fields op/startSeq/endSeq"},
		"another operation":                 {replace(`{"op":"insert","startSeq":1,"endSeq":3}`), "user/message at seq 7 requires exact replace fields op/startSeq/endSeq"},
		"a negative seq":                    {replace(`{"op":"replace","startSeq":-1,"endSeq":3}`), "user/message at seq 7 surfaceOp startSeq must be a non-negative safe integer"},
		"a later seq":                       {replace(`{"op":"replace","startSeq":1,"endSeq":7}`), "user/message at seq 7 replacement endpoints must reference earlier events"},
		"no sources in the list":            {edit(t, user, `"append"`, `"append","sourceEventSeqs":[]`), "user/message at seq 7 sourceEventSeqs must be a non-empty array"},
		"sources of an answer":              {`{"type":"assistant/message","data":{},"surfaceOp":"append","sourceEventSeqs":[1]}`, "assistant/message at seq 7 embeds its stream and cannot carry sourceEventSeqs"},
		"a marker on a log-only event":      {`{"type":"todo/write","data":{},"surfaceOp":"append"}`, "todo/write at seq 7 has unexpected field surfaceOp"},
		"sources on a log-only event":       {`{"type":"todo/write","data":{},"sourceEventSeqs":[1]}`, "todo/write at seq 7 has unexpected field sourceEventSeqs"},
		"a header with tools":               {header, ""},
		"a header with empty tools":         {edit(t, header, "[{}]", "[]"), "request/header at seq 7 empty optional header fields must be omitted"},
		"a failed result":                   {result, ""},
		"a result that is no failure":       {edit(t, result, "true", "false"), "tool/result at seq 7 carries error metadata for a non-error tool result"},
	}
	for name, test := range tests {
		e := event(t, test.line)
		e.Kind = session.AnyTypeOf(e.Type).In(3)
		want := test.want
		if want != "" {
			want = "format v3 " + want
		}
		if got := session.CanonicalFault(e, 7); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
