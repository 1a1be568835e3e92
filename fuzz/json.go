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
