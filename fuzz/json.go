package fuzz

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// maxCommonDepth is the nesting up to which encoding/json reads a text;
// JavaScript has no such limit.
const maxCommonDepth = 10_000

// CheckJSON parses text with jsjson and with two other readers. The error is nil
// when they agree on whether it is JSON, and when its canonical text has the
// properties of one and the same value.
func CheckJSON(text []byte) error {
	if err := checkAlike(text); err != nil {
		return err
	}
	var d jsjson.Doc
	err := d.Parse(text)
	if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) >= maxCommonDepth {
		return nil
	}
	if std, fast := json.Valid(text), gjson.ValidBytes(text); (err == nil) != std || (err == nil) != fast {
		return fmt.Errorf("parsed with error %v, but encoding/json says %v and gjson %v", err, std, fast)
	}
	if err != nil {
		return checkSyntaxError(text, err)
	}
	return checkCanonical(text, &d)
}

func checkSyntaxError(text []byte, err error) error {
	syntax, ok := errors.AsType[*jsjson.SyntaxError](err)
	if !ok || syntax.Offset < 0 || syntax.Offset > len(text) {
		return fmt.Errorf("error %v names no place in the %d bytes", err, len(text))
	}
	return nil
}

func checkCanonical(text []byte, d *jsjson.Doc) error {
	canonical := jsjson.AppendCanonical(nil, d.Root)
	var again jsjson.Doc
	if err := again.Parse(canonical); err != nil {
		return fmt.Errorf("canonical text %q: %w", canonical, err)
	}
	if twice := jsjson.AppendCanonical(nil, again.Root); !bytes.Equal(twice, canonical) {
		return fmt.Errorf("canonical text %q becomes %q", canonical, twice)
	}
	if d.Features.Canonical() != bytes.Equal(text, canonical) {
		return fmt.Errorf("feature canonical = %v, but the canonical text is %q", d.Features.Canonical(), canonical)
	}
	if d.Features.Has(jsjson.InvalidUTF8) == utf8.Valid(text) {
		return fmt.Errorf("feature invalid UTF-8 = %v", d.Features.Has(jsjson.InvalidUTF8))
	}
	return checkSameValue(text, canonical, &d.Features)
}

// checkSameValue compares what encoding/json reads from both texts. It reads
// broken UTF-8 and lone surrogates in another way than JavaScript, and refuses
// numbers beyond a double.
func checkSameValue(text, canonical []byte, f *jsjson.Features) error {
	if f.Has(jsjson.InvalidUTF8) || f.Has(jsjson.LoneSurrogate) || f.Has(jsjson.NumberOverflow) {
		return nil
	}
	var want, got any
	if err := errors.Join(json.Unmarshal(text, &want), json.Unmarshal(canonical, &got)); err != nil {
		return err
	}
	if !reflect.DeepEqual(want, got) {
		return fmt.Errorf("value %v, but %v from the canonical text %q", want, got, canonical)
	}
	return nil
}

// checkAlike parses text, and others like it, with a Doc that knows such texts, and
// compares what a new one says.
func checkAlike(text []byte) error {
	alike := jsjson.Doc{Skeletons: jsjson.NewSkeletons("type", "a")}
	other := bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("1"), []byte("10")), []byte(`":"`), []byte(`":"é\n`))
	for i, text := range [][]byte{text, text, text, other, other, text, text[:len(text)*2/3]} {
		var alone jsjson.Doc
		err, want := alike.Parse(text), alone.Parse(text)
		if fmt.Sprint(err) != fmt.Sprint(want) || !sameFeatures(&alike.Features, &alone.Features) || alike.Depth != alone.Depth {
			return fmt.Errorf("text %d, %q: error %v, want %v, or other features or depth", i, text, err, want)
		}
		got := jsjson.AppendCanonical(nil, alike.Root)
		if !bytes.Equal(got, jsjson.AppendCanonical(nil, alone.Root)) || !bytes.Equal(members(alike.Root), members(alone.Root)) {
			return fmt.Errorf("text %d, %q: read as %q", i, text, got)
		}
	}
	return nil
}

func sameFeatures(a, b *jsjson.Features) bool {
	for x := jsjson.InvalidUTF8; x <= jsjson.NonCanonicalEscape; x++ {
		if a.First(x) != b.First(x) {
			return false
		}
	}
	return true
}

// members lists what is inside a value, as its methods find it.
func members(v jsjson.Value) (list []byte) {
	for waiting := []jsjson.Value{v}; len(waiting) > 0 && len(list) < maxCommonDepth; {
		v, waiting = waiting[0], waiting[1:]
		list = fmt.Appendf(list, "%s %s %d\n", v.Kind, v.Raw(), v.Len())
		for m := range v.Members() {
			list = fmt.Appendf(list, "%s %s\n", m.Key.Raw(), v.Get(m.Key.Text()).Raw())
			waiting = append(waiting, m.Value)
		}
		for e := range v.Elements() {
			waiting = append(waiting, e)
		}
	}
	return list
}
