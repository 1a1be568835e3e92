package vectortest

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestApply(t *testing.T) {
	for _, test := range []struct{ name, image, op, want string }{
		{"literal replaces the whole image", "ab", `{"op":"literal","bytes":"xyz"}`, "xyz"},
		{"cut keeps the bytes before the offset", "abc", `{"op":"cut","at":2}`, "ab"},
		{"splice deletes and inserts", "abcd", `{"op":"splice","at":1,"del":2,"bytes":"XYZ"}`, "aXYZd"},
		{"splice without bytes only deletes", "abcd", `{"op":"splice","at":0,"del":3}`, "d"},
		{"splice inserts at the end", "ab", `{"op":"splice","at":2,"del":0,"bytes":"c"}`, "abc"},
		{"append adds at the end", "a\n", `{"op":"append","bytes":"b"}`, "a\nb"},
		{"xor changes one byte", "abc", `{"op":"xor","at":1,"mask":32}`, "aBc"},
		{"crlf leaves a last line without line feed", "a\nb\nc", `{"op":"crlf"}`, "a\r\nb\r\nc"},
		{"crlf begins at the line named", "a\nb\nc\n", `{"op":"crlf","from":1}`, "a\nb\r\nc\r\n"},
		{"delLine removes the line feed too", "a\nb\nc\n", `{"op":"delLine","line":1}`, "a\nc\n"},
		{"dupLine copies the line", "a\nb\n", `{"op":"dupLine","line":0}`, "a\na\nb\n"},
		{"dupLine glues the copy of a line without line feed", "a\nb", `{"op":"dupLine","line":1}`, "a\nbb"},
		{"swapLines exchanges two lines", "a\nb\nc\n", `{"op":"swapLines","a":0,"b":2}`, "c\nb\na\n"},
		{"swapLines takes the lack of a line feed along", "a\nb", `{"op":"swapLines","a":0,"b":1}`, "ba\n"},
		{"insLine adds a line feed", "a\nb\n", `{"op":"insLine","line":1,"bytes":"x"}`, "a\nx\nb\n"},
		{"insLine inserts after the last line", "a\n", `{"op":"insLine","line":1,"bytes":"x"}`, "a\nx\n"},
		{"setLine keeps the line feed", "a\nb\n", `{"op":"setLine","line":0,"bytes":"xy"}`, "xy\nb\n"},
		{"setLine adds no line feed", "a\nb", `{"op":"setLine","line":1,"bytes":"xy"}`, "a\nxy"},
		{"joinLine glues the next line on", "a\nb\n", `{"op":"joinLine","line":0}`, "ab\n"},
		{"keepLines keeps the first lines", "a\nb\nc", `{"op":"keepLines","n":2}`, "a\nb\n"},
		{"replaceInLine takes the first occurrence", "bb\nab b\n", `{"op":"replaceInLine","line":1,"find":"b","with":"XY"}`, "bb\naXY b\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			image := []byte(test.image)
			got, err := parseOp(t, test.op).apply(image)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("image (-want +got):\n%s", diff)
			}
			if string(image) != test.image {
				t.Errorf("apply altered its input to %q", image)
			}
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	for _, test := range []struct{ name, op, want string }{
		{"cut beyond the end", `{"op":"cut","at":5}`, "cut: no -1 bytes at 5 in 4"},
		{"splice beyond the end", `{"op":"splice","at":3,"del":2}`, "splice: no 2 bytes at 3 in 4"},
		{"splice before the start", `{"op":"splice","at":-1,"del":2}`, "splice: no 2 bytes at -1 in 4"},
		{"xor at the end", `{"op":"xor","at":4,"mask":1}`, "no byte 4 in 4"},
		{"a line that is not there", `{"op":"delLine","line":2}`, "no line 2 in 2"},
		{"an insertion beyond the end", `{"op":"insLine","line":3}`, "no line 3 in 3"},
		{"a swap with a line that is not there", `{"op":"swapLines","a":2}`, "no line 2 in 2"},
		{"more lines than there are", `{"op":"keepLines","n":3}`, "keepLines: no 3 lines in 2"},
		{"text that does not occur", `{"op":"replaceInLine","find":"b","with":"x"}`, `replaceInLine: no "b" in line 0`},
		{"an op that is not known", `{"op":"reverse"}`, `unknown op "reverse"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := parseOp(t, test.op).apply([]byte("a\nb\n"))
			if err == nil || err.Error() != test.want {
				t.Errorf("got error %v, want %q", err, test.want)
			}
		})
	}
}

func parseOp(t *testing.T, text string) *Op {
	t.Helper()
	var op Op
	if err := decode([]byte(text), &op); err != nil {
		t.Fatal(err)
	}
	return &op
}

func TestBytes(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a string is its UTF-8", `"\u00e9\u2028\ud83d\ude00"`, "é\u2028😀"},
		{"an empty string is no byte", `""`, ""},
		{"utf8 is the same as a string", `{"utf8":"é"}`, "é"},
		{"hex may be invalid UTF-8", `{"hex":"c0AF00"}`, "\xc0\xaf\x00"},
		{"b64 has the standard alphabet and padding", `{"b64":"+/8="}`, "\xfb\xff"},
		{"rep makes copies", `{"rep":"ab","n":3}`, "ababab"},
		{"no copies are no byte", `{"rep":"ab","n":0}`, ""},
		{"cat joins and forms nest", `{"cat":["<",{"rep":{"hex":"00"},"n":2},{"cat":["a","b"]},">"]}`, "<\x00\x00ab>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got Bytes
			if err := json.Unmarshal([]byte(test.text), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("bytes (-want +got):\n%s", diff)
			}
		})
	}
	for _, text := range []string{`{}`, `{"hex":"0"}`, `{"hex":"zz"}`, `{"b64":"?"}`, `{"rep":"a","n":-1}`, `{"oct":"7"}`, `7`} {
		t.Run("refuses "+text, func(t *testing.T) {
			var got Bytes
			if err := json.Unmarshal([]byte(text), &got); err == nil {
				t.Errorf("got %q, want an error", got)
			}
		})
	}
}

func TestBuildRefusesAnotherImage(t *testing.T) {
	v := Vector{InputBytes: 2, InputSHA256: hexSHA256([]byte("ab"))}
	for base, want := range map[string]string{
		"ab":  "",
		"abc": "image has 3 bytes, want 2",
		"ac":  "image has the SHA-256 " + hexSHA256([]byte("ac")) + ", want " + v.InputSHA256,
	} {
		got := ""
		if _, err := v.build([]byte(base)); err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("base %q: error (-want +got):\n%s", base, diff)
		}
	}
}

func TestEngineMessage(t *testing.T) {
	for text, want := range map[string]bool{
		"Cannot read properties of null (reading 'seq')":                                                          true,
		`stored session "a" failed validation: TypeError: Cannot read properties of undefined (reading 'reason')`: true,
		"Maximum call stack size exceeded":                                                                        true,
		"cwd.charCodeAt is not a function":                                                                        true,
		"corrupt session log: first line is not a session header":                                                 false,
		"": false,
	} {
		if got := EngineMessage(text); got != want {
			t.Errorf("EngineMessage(%q) = %t", text, got)
		}
	}
}

func TestEveryVectorBuilds(t *testing.T) {
	vectors := Load(t)
	got := map[string]int{}
	ids := map[string]bool{}
	for _, v := range vectors {
		v.Image(t)
		got[v.Group+" "+v.Encoding]++
		ids[v.ID] = true
	}
	want := map[string]int{
		"upstream raw": 164, "hydrated raw": 164, "bases raw": 5, "bases zstd": 15,
		"truncated raw": 833, "truncated zstd": 814, "mutated raw": 961, "mutated zstd": 281,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("vectors a group (-want +got):\n%s", diff)
	}
	if len(ids) != len(vectors) {
		t.Errorf("%d ids for %d vectors", len(ids), len(vectors))
	}
}

func TestText(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a character beyond ASCII stands for itself", `"\u00e9\u2028\u007f"`, "\"é\u2028\u007f\""},
		{"a surrogate pair is one character", `"\ud834\udd1e"`, `"𝄞"`},
		{"a lone surrogate stays escaped", `"a\ud800b\udc00"`, `"a\ud800b\udc00"`},
		{"two high surrogates make no pair", `"\ud834\ud834\udd1e"`, `"\ud834𝄞"`},
		{"a replacement character is no lone surrogate", `"\ufffd"`, "\"\uFFFD\""},
		{"a control character stays escaped", `"\u0000\u001f\n\""`, `"\u0000\u001f\n\""`},
		{"an escaped backslash begins no escape", `"\\u00e9\\\u00e9"`, `"\\u00e9\\é"`},
		{"the order and the numbers stay", `{"b":1e+21,"a":{"b":-1}}`, `{"b":1e+21,"a":{"b":-1}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got Text
			if err := json.Unmarshal([]byte(test.text), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

// The reference appends the closers and nothing else to a raw log.
func TestClosersHaveTheAppendedText(t *testing.T) {
	compared := 0
	for _, v := range Load(t) {
		repaired := v.Expect.Repaired
		if v.Encoding != "raw" || repaired == nil || repaired.AppendedSHA256 == "" {
			continue
		}
		closers := make([][]byte, len(v.Expect.Closers))
		for i, closer := range v.Expect.Closers {
			closers[i] = []byte(closer)
		}
		if got := CaseEventsSHA256(closers); got != repaired.AppendedSHA256 {
			t.Errorf("%s: closers have the digest %s, want %s", v.ID, got, repaired.AppendedSHA256)
		}
		compared++
	}
	if compared != 880 {
		t.Errorf("compared %d vectors, want 880", compared)
	}
}

// The events of this base are stored unpacked and in canonical text.
func TestEventsSHA256(t *testing.T) {
	vectors := Load(t)
	i := slices.IndexFunc(vectors, func(v Vector) bool { return v.ID == "bases/tiny/raw/identity" })
	if i < 0 {
		t.Fatal("the vector is missing")
	}
	events := splitEvents(vectors[i].Image(t))
	if got, want := EventsSHA256(events), vectors[i].Expect.Scan.EventsSHA256; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := EventsSHA256(nil), hexSHA256(nil); got != want {
		t.Errorf("no events: got %s, want %s", got, want)
	}
}

// splitEvents returns the lines after the header, without their line feeds.
func splitEvents(log []byte) [][]byte {
	return bytes.Split(bytes.TrimSuffix(log, []byte("\n")), []byte("\n"))[1:]
}

func TestHistoryIsOfKnownVectors(t *testing.T) {
	encodings := map[string]string{}
	for _, v := range Load(t) {
		encodings[v.ID] = v.Encoding
	}
	for name, wantOK := range map[string]int{"scan_df4b": 1390, "scan_efee": 1387} {
		records := LoadHistory(t, name)
		ok := 0
		for _, record := range records {
			if encodings[record.ID] != "raw" {
				t.Errorf("%s: %s is not a raw vector", name, record.ID)
			}
			if record.Scan.OK {
				ok++
			}
		}
		if diff := cmp.Diff([]int{2127, wantOK}, []int{len(records), ok}); diff != "" {
			t.Errorf("%s: records and successful scans (-want +got):\n%s", name, diff)
		}
	}
}

func TestEveryCaseLoads(t *testing.T) {
	cases := Cases(t)
	if !slices.IsSortedFunc(cases, func(a, b Case) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the cases are not sorted")
	}
	got := map[string]int{}
	for _, c := range cases {
		got[c.Expect.Upstream]++
		got[string(c.Expect.Repair.Possible)]++
		if info, err := os.Stat(c.Log); err != nil || !info.Mode().IsRegular() || !strings.Contains(c.Log, "session.jsonl") {
			t.Errorf("%s: %q is no log: %v", c.Name, c.Log, err)
		}
		text, ok := c.Repaired(t)
		if !ok {
			continue
		}
		got["repaired"]++
		if digest := CaseEventsSHA256(splitEvents(text)); digest != c.Expect.Repair.EventsSHA256 {
			t.Errorf("%s: repaired events have the digest %s, want %s", c.Name, digest, c.Expect.Repair.EventsSHA256)
		}
	}
	want := map[string]int{
		"loads": 13, "repairs": 9, "refuses": 37,
		"true": 32, "not-needed": 8, "assisted": 9, "choice": 2, "lossy": 2, "false": 6,
		"repaired": 40,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cases a verdict, a repair, and with the repaired log (-want +got):\n%s", diff)
	}
}
