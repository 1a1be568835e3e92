package jsjson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// features returns the features by name, with their offsets.
func features(f *jsjson.Features) map[string]int {
	got := map[string]int{}
	for x := jsjson.InvalidUTF8; x <= jsjson.NonCanonicalEscape; x++ {
		if f.Has(x) {
			got[x.String()] = f.First(x)
		}
	}
	return got
}

func manyKeys(n int, last string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"key-%d":0,`, i)
	}
	return "{" + b.String() + last + ":0}"
}

func TestFeatures(t *testing.T) {
	many := manyKeys(100, `"key-7"`)
	for _, tt := range []struct {
		name, text string
		want       map[string]int
	}{
		{"canonical text has none", `{"a":[1,-2.5,1e-7,"é\n\u001f"],"b":{"a":null}}`, nil},

		{"invalid byte", "[\"ok\",\"a\xFF\"]", map[string]int{"invalid UTF-8": 8}},
		{"invalid byte behind an escape", "\"a\\n\xC0\x80\"", map[string]int{"invalid UTF-8": 4}},
		{"encoded surrogate", "\"\xED\xA0\x80\"", map[string]int{"invalid UTF-8": 1}},
		{"cut character in a key", "{\"\xE2\x82\":0}", map[string]int{"invalid UTF-8": 2}},

		{"lone high surrogate", `"a\ud800"`, map[string]int{"lone surrogate": 2}},
		{"lone low surrogate in upper case", `"\uDC00"`, map[string]int{"lone surrogate": 1, "non-canonical escape": 1}},
		{"surrogates in the wrong order", `"\udc00\ud800"`, map[string]int{"lone surrogate": 1}},
		{"surrogate pair as escapes", `"\ud83d\ude00"`, map[string]int{"non-canonical escape": 1}},
		{"high surrogate before a pair", `"\ud83d\ud83d\ude00"`, map[string]int{"lone surrogate": 1, "non-canonical escape": 7}},

		{"overflow", `[0,1e400]`, map[string]int{"number overflow": 3}},
		{"negative overflow", `-1e309`, map[string]int{"number overflow": 0}},
		{"greatest double", `1.7976931348623157e+308`, nil},
		{"number that rounds to the greatest double", `1.7976931348623158e308`, map[string]int{"imprecise number": 0}},
		{"number that rounds up to infinity", `1.797693134862315808e308`, map[string]int{"number overflow": 0}},
		{"minus zero", `[1,-0]`, map[string]int{"negative zero": 3}},
		{"minus zero with a fraction", `-0.0`, map[string]int{"negative zero": 0}},
		{"minus zero with an exponent", `-0e5`, map[string]int{"negative zero": 0}},
		{"underflow", `1e-400`, map[string]int{"number underflow": 0}},
		{"negative underflow", `-1e-400`, map[string]int{"number underflow": 0, "negative zero": 0}},
		{"least double", `5e-324`, nil},
		{"number that rounds to the least double", `3e-324`, map[string]int{"imprecise number": 0}},
		{"integer beyond the doubles", `9007199254740993`, map[string]int{"imprecise number": 0}},
		{"integer beyond 2^53 that is a double", `9007199254740994`, nil},
		{"integer whose shortest text is another", `9223372036854775807`, map[string]int{"imprecise number": 0}},
		{"digits that the double does not keep", `0.1000000000000000055`, map[string]int{"imprecise number": 0}},
		{"fraction of zeros", `1.0`, map[string]int{"non-canonical number": 0}},
		{"trailing zero", `0.10`, map[string]int{"non-canonical number": 0}},
		{"zero with a fraction", `0.00`, map[string]int{"non-canonical number": 0}},
		{"exponent where digits do", `1e2`, map[string]int{"non-canonical number": 0}},
		{"digits where an exponent is due", `0.0000001`, map[string]int{"non-canonical number": 0}},
		{"integer where an exponent is due", `1000000000000000000000`, map[string]int{"non-canonical number": 0}},
		{"upper-case exponent", `1E+21`, map[string]int{"non-canonical number": 0}},
		{"exponent without a plus", `1e21`, map[string]int{"non-canonical number": 0}},

		{"duplicate key", `{"a":1,"b":2,"a":3}`, map[string]int{"duplicate key": 13}},
		{"duplicate key by escape", `{"a":1,"\u0061":2}`, map[string]int{"duplicate key": 7, "non-canonical escape": 8}},
		{"duplicate key by replacement", "{\"\xFF\":1,\"\xFE\":2}", map[string]int{"duplicate key": 7, "invalid UTF-8": 2}},
		{"duplicate key deep inside", `[{"a":{"b":1,"c":{"b":2},"b":3}}]`, map[string]int{"duplicate key": 25}},
		{"same key in other objects", `{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}`, nil},
		{"keys with the same length and start", `{"identifier-1":1,"identifier-2":2}`, nil},
		{"short keys where one starts the other", `{"":1,"a":2,"ab":3,"abcdefgh":4,"abcdefghi":5}`, nil},
		{"duplicate among many keys", many, map[string]int{"duplicate key": len(many) - len(`"key-7":0}`)}},
		{"duplicate of the seventeenth key", manyKeys(17, `"key-16"`), map[string]int{"duplicate key": len(manyKeys(17, `"key-16"`)) - len(`"key-16":0}`)}},
		{"many different keys", manyKeys(1000, `"key-1000"`), nil},
		{"earliest duplicate of nested objects", `{"a":1,"a":{"b":1,"b":2}}`, map[string]int{"duplicate key": 7}},

		{"proto key", `[{"a":1,"__proto__":2}]`, map[string]int{"__proto__ key": 8}},
		{"proto key by escape", `{"\u005f_proto__":2}`, map[string]int{"__proto__ key": 1, "non-canonical escape": 2}},
		{"constructor key", `{"constructor":1,"toString":2}`, nil},

		{"index keys first and ascending", `{"0":1,"2":2,"10":3,"a":4}`, nil},
		{"index key after another key", `{"a":1,"0":2}`, map[string]int{"index key": 7}},
		{"index keys descending", `{"10":1,"9":2}`, map[string]int{"index key": 8}},
		{"greatest index", `{"a":1,"4294967294":2}`, map[string]int{"index key": 7}},
		{"number past the greatest index", `{"a":1,"4294967295":2}`, nil},
		{"number with a leading zero", `{"a":1,"01":2}`, nil},
		{"index key after an inner object's keys", `{"1":{"b":0,"c":1},"2":{}}`, nil},

		{"space between tokens", `{"a": 1}`, map[string]int{"whitespace": 5}},
		{"leading TAB", "\t1", map[string]int{"whitespace": 0}},
		{"space in an empty array", `[[ ]]`, map[string]int{"whitespace": 2}},
		{"trailing space", `[] `, map[string]int{"whitespace": 2}},
		{"trailing CR", "[]\r", map[string]int{"trailing CR": 2}},
		{"space and trailing CR", "[] \r", map[string]int{"whitespace": 2, "trailing CR": 3}},
		{"CR before the last LF", "[]\r\n", map[string]int{"whitespace": 2}},
		{"two trailing CR", "[]\r\r", map[string]int{"whitespace": 2, "trailing CR": 3}},
		{"CR inside", "[\r1]", map[string]int{"whitespace": 1}},

		{"escaped slash", `"a\/"`, map[string]int{"non-canonical escape": 2}},
		{"escaped letter", `"\n\u0041"`, map[string]int{"non-canonical escape": 3}},
		{"long escape of LF", `"\u000a"`, map[string]int{"non-canonical escape": 1}},
		{"upper-case control escape", `"\u001F"`, map[string]int{"non-canonical escape": 1}},
		{"escaped DEL", `"\u007f"`, map[string]int{"non-canonical escape": 1}},
		{"escaped line separator", `"\u2028"`, map[string]int{"non-canonical escape": 1}},
		{"escaped quote in the long form", `"\u0022"`, map[string]int{"non-canonical escape": 1}},
		{"escaped NUL", `"\u0000"`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var d jsjson.Doc
			if err := d.Parse([]byte(tt.text)); err != nil {
				t.Fatal(err)
			}
			want := tt.want
			if want == nil {
				want = map[string]int{}
			}
			if diff := cmp.Diff(want, features(&d.Features)); diff != "" {
				t.Errorf("features of %q (-want +got):\n%s", tt.text, diff)
			}
			canonical := string(jsjson.AppendCanonical(nil, d.Root)) == tt.text
			if d.Features.Canonical() != canonical {
				t.Errorf("Canonical() = %v for %q", d.Features.Canonical(), tt.text)
			}
			if d.Features.Any() != (len(want) > 0) {
				t.Errorf("Any() = %v", d.Features.Any())
			}
		})
	}
}

func TestFirstOfAMissingFeature(t *testing.T) {
	var f jsjson.Features
	if got := f.First(jsjson.DuplicateKey); got != -1 {
		t.Errorf("First = %d, want -1", got)
	}
}

// A quadratic search would take hours.
func TestDuplicateSearchInAMillionKeys(t *testing.T) {
	text := manyKeys(1_000_000, `"key-0"`)
	var d jsjson.Doc
	if err := d.Parse([]byte(text)); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"duplicate key": len(text) - len(`"key-0":0}`)}
	if diff := cmp.Diff(want, features(&d.Features)); diff != "" {
		t.Errorf("features (-want +got):\n%s", diff)
	}
}
