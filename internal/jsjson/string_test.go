package jsjson_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// The counts of U+FFFD are those of Node's Buffer.toString("utf8").
func TestInvalidUTF8IsReplacedByMaximalSubparts(t *testing.T) {
	const r = "\uFFFD"
	for _, tt := range []struct{ name, text, want string }{
		{"impossible byte", "\xFF", r},
		{"impossible byte FE", "\xFE", r},
		{"continuation alone", "\x80", r},
		{"overlong NUL", "\xC0\x80", r + r},
		{"overlong in two bytes", "\xC1\xBF", r + r},
		{"overlong slash in three bytes", "\xE0\x80\xAF", r + r + r},
		{"greatest overlong form in three bytes", "\xE0\x9F\x80", r + r + r},
		{"overlong in four bytes", "\xF0\x8F\x80\x80", r + r + r + r},
		{"encoded surrogate", "\xED\xA0\x80", r + r + r},
		{"greatest encoded surrogate", "\xED\xBF\xBF", r + r + r},
		{"encoded surrogate pair", "\xED\xA0\xBD\xED\xB8\x80", r + r + r + r + r + r},
		{"past the last code point", "\xF4\x90\x80\x80", r + r + r + r},
		{"five-byte form", "\xF8\x80\x80\x80\x80", r + r + r + r + r},
		{"cut after one of two", "\xC3", r},
		{"cut after one of three", "\xE2", r},
		{"cut after two of three", "\xE2\x82", r},
		{"cut after the least second byte", "\xE0\xA0", r},
		{"cut after one of four", "\xF0", r},
		{"cut after two of four", "\xF0\x9F", r},
		{"cut after three of four", "\xF0\x9F\x98", r},
		{"cut before ASCII", "\xE2\x82A", r + "A"},
		{"cut before another lead", "\xF1\x80\x80\xFF", r + r},
		{"cut before a character", "\xF4\x8Fé", r + "é"},
		{"cut before an escape", "\xE2\x82\\n", r + "\n"},
		{"last before the surrogates", "\xED\x9F\xBF", "\uD7FF"},
		{"first after the surrogates", "\xEE\x80\x80", "\uE000"},
		{"last code point", "\xF4\x8F\xBF\xBF", "\U0010FFFF"},
		{"replacement character itself", r, r},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := parse(t, `"`+tt.text+`"`)
			if diff := cmp.Diff(tt.want, v.Text()); diff != "" {
				t.Errorf("text of % x (-want +got):\n%s", tt.text, diff)
			}
			if !v.EqualText(tt.want) {
				t.Errorf("EqualText(%q) = false", tt.want)
			}
			if diff := cmp.Diff(string(jsjson.AppendQuoted(nil, tt.want)), string(jsjson.AppendCanonical(nil, v))); diff != "" {
				t.Errorf("canonical text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReplacedLen(t *testing.T) {
	for text, want := range map[string]int{
		"":                         0,
		"naïve 😀":                  len("naïve 😀"),
		"\xFF\xFE":                 6,
		"a\xF0\x9F\x98b":           5, // one subpart
		"\xED\xA0\x80":             9, // three
		"\xE2\x82 and \xE2\x82":    11,
		"\uFFFD stands for itself": len("\uFFFD stands for itself"),
	} {
		if got := jsjson.ReplacedLen([]byte(text)); got != want {
			t.Errorf("ReplacedLen(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestText(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", `""`, ""},
		{"plain", `"turn/start"`, "turn/start"},
		{"beyond ASCII", `"naïve 走る 😀"`, "naïve 走る 😀"},
		{"short escapes", `"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
		{"unicode escapes in both cases", `"\u0041\u00e9\u00E9\u0000"`, "Aéé\x00"},
		{"surrogate pair", `"\uD83D\ude00"`, "😀"},
		{"lone high surrogate", `"a\ud800b"`, "a\xED\xA0\x80b"},
		{"lone low surrogate", `"\udfff"`, "\xED\xBF\xBF"},
		{"surrogates in the wrong order", `"\ude00\ud83d"`, "\xED\xB8\x80\xED\xA0\xBD"},
		{"high surrogate before a pair", `"\ud83d\ud83d\ude00"`, "\xED\xA0\xBD😀"},
		{"high surrogate before another escape", `"\ud83d\n\ude00"`, "\xED\xA0\xBD\n\xED\xB8\x80"},
		{"text between two escapes", `"\nlong enough for eight bytes\t"`, "\nlong enough for eight bytes\t"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := parse(t, tt.text)
			if diff := cmp.Diff(tt.want, v.Text()); diff != "" {
				t.Errorf("Text() (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff("<"+tt.want, string(v.AppendText([]byte("<")))); diff != "" {
				t.Errorf("AppendText (-want +got):\n%s", diff)
			}
			if !v.EqualText(tt.want) || v.EqualText(tt.want+"x") || v.EqualText("x"+tt.want) {
				t.Errorf("EqualText does not agree with Text for %s", tt.text)
			}
			if v.NonEmptyString() != (tt.want != "") {
				t.Errorf("NonEmptyString() = %v", v.NonEmptyString())
			}
		})
	}
}

func TestEqualTextTellsStringsApart(t *testing.T) {
	for _, tt := range []struct{ name, text, other string }{
		{"spelling is not text", `"a\n"`, `a\n`},
		{"prefix", `"turn"`, "turn/end"},
		{"longer", `"turn/end"`, "turn"},
		{"prefix before an escape", `"turn\u002fend"`, "turn"},
		{"escape of another character", `"\u0061"`, "b"},
		{"raw bytes that are replaced", "\"\xFF\"", "\xFF"},
		{"case", `"Turn"`, "turn"},
		{"empty", `""`, "a"},
		{"number", `1`, "1"},
		{"null", `null`, "null"},
		{"array", `["a"]`, "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if parse(t, tt.text).EqualText(tt.other) {
				t.Errorf("%s equals %q", tt.text, tt.other)
			}
		})
	}
	if (jsjson.Value{}).EqualText("") {
		t.Error("an absent value equals the empty string")
	}
}

func TestTextOfWhatIsNoString(t *testing.T) {
	for _, v := range []jsjson.Value{{}, parse(t, "12"), parse(t, "[]"), parse(t, "null")} {
		if v.Text() != "" || v.NonEmptyString() {
			t.Errorf("%s: Text() = %q, NonEmptyString() = %v", v.Kind, v.Text(), v.NonEmptyString())
		}
	}
}

func TestEqualTextDoesNotAllocate(t *testing.T) {
	v := parse(t, `"some text with \n an escape and \ud83d\ude00 twice, `+strings.Repeat("x", 100)+`"`)
	text := v.Text()
	if allocs := testing.AllocsPerRun(100, func() {
		if !v.EqualText(text) {
			t.Fatal("text does not equal itself")
		}
	}); allocs != 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}

// A search of the whole rest at every invalid byte would be quadratic.
func TestLongInvalidTextIsDecodedInLinearTime(t *testing.T) {
	const size = 4 << 20
	v := parse(t, `"`+strings.Repeat("\xFF", size)+`\n"`)
	if got := len(v.Text()); got != 3*size+1 {
		t.Errorf("decoded to %d bytes, want %d", got, 3*size+1)
	}
}

func TestAppendQuoted(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", `""`},
		{"plain", "turn/start <&>", `"turn/start <&>"`},
		{"quote and backslash", `a"b\c`, `"a\"b\\c"`},
		{"short escapes", "\b\f\n\r\t", `"\b\f\n\r\t"`},
		{"other control characters in lower case", "\x00\x0B\x1F", `"\u0000\u000b\u001f"`},
		{"DEL and line separators stay", "\x7F\u2028\u2029\uFEFF", "\"\x7F\u2028\u2029\uFEFF\""},
		{"beyond ASCII stays", "é走😀", `"é走😀"`},
		{"lone surrogates", "\xED\xA0\x80x\xED\xBF\xBF", `"\ud800x\udfff"`},
		{"surrogates that met", "\xED\xA0\xBD\xED\xB8\x80", `"😀"`},
		{"surrogates in the wrong order", "\xED\xB8\x80\xED\xA0\xBD", `"\ude00\ud83d"`},
		{"bytes that are not WTF-8", "a\xFFb\xF0\x9F\x98", "\"a\uFFFDb\uFFFD\""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff("x"+tt.want, string(jsjson.AppendQuoted([]byte("x"), tt.text))); diff != "" {
				t.Errorf("AppendQuoted (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAppendUTF16(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []uint16
	}{
		{"ASCII", "ab", []uint16{'a', 'b'}},
		{"one unit", "é走", []uint16{0xE9, 0x8D70}},
		{"two units", "😀", []uint16{0xD83D, 0xDE00}},
		{"lone surrogates", "\xED\xA0\xBDa\xED\xB8\x80", []uint16{0xD83D, 'a', 0xDE00}},
		{"surrogates that met", "\xED\xA0\xBD\xED\xB8\x80", []uint16{0xD83D, 0xDE00}},
		{"invalid byte", "\xFF", []uint16{0xFFFD}},
		{"surrogate cut short", "\xED\xA0", []uint16{0xFFFD, 0xFFFD}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, jsjson.AppendUTF16(nil, tt.text)); diff != "" {
				t.Errorf("AppendUTF16 (-want +got):\n%s", diff)
			}
		})
	}
}

func TestToValidUTF8(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"naïve 😀":                  "naïve 😀",
		"a\xED\xA0\x80b":           "a\uFFFDb",
		"\xED\xA0\xBD\xED\xB8\x80": "😀",
		"é\xED\xBF\xBF\xFF":        "é\uFFFD\uFFFD",
	} {
		if diff := cmp.Diff(want, jsjson.ToValidUTF8(text)); diff != "" {
			t.Errorf("ToValidUTF8(%q) (-want +got):\n%s", text, diff)
		}
	}
}
