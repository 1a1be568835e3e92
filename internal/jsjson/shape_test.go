package jsjson_test

import "testing"

func TestHasExactly(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		keys       []string
		want       bool
	}{
		{"the keys in another order", `{"b":1,"a":null}`, []string{"a", "b"}, true},
		{"a key twice", `{"a":1,"b":1,"a":2}`, []string{"a", "b"}, true},
		{"a key by escape", `{"\u0061":1}`, []string{"a"}, true},
		{"a key missing", `{"a":1}`, []string{"a", "b"}, false},
		{"a key more", `{"a":1,"b":1,"c":1}`, []string{"a", "b"}, false},
		{"no keys", `{}`, nil, true},
		{"keys where none is allowed", `{"a":1}`, nil, false},
		{"no object", `["a"]`, []string{"a"}, false},
		{"null", `null`, nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := parse(t, tt.text).HasExactly(tt.keys...); got != tt.want {
				t.Errorf("HasExactly(%q) of %s = %v, want %v", tt.keys, tt.text, got, tt.want)
			}
		})
	}
}
