package session_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/session"
)

func readRow(t *testing.T, text string) (session.Chunks, bool) {
	t.Helper()
	doc := parse(t, text)
	var c session.Chunks
	ok := c.Read(session.ChunkKindOf(doc.Get("type")), doc)
	return c, ok
}

const (
	textRow = `{"type":"text-chunks","seq0":2,"time0":10,"data":{"turn":1,"step":1,"index":0,"dt":[5,-3],"texts":["a","é","\ud800"]}}`
	toolRow = `{"type":"tool-call-chunks","seq0":2,"time0":10,"data":{"turn":1,"step":2,"index":3,"dt":[],"id":"c","name":"lamp","args":["{"]}}`
)

func TestRowValidity(t *testing.T) {
	tests := map[string]struct {
		row, old, with string // with in place of old
		want           bool
	}{
		"three texts":                              {textRow, "", "", true},
		"another key order":                        {textRow, `"type":"text-chunks","seq0":2,`, `"seq0":2,"type":"text-chunks",`, true},
		"reasoning":                                {textRow, "text-chunks", "reasoning-chunks", true},
		"a tool call":                              {toolRow, "", "", true},
		"a tool call without a name":               {toolRow, `"name":"lamp",`, ``, true},
		"an extra member of the envelope":          {textRow, `"seq0":2`, `"seq0":2,"ignorable":true`, false},
		"no seq0":                                  {textRow, `"seq0":2,`, ``, false},
		"seq instead of seq0":                      {textRow, `"seq0"`, `"seq"`, false},
		"a seq0 of minus zero":                     {textRow, `"seq0":2`, `"seq0":-0`, true},
		"a negative seq0":                          {textRow, `"seq0":2`, `"seq0":-1`, false},
		"a seq0 in quotes":                         {textRow, `"seq0":2`, `"seq0":"2"`, false},
		"no time0":                                 {textRow, `"time0":10,`, ``, false},
		"a negative time0":                         {textRow, `"time0":10`, `"time0":-10`, true},
		"a time0 with a fraction":                  {textRow, `"time0":10`, `"time0":10.5`, false},
		"data is null":                             {`{"type":"text-chunks","seq0":2,"time0":10,"data":null}`, "", "", false},
		"data is an array":                         {`{"type":"text-chunks","seq0":2,"time0":10,"data":[]}`, "", "", false},
		"an extra member of data":                  {textRow, `"turn":1`, `"turn":1,"x":1`, false},
		"a __proto__ member":                       {textRow, `"turn":1`, `"turn":1,"__proto__":{}`, false},
		"no step":                                  {textRow, `"step":1,`, ``, false},
		"a turn of null":                           {textRow, `"turn":1`, `"turn":null`, false},
		"a turn with a fraction":                   {textRow, `"turn":1`, `"turn":1.5`, true},
		"an index beyond a double":                 {textRow, `"index":0`, `"index":1e999`, true},
		"args in a text row":                       {textRow, `"texts"`, `"args"`, false},
		"texts in a tool row":                      {toolRow, `"args"`, `"texts"`, false},
		"an id in a text row":                      {textRow, `"turn":1`, `"turn":1,"id":"c"`, false},
		"no id in a tool row":                      {toolRow, `"id":"c",`, ``, false},
		"a number as id":                           {toolRow, `"id":"c"`, `"id":1`, false},
		"a name of null is present":                {toolRow, `"name":"lamp"`, `"name":null`, false},
		"no text at all":                           {textRow, `"dt":[5,-3],"texts":["a","é","\ud800"]`, `"dt":[],"texts":[]`, false},
		"one text":                                 {textRow, `"dt":[5,-3],"texts":["a","é","\ud800"]`, `"dt":[],"texts":["a"]`, true},
		"a number among the texts":                 {textRow, `"é"`, `1`, false},
		"texts in one string":                      {textRow, `["a","é","\ud800"]`, `"abc"`, false},
		"one time too few":                         {textRow, `[5,-3]`, `[5]`, false},
		"one time too many":                        {textRow, `[5,-3]`, `[5,-3,1]`, false},
		"a time of minus zero":                     {textRow, `[5,-3]`, `[-0,-3]`, true},
		"a time with a fraction":                   {textRow, `[5,-3]`, `[0.5,-3]`, false},
		"times that are no array":                  {textRow, `[5,-3]`, `{}`, false},
		"the last seq is the greatest safe one":    {textRow, `"seq0":2`, `"seq0":9007199254740989`, true},
		"the last seq is beyond it":                {textRow, `"seq0":2`, `"seq0":9007199254740990`, false},
		"a running time beyond a safe integer":     {textRow, `"time0":10`, `"time0":9007199254740990`, false},
		"even when the sum comes back":             {textRow, `"time0":10,"data":{"turn":1,"step":1,"index":0,"dt":[5,-3]`, `"time0":9007199254740989,"data":{"turn":1,"step":1,"index":0,"dt":[5,-5]`, false},
		"a running time below the least safe one":  {textRow, `[5,-3]`, `[-9007199254740991,-11]`, false},
		"of duplicate members the last one counts": {textRow, `"seq0":2`, `"seq0":"x","seq0":2`, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(test.row, test.old) {
				t.Fatalf("no %q in %q", test.old, test.row)
			}
			text := strings.Replace(test.row, test.old, test.with, 1)
			if _, got := readRow(t, text); got != test.want {
				t.Errorf("%s: valid = %v, want %v", text, got, test.want)
			}
		})
	}
}

func TestRowExpansion(t *testing.T) {
	tests := map[string]struct {
		row      string
		want     []string
		lastTime int64
	}{
		"texts": {
			textRow,
			[]string{
				`{"type":"assistant/chunk","seq":2,"time":10,"data":{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"a"}}}`,
				`{"type":"assistant/chunk","seq":3,"time":15,"data":{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"é"}}}`,
				`{"type":"assistant/chunk","seq":4,"time":12,"data":{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"\ud800"}}}`,
			},
			12,
		},
		"reasoning, with numbers and strings as JavaScript writes them": {
			`{"type":"reasoning-chunks","seq0":0e5,"time0":-1,"data":{"turn":1.50,"step":-0,"index":1e999,"dt":[],"texts":["\/\u0041\uD800"]}}`,
			[]string{`{"type":"assistant/chunk","seq":0,"time":-1,"data":{"turn":1.5,"step":0,"chunk":{"type":"reasoning-delta","index":null,"text":"/A\ud800"}}}`},
			-1,
		},
		"a tool call with its name": {
			toolRow,
			[]string{`{"type":"assistant/chunk","seq":2,"time":10,"data":{"turn":1,"step":2,"chunk":{"type":"tool-call-delta","index":3,"id":"c","name":"lamp","argumentsDelta":"{"}}}`},
			10,
		},
		"a tool call without one": {
			strings.Replace(toolRow, `"name":"lamp",`, "", 1),
			[]string{`{"type":"assistant/chunk","seq":2,"time":10,"data":{"turn":1,"step":2,"chunk":{"type":"tool-call-delta","index":3,"id":"c","argumentsDelta":"{"}}}`},
			10,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			row, ok := readRow(t, test.row)
			if !ok {
				t.Fatal("the row is not valid")
			}
			var got []string
			for text := range row.Events() {
				got = append(got, string(text))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if row.Count != len(test.want) || row.LastTime != test.lastTime {
				t.Errorf("count %d, last time %d, want %d, %d", row.Count, row.LastTime, len(test.want), test.lastTime)
			}
		})
	}
}

func TestRowExpansionMayStopEarly(t *testing.T) {
	row, _ := readRow(t, textRow)
	n := 0
	for range row.Events() {
		n++
		break
	}
	if n != 1 {
		t.Errorf("%d events, want 1", n)
	}
}

func TestChunkKinds(t *testing.T) {
	for text, want := range map[string]session.ChunkKind{
		`"text-chunks"`: session.TextChunks, `"reasoning-chunks"`: session.ReasoningChunks,
		`"tool-call-chunks"`: session.ToolCallChunks, `"text\u002dchunks"`: session.TextChunks,
		`"assistant/chunk"`: session.NoChunks, `["text-chunks"]`: session.NoChunks, ``: session.NoChunks,
	} {
		if got := session.ChunkKindOf(value(t, text)); got != want {
			t.Errorf("ChunkKindOf(%s) = %d, want %d", text, got, want)
		}
	}
}

func TestAPartOfARowHasTheEventsOfItsMembers(t *testing.T) {
	for _, line := range []string{
		`{"type":"text-chunks","seq0":7,"time0":100,"data":{"turn":1,"step":2,"index":0,"dt":[5,-3,1e1],"texts":["a","b\n","\ud800","d"]}}`,
		`{"data":{"args":["","{","}"],"dt":[0,1],"index":0,"id":"c","name":"n","turn":1,"step":1},"time0":1,"seq0":0,"type":"tool-call-chunks"}`,
		`{"type":"reasoning-chunks","seq0":1,"time0":2,"data":{"turn":1.0,"step":2,"index":0,"dt":[],"texts":["a"]}}`,
	} {
		whole := validRow(t, line)
		var all []string
		for text := range whole.Events() {
			all = append(all, string(text))
		}
		for first := range whole.Count {
			for count := 1; first+count <= whole.Count; count++ {
				part := validRow(t, string(whole.AppendPart(nil, first, count)))
				var got []string
				for text := range part.Events() {
					got = append(got, string(text))
				}
				if diff := cmp.Diff(all[first:first+count], got); diff != "" {
					t.Errorf("members [%d, %d) of %s (-want +got):\n%s", first, first+count, line, diff)
				}
			}
		}
	}
}

func validRow(t *testing.T, text string) session.Chunks {
	t.Helper()
	row, ok := readRow(t, text)
	if !ok {
		t.Fatalf("%s is no row", text)
	}
	return row
}
