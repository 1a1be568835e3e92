package jsjson_test

import (
	"testing"

	"github.com/turnlint/turnlint/internal/jsjson"
)

func TestEquality(t *testing.T) {
	for _, tt := range []struct {
		name, a, b   string
		strict, deep bool
	}{
		{"same number", "1", "1", true, true},
		{"other spelling", "1", "10e-1", true, true},
		{"minus zero", "0", "-0.0", true, true},
		{"numbers that round to one double", "9007199254740992", "9007199254740993", true, true},
		{"other number", "1", "2", false, false},
		{"overflows", "1e400", "2e400", true, true},
		{"overflows of other sign", "1e400", "-1e400", false, false},
		{"overflow and null", "1e400", "null", false, false},
		{"overflow and null in an array", "[1e400]", "[null]", false, false},
		{"overflows in an array", "[1e400]", "[1e401]", false, true},
		{"number and string", "1", `"1"`, false, false},
		{"strings by escape", `"a/"`, `"\u0061\/"`, true, true},
		{"surrogate pair by escape", `"😀"`, `"\ud83d\ude00"`, true, true},
		{"other lone surrogates", `"\ud800"`, `"\ud801"`, false, false},
		{"lone surrogate and its replacement", `"\ud800"`, `"\ufffd"`, false, false},
		{"invalid byte and its replacement", "\"\xFF\"", `"\ufffd"`, true, true},
		{"other string", `"a"`, `"b"`, false, false},
		{"null", "null", "null", true, true},
		{"true and false", "true", "false", false, false},
		{"false and null", "false", "null", false, false},
		{"same array", "[1,2]", "[1,2]", false, true},
		{"array by whitespace", "[1,2]", "[ 1, 2 ]", false, true},
		{"array in another order", "[1,2]", "[2,1]", false, false},
		{"longer array", "[1]", "[1,null]", false, false},
		{"nested arrays", "[[1],2]", "[[1,2]]", false, false},
		{"array and object", "[]", "{}", false, false},
		{"object in another order", `{"a":1,"b":[2]}`, `{"b":[2.0],"a":1}`, false, true},
		{"object with a duplicate", `{"a":1,"b":2,"a":3}`, `{"b":2,"a":3}`, false, true},
		{"object with a null more", `{"a":1}`, `{"a":1,"b":null}`, false, false},
		{"object with another key", `{"a":1}`, `{"b":1}`, false, false},
		{"keys by escape", `{"a":1}`, `{"\u0061":1}`, false, true},
		{"minus zero in an object", `{"a":0}`, `{"a":-0}`, false, true},
		{"string that looks like members", `{"a":"1,b"}`, `{"a":"1","b":""}`, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := parse(t, tt.a), parse(t, tt.b)
			if got := jsjson.StrictEqual(a, b); got != tt.strict {
				t.Errorf("StrictEqual = %v, want %v", got, tt.strict)
			}
			if got := jsjson.DeepEqual(a, b); got != tt.deep {
				t.Errorf("DeepEqual = %v, want %v", got, tt.deep)
			}
			if jsjson.StrictEqual(b, a) != tt.strict || jsjson.DeepEqual(b, a) != tt.deep {
				t.Error("equality is not symmetric")
			}
			if got := a.Digest() == b.Digest(); got != tt.deep {
				t.Errorf("equal digests = %v, want %v", got, tt.deep)
			}
		})
	}
}

func TestEqualityOfAbsentValues(t *testing.T) {
	absent, null := jsjson.Value{}, parse(t, "null")
	if !jsjson.StrictEqual(absent, absent) || !jsjson.DeepEqual(absent, absent) || absent.Digest() != (jsjson.Value{}).Digest() {
		t.Error("an absent value does not equal itself")
	}
	if jsjson.StrictEqual(absent, null) || jsjson.DeepEqual(absent, null) || absent.Digest() == null.Digest() {
		t.Error("an absent value equals null")
	}
}
