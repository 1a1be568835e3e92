package repair

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
)

func recordOf(t failer, text string) *scan.Record {
	t.Helper()
	var r scan.Record
	if r.Reparse([]byte(text)); r.Syntax != nil {
		t.Fatalf("%s: %v", text, r.Syntax)
	}
	return &r
}

// edited returns the text of a record with edits, and fails when it is no JSON.
func edited(t failer, r *scan.Record, edits ...Edit) string {
	t.Helper()
	slices.SortFunc(edits, byPlace)
	text := appendEdited(nil, r.Text, edits)
	if !jsjson.Valid(text) {
		t.Errorf("the edits make %s", text)
	}
	return string(text)
}

func TestAMemberIsAddedBehindTheOthers(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"one other", `{"type":"t","data":{"a":1}}`, `{"type":"t","data":{"a":1,"id":"x"}}`},
		{"none other", `{"type":"t","data":{}}`, `{"type":"t","data":{"id":"x"}}`},
		{"none other but white space", "{\"type\":\"t\",\"data\":{ \t}}", "{\"type\":\"t\",\"data\":{ \t\"id\":\"x\"}}"},
		{"white space before the end", `{"type":"t","data":{"a":1 } }`, `{"type":"t","data":{"a":1 ,"id":"x"} }`},
		{"braces in a string", `{"type":"t","data":{"a":"}{"}}`, `{"type":"t","data":{"a":"}{","id":"x"}}`},
		{"the last of two objects counts", `{"data":{},"type":"t","data":{"a":1}}`, `{"data":{},"type":"t","data":{"a":1,"id":"x"}}`},
		{"a line of CRLF", "{\"type\":\"t\",\"data\":{}}\r", "{\"type\":\"t\",\"data\":{\"id\":\"x\"}}\r"},
		{"white space before the record", ` {"type":"t","data":{}}`, ` {"type":"t","data":{"id":"x"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := recordOf(t, tt.text)
			if diff := cmp.Diff(tt.want, edited(t, r, addMember(r, "data.id", r.Event.Data, "id", `"x"`))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestOnlyTheValueOfAMemberIsSet(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a number", `{"type":"t","time":1.5,"seq":1}`, `{"type":"t","time":7,"seq":1}`},
		{"white space stays", "{\"type\":\"t\",\"time\" :\t1.5 }\r", "{\"type\":\"t\",\"time\" :\t7 }\r"},
		{"the last of duplicates counts", `{"time":1.5,"type":"t","time":[{}]}`, `{"time":1.5,"type":"t","time":7}`},
		{"an escaped key", `{"type":"t","\u0074ime":"x"}`, `{"type":"t","\u0074ime":7}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := recordOf(t, tt.text)
			if diff := cmp.Diff(tt.want, edited(t, r, setValue(r, "time", r.Event.Time, "7"))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// removeAll removes the members with the given keys.
func removeAll(t failer, r *scan.Record, keys ...string) string {
	t.Helper()
	var edits []Edit
	for m := range r.Event.Root.Members() {
		if slices.Contains(keys, m.Key.Text()) {
			edits = append(edits, removeMember(r, m.Key.Text(), m))
		}
	}
	return edited(t, r, edits...)
}

func TestAMemberIsRemovedWithItsComma(t *testing.T) {
	tests := []struct {
		name, text string
		keys       []string
		want       string
	}{
		{"the first", `{"x":1,"type":"t"}`, []string{"x"}, `{"type":"t"}`},
		{"the last", `{"type":"t","x":1}`, []string{"x"}, `{"type":"t"}`},
		{"one in the middle, behind the type", `{"type":"t","x":{"y":[1,2]},"seq":1}`, []string{"x"}, `{"type":"t","seq":1}`},
		{"one in the middle, before the type", `{"seq":1,"x":"a,b","type":"t"}`, []string{"x"}, `{"seq":1,"type":"t"}`},
		{"several at the front", `{"x":1,"y":2,"z":3,"type":"t"}`, []string{"x", "y", "z"}, `{"type":"t"}`},
		{"several at the back", `{"type":"t","x":1,"y":2,"z":3}`, []string{"x", "y", "z"}, `{"type":"t"}`},
		{"on both sides", `{"x":1,"y":2,"type":"t","z":3,"v":4}`, []string{"x", "y", "z", "v"}, `{"type":"t"}`},
		{"the second of those at the front", `{"x":1,"y":2,"type":"t"}`, []string{"y"}, `{"x":1,"type":"t"}`},
		{"the second of those at the back", `{"type":"t","x":1,"y":2}`, []string{"y"}, `{"type":"t","x":1}`},
		{"the first of those at the back", `{"type":"t","x":1,"y":2}`, []string{"x"}, `{"type":"t","y":2}`},
		{"both of duplicates", `{"x":1,"type":"t","x":2}`, []string{"x"}, `{"type":"t"}`},
		{"white space around it at the front", `{ "x" : 1 , "type":"t"}`, []string{"x"}, `{  "type":"t"}`},
		{"white space around it at the back", `{"type":"t" , "x" : 1 }`, []string{"x"}, `{"type":"t"  }`},
		{"an escaped key", `{"type":"t","\u0078":1,"seq":1}`, []string{"x"}, `{"type":"t","seq":1}`},
		{"between two types", `{"type":"s","x":1,"type":"t"}`, []string{"x"}, `{"type":"s","type":"t"}`},
		{"a line of CRLF", "{\"type\":\"t\",\"x\":1}\r", []string{"x"}, "{\"type\":\"t\"}\r"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, removeAll(t, recordOf(t, tt.text), tt.keys...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// spacedObject draws an object with white space anywhere, and one member "type".
func spacedObject(t *rapid.T) string {
	space := func() string { return rapid.SampledFrom([]string{"", "", " ", "\t", " \r "}).Draw(t, "space") }
	keys := rapid.SliceOfN(rapid.SampledFrom([]string{"seq", "x", "y", `\u0079`, "z,", "data", "}"}), 0, 6).Draw(t, "keys")
	keys = slices.Insert(keys, rapid.IntRange(0, len(keys)).Draw(t, "type"), "type")
	text := space() + "{"
	for i, key := range keys {
		if i > 0 {
			text += ","
		}
		value := rapid.SampledFrom([]string{"1", `"a,b"`, `{"x":[1,{}]}`, "[]"}).Draw(t, "value")
		if key == "type" {
			value = `"t"`
		}
		text += space() + `"` + key + `"` + space() + ":" + space() + value + space()
	}
	return text + "}" + space()
}

func TestAnyMembersCanBeRemovedTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := recordOf(t, spacedObject(t))
		var gone []string
		for _, key := range []string{"seq", "x", "y", "z,", "data", "}"} {
			if rapid.Bool().Draw(t, key) {
				gone = append(gone, key)
			}
		}
		var want []string
		for m := range r.Event.Root.Members() {
			if !slices.Contains(gone, m.Key.Text()) {
				want = append(want, string(m.Key.Raw())+":"+string(m.Value.Raw()))
			}
		}
		var got []string
		for m := range recordOf(t, removeAll(t, r, gone...)).Event.Root.Members() {
			got = append(got, string(m.Key.Raw())+":"+string(m.Value.Raw()))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s without %q (-want +got):\n%s", r.Text, gone, diff)
		}
	})
}
