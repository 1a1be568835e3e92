package jsjson_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// walk describes a value by what its methods say of it and of all inside it.
func walk(v jsjson.Value) string {
	var b strings.Builder
	b.WriteString(v.Kind.String())
	b.Write(v.Raw())
	for m := range v.Members() {
		b.WriteString("\nmember " + m.Key.Text() + " last " + string(v.Get(m.Key.Text()).Raw()) + walk(m.Value))
	}
	for e := range v.Elements() {
		b.WriteString("\nelement " + walk(e))
	}
	return b.String()
}

func TestValuesWithAndWithoutATapeAreTheSame(t *testing.T) {
	for _, text := range append(slices.Clone(seeds), `{"a":1,"\u0061":2,"b":{"a":[{}]},"\ud800":"\ud800"}`, `[]`, `{}`, ` [ { "a" : [ ] } , 1 ] `, "[\"\xFF\",{\"\xFF\":1}]") {
		root := parse(t, text)
		bare := jsjson.NewValue(root.Kind, root.Raw())
		if got, want := walk(root), walk(bare); got != want {
			t.Errorf("%s: with a tape\n%s\nwithout\n%s", text, got, want)
		}
	}
}

// A value outlives the next Parse as long as its text does.
func TestAValueOutlivesItsTape(t *testing.T) {
	var d jsjson.Doc
	if err := d.Parse([]byte(`{"a":{"b":[1,2]}}`)); err != nil {
		t.Fatal(err)
	}
	first := d.Root
	want := walk(jsjson.NewValue(first.Kind, first.Raw()))
	for _, next := range []string{`{"b":{"a":[2,1]}}`, `[[[]]]`, `0`, ``, `{"a`} {
		_ = d.Parse([]byte(next))
		if got := walk(first); got != want {
			t.Errorf("after Parse(%s) the value is\n%s\nwant\n%s", next, got, want)
		}
	}
}

func TestAValueOverOtherBytesHasNoTape(t *testing.T) {
	v := parse(t, `{"a":{"b":1},"c":2}`)
	v = v.Clone()
	if got := string(v.Get("a").Raw()); got != `{"b":1}` {
		t.Errorf("a is %s", got)
	}
}

func TestALineWithMoreValuesThanATapeHolds(t *testing.T) {
	text := `{"a":[` + strings.Repeat(`0,`, 200_000) + `{"b":"c"}],"d":{"e":1},"a":2}`
	var d jsjson.Doc
	if err := d.Parse([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if d.Root.Len() != 2 || string(d.Get("a").Raw()) != "2" || string(d.Root.Get("d").Get("e").Raw()) != "1" {
		t.Errorf("%d members, a is %s", d.Root.Len(), d.Get("a").Raw())
	}
	if array := firstMember(d.Root); array.Len() != 200_001 || !bytes.HasSuffix(array.Raw(), []byte(`{"b":"c"}]`)) {
		t.Errorf("%d elements", array.Len())
	}
	if !d.Features.Has(jsjson.DuplicateKey) {
		t.Error("the repeated key behind the tape's end is not found")
	}
}

func TestACursorGoesThroughMembersAndElements(t *testing.T) {
	root := parse(t, `{"a":1,"\u0062":"x","c":{"d":[]},"a":null}`)
	array := parse(t, ` [ true , [ 1 ] , "s" ] `)
	for name, from := range map[string]func(jsjson.Value) jsjson.Value{
		"with a tape":    func(v jsjson.Value) jsjson.Value { return v },
		"without a tape": jsjson.Value.Clone,
	} {
		var got []string
		for c, v := from(root).Inside(), 0; c.More(); c.Next() {
			got = append(got, c.Key().Text()+" "+c.Kind().String()+" "+c.Value().String())
			if v++; c.KeyIs("b") != (v == 2) {
				t.Errorf("%s: member %d is called b: %v", name, v, c.KeyIs("b"))
			}
		}
		for c := from(array).Inside(); c.More(); c.Next() {
			got = append(got, c.Kind().String()+" "+c.Value().String())
		}
		want := []string{"a number 1", `b string "x"`, `c object {"d":[]}`, "a null null", "true true", "array [ 1 ]", `string "s"`}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for _, text := range []string{`{}`, `[]`, `"ab"`, `7`, `null`} {
		if c := parse(t, text).Inside(); c.More() {
			t.Errorf("there is something inside %s", text)
		}
	}
}

func firstMember(v jsjson.Value) jsjson.Value {
	for m := range v.Members() {
		return m.Value
	}
	return jsjson.Value{}
}
