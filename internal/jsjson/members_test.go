package jsjson_test

import (
	"testing"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// parsed returns the value of a text; "" is no value at all.
func parsed(t *testing.T, text string) jsjson.Value {
	t.Helper()
	if text == "" {
		return jsjson.Value{}
	}
	var doc jsjson.Doc
	if err := doc.Parse([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return doc.Root
}

func TestOnlyAnArrayOfOneHasAnOnlyElement(t *testing.T) {
	for text, want := range map[string]string{`[7]`: "7", `[null]`: "null", `[]`: "undefined", `[7,8]`: "undefined", `{"a":7}`: "undefined", ``: "undefined"} {
		if got := parsed(t, text).Only().Stringify(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestMembersAreLeftOutByTheirKeys(t *testing.T) {
	var keys string
	for _, m := range jsjson.Without(parsed(t, `{"a":1,"\u0062":2,"c":3}`).OwnMembers(nil), "b", "x") {
		keys += m.Key.Text()
	}
	if keys != "ac" {
		t.Errorf("%q is left, want %q", keys, "ac")
	}
}
