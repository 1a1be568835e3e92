package jsjson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// describe lists members as key=text.
func describe(members []jsjson.Member) string {
	var parts []string
	for _, m := range members {
		parts = append(parts, m.Key.Text()+"="+string(m.Value.Raw()))
	}
	return strings.Join(parts, " ")
}

func TestMembersAndElements(t *testing.T) {
	for _, tt := range []struct{ name, text, members, elements string }{
		{"object", `{"a":1,"b":{"c":[1,"}"]},"a":"x\"y"}`, `a=1 b={"c":[1,"}"]} a="x\"y"`, ""},
		{"object with whitespace", "{ \"a\" : [ 1 ] ,\r\n\"b\"\t: -1e5 }", `a=[ 1 ] b=-1e5`, ""},
		{"array", `[1,"a,]",[2,[]],{"b":[3]},null,true]`, "", `1|"a,]"|[2,[]]|{"b":[3]}|null|true`},
		{"array with whitespace", "[ 1 ,\n[ 2 ] , false ]", "", "1|[ 2 ]|false"},
		{"empty object", "{ }", "", ""},
		{"empty array", "[ ]", "", ""},
		{"string", `"{[a,b]}"`, "", ""},
		{"number", `12`, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := parse(t, tt.text)
			var members []jsjson.Member
			for m := range v.Members() {
				members = append(members, m)
			}
			if diff := cmp.Diff(tt.members, describe(members)); diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
			var elements []string
			for e := range v.Elements() {
				elements = append(elements, string(e.Raw()))
			}
			if diff := cmp.Diff(tt.elements, strings.Join(elements, "|")); diff != "" {
				t.Errorf("elements (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIterationStopsWhenAsked(t *testing.T) {
	for m := range parse(t, `{"a":1,"b":2}`).Members() {
		if m.Key.EqualText("b") {
			t.Error("the second member came after a break")
		}
		break
	}
	for e := range parse(t, `[1,2]`).Elements() {
		if string(e.Raw()) == "2" {
			t.Error("the second element came after a break")
		}
		break
	}
}

func TestHasPrefix(t *testing.T) {
	for _, tt := range []struct {
		text, prefix string
		want         bool
	}{
		{`"id-1"`, "id-", true},
		{`"i\u0064-1"`, "id-", true},
		{`"id-"`, "id-", true},
		{`"id"`, "id-", false},
		{`"\\id"`, "id", false},
		{`7`, "7", false},
		{`""`, "", true},
		{`null`, "", false},
	} {
		if got := parse(t, tt.text).HasPrefix(tt.prefix); got != tt.want {
			t.Errorf("%s has the prefix %q: %v, want %v", tt.text, tt.prefix, got, tt.want)
		}
	}
}

func TestGetAndHas(t *testing.T) {
	v := parse(t, `{"a":1,"n":null,"o":{"a":2},"\u0061":[3],"":4}`)
	for _, tt := range []struct{ key, want string }{
		{"a", "[3]"}, {"n", "null"}, {"o", `{"a":2}`}, {"", "4"}, {"b", ""}, {"A", ""},
	} {
		if got := string(v.Get(tt.key).Raw()); got != tt.want {
			t.Errorf("Get(%q) = %q, want %q", tt.key, got, tt.want)
		}
		if v.Has(tt.key) != (tt.want != "") {
			t.Errorf("Has(%q) = %v", tt.key, v.Has(tt.key))
		}
	}
	for _, text := range []string{"null", "1", `"a"`, `["a"]`} {
		if got := parse(t, text).Get("a"); got.Exists() {
			t.Errorf("Get of %s gives %q", text, got.Raw())
		}
	}
	if (jsjson.Value{}).Get("a").Exists() {
		t.Error("an absent value has a member")
	}
}

func TestOwnMembersStandInJavaScriptOrder(t *testing.T) {
	var many, manyWant []string
	for i := range 100 {
		many = append(many, fmt.Sprintf(`"k%d":0`, i))
		manyWant = append(manyWant, fmt.Sprintf("k%d=0", i))
	}
	for _, tt := range []struct{ name, text, want string }{
		{"plain keys keep their order", `{"b":1,"a":2}`, "b=1 a=2"},
		{"duplicates", `{"a":1,"b":2,"a":3}`, "a=3 b=2"},
		{"duplicates by escape", `{"a":1,"b":2,"\u0061":3}`, "a=3 b=2"},
		{"duplicates by replacement", "{\"\xFF\":1,\"b\":2,\"\xFE\":3}", "\uFFFD=3 b=2"},
		{"index keys", `{"b":1,"10":2,"9":3,"a":4}`, "9=3 10=2 b=1 a=4"},
		{"escaped index key", `{"b":1,"\u0031":2}`, "1=2 b=1"},
		{"many keys", "{" + strings.Join(many, ",") + "}", strings.Join(manyWant, " ")},
		{"empty object", "{}", ""},
		{"no object", `[{"a":1}]`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := parse(t, tt.text)
			got := v.OwnMembers(nil)
			if diff := cmp.Diff(tt.want, describe(got)); diff != "" {
				t.Errorf("own members (-want +got):\n%s", diff)
			}
			if v.Is(jsjson.Object) && v.Len() != len(got) {
				t.Errorf("Len() = %d, want %d", v.Len(), len(got))
			}
			prefix := make([]jsjson.Member, 1, 200)
			if appended := v.OwnMembers(prefix); len(appended) != 1+len(got) || appended[0].Key.Exists() {
				t.Errorf("appending to one member gives %d", len(appended))
			}
		})
	}
}

func TestLenOfArrays(t *testing.T) {
	for text, want := range map[string]int{"[]": 0, "[ ]": 0, "[1]": 1, `[[1,2],"a,b",{"c":1,"d":2}]`: 3, `"abc"`: 0, "12": 0} {
		if got := parse(t, text).Len(); got != want {
			t.Errorf("Len of %s = %d, want %d", text, got, want)
		}
	}
}

// The right-hand sides are what V8's String(JSON.parse(text)) gives.
func TestJSString(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`null`, "null"},
		{`true`, "true"},
		{`false`, "false"},
		{`1`, "1"},
		{`1.0`, "1"},
		{`-0`, "0"},
		{`1e400`, "Infinity"},
		{`-1e400`, "-Infinity"},
		{`1e21`, "1e+21"},
		{`"a\n\u00e9"`, "a\né"},
		{`""`, ""},
		{`"\ud800"`, "\xED\xA0\x80"},
		{`[]`, ""},
		{`[null]`, ""},
		{`[[],[]]`, ","},
		{`["",""]`, ","},
		{`[ 1 , 2 ]`, "1,2"},
		{`["a,]b",-1e400]`, "a,]b,-Infinity"},
		{`[1,null,"x",[2,[3,null]],{"a":[1,2]},true]`, "1,,x,2,3,,[object Object],true"},
		{`{}`, "[object Object]"},
		{`{"a":[1]}`, "[object Object]"},
	} {
		if diff := cmp.Diff(tt.want, parse(t, tt.text).JSString()); diff != "" {
			t.Errorf("JSString of %s (-want +got):\n%s", tt.text, diff)
		}
	}
	if got := (jsjson.Value{}).JSString(); got != "undefined" {
		t.Errorf("JSString of an absent value = %q", got)
	}
}

// Values are meant for validated text, but reading others must not panic.
func TestReadingBrokenTextDoesNotPanic(t *testing.T) {
	for _, raw := range []string{"", `"`, `"\`, `"\u`, `"\ud800\u`, "{", `{"a`, `{"a"`, `{"a":`, "[", "[1", "]", "}", ",", "{]", "-", "\xFF"} {
		for k := jsjson.Absent; k <= jsjson.Object; k++ {
			v := jsjson.NewValue(k, []byte(raw))
			for range v.Members() {
			}
			for range v.Elements() {
			}
			_, _ = v.SafeInt()
			_ = v.Get("a")
			_ = v.Len() + len(v.Text()) + len(v.JSString())
			_ = v.EqualText("a") || v.NegZero() || jsjson.StrictEqual(v, v)
			_ = jsjson.AppendCanonical(nil, v)
			if v.Float() == 1 {
				t.Errorf("%s %q reads as 1", k, raw)
			}
		}
	}
}
