package jsjson_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// The right-hand sides are what V8's JSON.stringify(JSON.parse(text)) gives.
func TestAppendCanonical(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"whitespace", ` { "b" : 1 , "a" : [ 1 , { } , [ ] ] } `, `{"b":1,"a":[1,{},[]]}`},
		{"scalar", ` "a" `, `"a"`},
		{"index keys go first, ascending", `{"b":1,"2":2,"a":3,"10":4,"1":5}`, `{"1":5,"2":2,"10":4,"b":1,"a":3}`},
		{"only array indices are index keys", `{"4294967295":1,"4294967294":2,"01":3,"0":4,"-1":5,"1.5":6}`, `{"0":4,"4294967294":2,"4294967295":1,"01":3,"-1":5,"1.5":6}`},
		{"duplicates keep the first place and the last value", `{"a":1,"b":2,"a":3}`, `{"a":3,"b":2}`},
		{"duplicate index keys", `{"1":1,"a":0,"1":2}`, `{"1":2,"a":0}`},
		{"duplicate empty keys", `{"":1,"":2}`, `{"":2}`},
		{"duplicates by escape", `{"\u0061":1,"a":2,"\/":3}`, `{"a":2,"/":3}`},
		{"proto key is ordinary", `{"b":0,"__proto__":1,"a": 2}`, `{"b":0,"__proto__":1,"a":2}`},
		{"minimal escapes", `"\u0000\u001F\u0008\u000c\u000a\u000d\u0009\u0022\u005c\u002f\u2028<>&"`, "\"\\u0000\\u001f\\b\\f\\n\\r\\t\\\"\\\\/\u2028<>&\""},
		{"surrogate pairs", `"\ud83d\ude00\uD83D\uDE00"`, `"😀😀"`},
		{"lone surrogates", `"\uD800x\udc00\ud800"`, `"\ud800x\udc00\ud800"`},
		{"lone surrogates in keys", `{"\uDC00": "\ud83d"}`, `{"\udc00":"\ud83d"}`},
		{"numbers", `[1.0,1e2,-0,1e400,-1e400,1e-400]`, `[1,100,0,null,null,0]`},
		{"nested empty containers", `[[[[ ]]],{"a":{"b":{ }}}]`, `[[[[]]],{"a":{"b":{}}}]`},
		{"order at every depth", `{"x":{"2":{"b":1,"1":2},"1":0},"x":{"b":[{"9":1,"8":2}]}}`, `{"x":{"b":[{"8":2,"9":1}]}}`},
		{"strings that end like openings", `["[","{",":" ,"[:"]`, `["[","{",":","[:"]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := string(jsjson.AppendCanonical([]byte(":"), parse(t, tt.text)))
			if diff := cmp.Diff(":"+tt.want, got); diff != "" {
				t.Errorf("canonical text (-want +got):\n%s", diff)
			}
			again := string(jsjson.AppendCanonical(nil, parse(t, tt.want)))
			if diff := cmp.Diff(tt.want, again); diff != "" {
				t.Errorf("canonical text of canonical text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAppendCanonicalOfAnAbsentValue(t *testing.T) {
	if got := string(jsjson.AppendCanonical([]byte("x"), jsjson.Value{})); got != "x" {
		t.Errorf("got %q, want nothing appended", got)
	}
}

func TestWritingHasNoNestingLimit(t *testing.T) {
	const depth = 1_000_000
	text := strings.Repeat(`[{"a":`, depth) + " 1.0 " + strings.Repeat("}]", depth)
	want := strings.Repeat(`[{"a":`, depth) + "1" + strings.Repeat("}]", depth)
	v := parse(t, text)
	if got := string(jsjson.AppendCanonical(nil, v)); got != want {
		t.Errorf("canonical text of %d bytes differs from the %d expected", len(got), len(want))
	}
	if other := parse(t, want); !jsjson.DeepEqual(v, other) || v.Digest() != other.Digest() {
		t.Error("a deep value does not equal its canonical text")
	}
	arrays := parse(t, strings.Repeat("[", depth)+"7"+strings.Repeat("]", depth))
	if got := arrays.JSString(); got != "7" {
		t.Errorf("JSString of nested arrays has %d bytes, want \"7\"", len(got))
	}
}
