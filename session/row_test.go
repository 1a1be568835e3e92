package session_test

import (
	"strings"
	"testing"

	"github.com/turnlint/turnlint/session"
)

func TestRowEnvelopes(t *testing.T) {
	const row = `{"type":"todo/write","seq":7,"time":5,"data":{}}`
	tests := map[string]struct{ line, want string }{
		"the members that a row has":       {row, ""},
		"data may be null":                 {strings.Replace(row, "{}}", "null}", 1), ""},
		"a negative time":                  {strings.Replace(row, `"time":5`, `"time":-5`, 1), ""},
		"all that it may have":             {strings.Replace(row, "{}}", `{},"ignorable":true,"surfaceOp":1,"sourceEventSeqs":1}`, 1), ""},
		"null":                             {"null", "released v2 row 3 must be an object"},
		"an array":                         {"[]", "released v2 row 3 must be an object"},
		"no type":                          {strings.Replace(row, `"type":"todo/write",`, "", 1), "released v2 row 3 lacks required field type"},
		"a packed row has no seq":          {textRow, "released v2 row 3 lacks required field seq"},
		"no data":                          {strings.Replace(row, `,"data":{}`, "", 1), "released v2 row 3 lacks required field data"},
		"a member that is none":            {strings.Replace(row, "{}}", `{},"zz":1}`, 1), "released v2 row 3 has unexpected field zz"},
		"what is missing comes first":      {`{"zz":1}`, "released v2 row 3 lacks required field type"},
		"a type that is a number":          {strings.Replace(row, `"todo/write"`, "5", 1), "released v2 row 3 type must be a string"},
		"a time with a fraction":           {strings.Replace(row, `"time":5`, `"time":5.5`, 1), "released v2 row 3 time must be a safe integer"},
		"a time of minus zero":             {strings.Replace(row, `"time":5`, `"time":-0`, 1), "released v2 row 3 time must be a safe integer"},
		"an ignorable that is false":       {strings.Replace(row, "{}}", `{},"ignorable":false}`, 1), "released v2 row 3 ignorable must be true when present"},
		"of duplicate members the last is": {strings.Replace(row, `"time":5`, `"time":"x","time":5`, 1), ""},
	}
	for name, test := range tests {
		if got := event(t, test.line).RowFault(3); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestSeqsOfRows(t *testing.T) {
	for seq, want := range map[string]string{
		"7": "", "7.0": "", "7e0": "",
		"8":    "released v2 row 3 has seq gap (expected 7, got 8)",
		`"7"`:  "released v2 row 3 has seq gap (expected 7, got 7)",
		"null": "released v2 row 3 has seq gap (expected 7, got null)",
	} {
		if got := event(t, `{"seq":`+seq+`}`).SeqGap(3, 7); got != want {
			t.Errorf("seq %s: %q, want %q", seq, got, want)
		}
	}
	if got := event(t, `{"seq":-0}`).SeqGap(0, 0); got != "" {
		t.Errorf("minus zero is not 0: %q", got)
	}
}

func TestSources(t *testing.T) {
	const unique, increasing = "sourceEventSeqs ranges must contain unique earlier seqs", "sourceEventSeqs ranges must be strictly increasing"
	const pair = "sourceEventSeqs range must be a [start, end] pair"
	tests := map[string]struct{ list, want, fault string }{
		"seqs in any order":                      {"[5,3,9]", "[5,3,9]", ""},
		"none":                                   {"[]", "[]", ""},
		"a pair stands for what is between":      {"[1,[3,6],9]", "[1,3,4,5,6,9]", ""},
		"a pair of one seq":                      {"[[3,3]]", "[3]", ""},
		"a seq twice":                            {"[5,5]", "", unique},
		"the seq of the event itself":            {"[10]", "", unique},
		"a later seq":                            {"[11]", "", unique},
		"a pair up to a later seq":               {"[[3,9007199254740991]]", "", unique},
		"with a pair, the order matters":         {"[5,[0,2]]", "", increasing},
		"pairs that overlap":                     {"[[0,4],[4,6]]", "", increasing},
		"three seqs in a pair":                   {"[[0,1,2]]", "", pair},
		"one seq in a pair":                      {"[[0]]", "", pair},
		"a pair backwards":                       {"[[4,2]]", "", pair},
		"a fraction":                             {"[1.5]", "", pair},
		"no array":                               {`"x"`, "", "sourceEventSeqs must be an array"},
		"null":                                   {"null", "", "sourceEventSeqs must be an array"},
		"more pairs than there is memory to use": {"[[0,9007199254740990],[0,9007199254740991]]", "", increasing},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var s session.Sources
			if got := s.Read(value(t, test.list), 10); got != test.fault {
				t.Fatalf("fault %q, want %q", got, test.fault)
			}
			if test.fault == "" {
				if got := string(s.Append(nil)); got != test.want {
					t.Errorf("%s, want %s", got, test.want)
				}
			}
		})
	}
}

func TestMarkersOfInheritedEvents(t *testing.T) {
	inherited := event(t, `{"type":"session/end-seed","data":{"inherited":true}}`)
	plain := event(t, `{"type":"session/end-seed","data":{}}`)
	if !inherited.Inherited() || plain.Inherited() {
		t.Error("only a marker with inherited true is one")
	}
	const want = "session/end-seed 4 data must be an object"
	if got := event(t, `{"type":"session/end-seed","data":null}`).MarkerFault(4); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := plain.MarkerFault(4); got != "" {
		t.Errorf("%q, want no fault", got)
	}
}

func TestVocabularyOfEveryFormat(t *testing.T) {
	names := []string{
		"assistant/chunk", "tool/code-dispatch", "assistant/attempt", "model/selection", "tool/ptc-dispatch",
		"system/message", "workspace/changes", "developer/message", "turn/start", "automation/start",
	}
	for generation, want := range map[int64]string{
		0: "assistant/chunk tool/code-dispatch turn/start",
		2: "tool/code-dispatch assistant/attempt model/selection turn/start",
		3: "assistant/attempt model/selection tool/ptc-dispatch system/message workspace/changes turn/start",
		4: "assistant/attempt model/selection tool/ptc-dispatch system/message workspace/changes developer/message turn/start",
	} {
		var known []string
		for _, name := range names {
			if session.AnyTypeOf(value(t, `"`+name+`"`)).In(generation) != session.Unknown {
				known = append(known, name)
			}
		}
		if got := strings.Join(known, " "); got != want {
			t.Errorf("v%d knows %s, want %s", generation, got, want)
		}
	}
}
