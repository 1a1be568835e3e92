package jsjson_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// parse returns the root of a text that must be JSON.
func parse(t *testing.T, text string) jsjson.Value {
	t.Helper()
	var d jsjson.Doc
	if err := d.Parse([]byte(text)); err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return d.Root
}

func TestParseRefusesWhatJSONParseRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
	}{
		{"empty text", "", `offset 0: unexpected end of text`},
		{"only whitespace", " \t\r\n", `offset 4: unexpected end of text`},
		{"byte order mark", "\xEF\xBB\xBF1", `offset 0: unexpected byte 0xef at start of value`},
		{"vertical tab is no whitespace", "\v1", `offset 0: unexpected byte 0x0b at start of value`},
		{"form feed is no whitespace", "1\f", `offset 1: unexpected byte 0x0c after value`},
		{"no-break space is no whitespace", "1\u00A0", `offset 1: unexpected byte 0xc2 after value`},
		{"line separator is no whitespace", "1\u2028", `offset 1: unexpected byte 0xe2 after value`},
		{"NUL after the value", "1\x00", `offset 1: unexpected byte 0x00 after value`},
		{"NUL instead of a value", "\x00\x00", `offset 0: unexpected byte 0x00 at start of value`},
		{"NUL in an array", "[1\x00]", `offset 2: unexpected byte 0x00 after value in array`},
		{"two values", "{} {}", `offset 3: unexpected character '{' after value`},
		{"two values without a gap", `{"a":1}{"a":2}`, `offset 7: unexpected character '{' after value`},
		{"open array", "[", `offset 1: unexpected end of text`},
		{"open object", "{", `offset 1: unexpected end of text`},
		{"open nested object", `[{"a":[1,2`, `offset 10: unexpected end of text`},
		{"closer that does not match in an array", "[1}", `offset 2: unexpected character '}' after value in array`},
		{"closer that does not match in an object", `{"a":1]`, `offset 6: unexpected character ']' after value in object`},
		{"closer alone", "]", `offset 0: unexpected character ']' at start of value`},
		{"trailing comma in an array", "[1,]", `offset 3: unexpected character ']' at start of value`},
		{"trailing comma in an object", `{"a":1,}`, `offset 7: unexpected character '}' at start of key`},
		{"leading comma", "[,1]", `offset 1: unexpected character ',' at start of value`},
		{"elements without a comma", "[1 2]", `offset 3: unexpected character '2' after value in array`},
		{"key that is no string", "{1:2}", `offset 1: unexpected character '1' at start of key`},
		{"key without a colon", `{"a" 1}`, `offset 5: unexpected character '1' after key`},
		{"key without a value", `{"a":}`, `offset 5: unexpected character '}' at start of value`},
		{"key at the end", `{"a"`, `offset 4: unexpected end of text`},
		{"single quotes", "'a'", `offset 0: unexpected character '\'' at start of value`},
		{"comment", "/**/1", `offset 0: unexpected character '/' at start of value`},
		{"short literal", "nul", `offset 3: unexpected end of text`},
		{"misspelled literal", "[trux]", `offset 4: unexpected character 'x' in true`},
		{"long literal", "falsey", `offset 5: unexpected character 'y' after value`},
		{"upper-case literal", "True", `offset 0: unexpected character 'T' at start of value`},
		{"NaN", "NaN", `offset 0: unexpected character 'N' at start of value`},
		{"Infinity", "Infinity", `offset 0: unexpected character 'I' at start of value`},
		{"minus Infinity", "-Infinity", `offset 1: unexpected character 'I' in number`},
		{"undefined", "undefined", `offset 0: unexpected character 'u' at start of value`},
		{"plus sign", "+1", `offset 0: unexpected character '+' at start of value`},
		{"minus alone", "-", `offset 1: unexpected end of text`},
		{"leading zero", "01", `offset 1: unexpected character '1' after leading zero`},
		{"leading zero after minus", "-00", `offset 2: unexpected character '0' after leading zero`},
		{"no digit before the point", ".5", `offset 0: unexpected character '.' at start of value`},
		{"no digit after the point", "[5.]", `offset 3: unexpected character ']' in number`},
		{"no digit between point and exponent", "5.e1", `offset 2: unexpected character 'e' in number`},
		{"no digit in the exponent", "1e", `offset 2: unexpected end of text`},
		{"no digit after the exponent's sign", "1e+,", `offset 3: unexpected character ',' in number`},
		{"hexadecimal", "0x10", `offset 1: unexpected character 'x' after value`},
		{"numeric separator", "1_000", `offset 1: unexpected character '_' after value`},
		{"open string", `"abc`, `offset 4: unexpected end of text in string`},
		{"open string of more than eight bytes", `"abcdefghijk`, `offset 12: unexpected end of text in string`},
		{"string that ends in a backslash", `"abc\`, `offset 5: unexpected end of text in string`},
		{"escaped closing quote", `"abc\"`, `offset 6: unexpected end of text in string`},
		{"raw NUL in a string", "\"a\x00\"", `offset 2: control character 0x00 in string`},
		{"raw TAB in a string", "\"a\tb\"", `offset 2: control character 0x09 in string`},
		{"raw LF in a long string", "\"abcdefghijkl\n\"", `offset 13: control character 0x0a in string`},
		{"raw 0x1F behind invalid UTF-8", "\"\xFF\x1F\"", `offset 2: control character 0x1f in string`},
		{"unknown escape", `"\x41"`, `offset 2: unexpected character 'x' after backslash`},
		{"escaped single quote", `"\'"`, `offset 2: unexpected character '\'' after backslash`},
		{"escape of a byte that is not ASCII", "\"\\\xC3\xA9\"", `offset 2: unexpected byte 0xc3 after backslash`},
		{"three digits of a unicode escape", `"\u123"`, `offset 6: unexpected character '"' in unicode escape`},
		{"unicode escape at the end", `"\u12`, `offset 5: unexpected end of text in string`},
		{"unicode escape with a wrong digit", `"\u12g4"`, `offset 5: unexpected character 'g' in unicode escape`},
		{"high surrogate before a broken escape", `"\ud83d\uzz"`, `offset 9: unexpected character 'z' in unicode escape`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var d jsjson.Doc
			err := d.Parse([]byte(tt.text))
			if err == nil {
				t.Fatalf("Parse(%q) succeeded, want error %q", tt.text, tt.want)
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("Parse(%q) (-want +got):\n%s", tt.text, diff)
			}
			if d.Root.Exists() {
				t.Errorf("root after an error is %s", d.Root.Kind)
			}
			if jsjson.Valid([]byte(tt.text)) {
				t.Errorf("Valid(%q) = true", tt.text)
			}
		})
	}
}

func TestParseAcceptsWhatJSONParseAccepts(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		kind       jsjson.Kind
		raw        string
	}{
		{"null", "null", jsjson.Null, "null"},
		{"true", "true", jsjson.True, "true"},
		{"false", "false", jsjson.False, "false"},
		{"zero", "0", jsjson.Number, "0"},
		{"number with everything", "-12.50E+07", jsjson.Number, "-12.50E+07"},
		{"number beyond the range", "1e400", jsjson.Number, "1e400"},
		{"empty string", `""`, jsjson.String, `""`},
		{"every escape", `"\"\\\/\b\f\n\r\t\u0000\uABcd"`, jsjson.String, `"\"\\\/\b\f\n\r\t\u0000\uABcd"`},
		{"DEL and line separators in a string", "\"\x7F\u2028\u2029\"", jsjson.String, "\"\x7F\u2028\u2029\""},
		{"byte order mark in a string", "\"\uFEFF\"", jsjson.String, "\"\uFEFF\""},
		{"invalid UTF-8 in a string", "\"\xFF\xED\xA0\x80\"", jsjson.String, "\"\xFF\xED\xA0\x80\""},
		{"cut UTF-8 before the closing quote", "\"\xF0\x9F\x98\"", jsjson.String, "\"\xF0\x9F\x98\""},
		{"empty array with a gap", "[ ]", jsjson.Array, "[ ]"},
		{"empty object with a gap", "{\n}", jsjson.Object, "{\n}"},
		{"whitespace everywhere", " \t\r\n{ \"a\" : [ 1 , 2 ] } \r\n", jsjson.Object, `{ "a" : [ 1 , 2 ] }`},
		{"nested empty containers", `[[],{},[{}]]`, jsjson.Array, `[[],{},[{}]]`},
		{"empty key", `{"":0}`, jsjson.Object, `{"":0}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := parse(t, tt.text)
			if root.Kind != tt.kind || string(root.Raw()) != tt.raw {
				t.Errorf("root is %s %q, want %s %q", root.Kind, root.Raw(), tt.kind, tt.raw)
			}
			if !jsjson.Valid([]byte(tt.text)) {
				t.Errorf("Valid(%q) = false", tt.text)
			}
		})
	}
}

func TestSyntaxErrorTellsTheOffset(t *testing.T) {
	var d jsjson.Doc
	var syntax *jsjson.SyntaxError
	if err := d.Parse([]byte(`{"type":bad}`)); !errors.As(err, &syntax) || syntax.Offset != 8 {
		t.Errorf("Parse: %#v, want a *SyntaxError at offset 8", err)
	}
}

func TestMembersAreThoseOfTheRootObject(t *testing.T) {
	type member struct{ Key, Kind, Raw string }
	for _, tt := range []struct {
		name, text string
		want       []member
	}{
		{"object with every kind", ` {"n":null,"f":false,"t":true,"i":-1.5e3,"s":"x\"y","a":[1,{"s":2}],"o":{"a":{}}}`, []member{
			{"n", "null", "null"},
			{"f", "false", "false"},
			{"t", "true", "true"},
			{"i", "number", "-1.5e3"},
			{"s", "string", `"x\"y"`},
			{"a", "array", `[1,{"s":2}]`},
			{"o", "object", `{"a":{}}`},
		}},
		{"duplicates and escaped keys", `{"a":1,"\u0061":2,"a":[]}`, []member{
			{"a", "number", "1"}, {"a", "number", "2"}, {"a", "array", "[]"},
		}},
		{"whitespace around values", "{ \"a\" : 1 , \"b\" :\t[ 2 ]\r\n}", []member{{"a", "number", "1"}, {"b", "array", "[ 2 ]"}}},
		{"empty object", "{}", nil},
		{"array of objects", `[{"a":1}]`, nil},
		{"scalar", `"a"`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var d jsjson.Doc
			if err := d.Parse([]byte(tt.text)); err != nil {
				t.Fatal(err)
			}
			var got []member
			for m := range d.Root.Members() {
				got = append(got, member{m.Key.Text(), m.Value.Kind.String(), string(m.Value.Raw())})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGetFindsTheLastMember(t *testing.T) {
	var d jsjson.Doc
	if err := d.Parse([]byte(`{"type":1,"data":{"seq":7},"ty\u0070e":2,"TYPE":3}`)); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"type": "2", "data": `{"seq":7}`, "TYPE": "3", "seq": "", "Type": "", "": ""} {
		if got := string(d.Get(key).Raw()); got != want {
			t.Errorf("Get(%q) = %q, want %q", key, got, want)
		}
		if got := string(d.Root.Get(key).Raw()); got != want {
			t.Errorf("Root.Get(%q) = %q, want %q", key, got, want)
		}
	}
}

func TestDocIsReusable(t *testing.T) {
	var d jsjson.Doc
	if err := d.Parse([]byte(`{"\u0061":-0,"a":{"b":[ 1`)); err == nil {
		t.Fatal("Parse of a cut text succeeded")
	}
	if err := d.Parse([]byte(`{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	if d.Features.Any() || d.Depth != 1 || d.Root.Len() != 1 {
		t.Errorf("after reuse: features %v, depth %d, %d members", features(&d.Features), d.Depth, d.Root.Len())
	}
}

func TestDepth(t *testing.T) {
	for text, want := range map[string]int{`1`: 0, `[]`: 1, `{"a":[1,{}],"b":[]}`: 3, `[[[]],[]]`: 3} {
		var d jsjson.Doc
		if err := d.Parse([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if d.Depth != want {
			t.Errorf("depth of %s is %d, want %d", text, d.Depth, want)
		}
	}
}

func TestParseDoesNotAllocate(t *testing.T) {
	text := []byte(`{"type":"tool/result","seq":12,"time":1785830400123.5,"data":{"a":[1,-0,{"\u0061":"é\n\ud83d"}],"type":"x"}}`)
	var d jsjson.Doc
	allocs := testing.AllocsPerRun(100, func() {
		if d.Parse(text) != nil || !d.Get("seq").Exists() {
			t.Fatal("line is not read")
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations a line, want none", allocs)
	}
}

func TestNestingHasNoLimit(t *testing.T) {
	const depth = 10_000_000
	open := strings.Repeat("[", depth)
	var d jsjson.Doc
	var syntax *jsjson.SyntaxError
	if err := d.Parse([]byte(open)); !errors.As(err, &syntax) || syntax.Offset != depth {
		t.Errorf("ten million opening brackets: %v", err)
	}
	if err := d.Parse([]byte(open + strings.Repeat("]", depth))); err != nil || d.Depth != depth {
		t.Errorf("ten million arrays: depth %d, error %v", d.Depth, err)
	}
}
