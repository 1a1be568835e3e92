package jsjson_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/turnlint/turnlint/internal/jsjson"
)

var seeds = []string{
	`{"type":"turn/start","seq":0,"time":1785830400123,"data":{"turn":1}}`,
	`[0,-1.5e+10,"\"\\\/\b\f\n\r\tA\ud83d\ude00é",true,false,null,{"":[],"a":{}}]`,
	` { "a" : [ 1 , "b" ] , "0" : -0.0 , "a" : "\ud800" } ` + "\r\n",
	`{"k":"` + strings.Repeat("longer text ", 5) + `","n":123456789012345678}`,
}

// fragments are what mutations insert: the tokens of JSON, and near misses.
var fragments = []string{
	"{", "}", "[", "]", ",", ":", `"`, `\`, `"a"`, `\u00`, `\ud83d`, "0", "-", ".", "e", "E+", "1", "nul", "true",
	" ", "\n", "\t", "\x00", "\x1F", "\x7F", "\xFF", "\xC3", "\xED\xA0\x80", "é", "\u2028", "\uFEFF", "/", "'",
}

// mutate changes one to three places of a seed.
func mutate(r *rand.Rand) []byte {
	text := []byte(seeds[r.IntN(len(seeds))])
	for range 1 + r.IntN(3) {
		at := r.IntN(len(text) + 1)
		switch r.IntN(4) {
		case 0:
			text = append(text[:at:at], text[min(at+1+r.IntN(3), len(text)):]...)
		case 1:
			text = append(text[:at:at], append([]byte(fragments[r.IntN(len(fragments))]), text[at:]...)...)
		case 2:
			if at < len(text) {
				text[at] = byte(r.IntN(256))
			}
		case 3:
			from := r.IntN(at + 1)
			text = append(text, text[from:at]...)
		}
	}
	return text
}

func TestParseAgreesWithOtherReaders(t *testing.T) {
	const rounds = 100_000
	r := rand.New(rand.NewPCG(1, 2))
	valid := 0
	for range rounds {
		text := mutate(r)
		got := jsjson.Valid(text)
		if std, fast := json.Valid(text), gjson.ValidBytes(text); got != std || got != fast {
			t.Fatalf("Valid(%q) = %v, encoding/json %v, gjson %v", text, got, std, fast)
		}
		if got {
			valid++
			checkValue(t, text)
		}
	}
	if valid < rounds/100 || valid > rounds/2 {
		t.Errorf("%d of %d mutations are JSON: the mix proves little", valid, rounds)
	}
}

func TestParseFindsAnErrorInEveryPrefix(t *testing.T) {
	for _, seed := range seeds {
		text := []byte(strings.TrimSpace(seed))
		for n := range text {
			var d jsjson.Doc
			err, _ := d.Parse(text[:n]).(*jsjson.SyntaxError)
			if err == nil || err.Offset != n {
				t.Errorf("Parse(%q): %v, want an error at its end", text[:n], err)
			}
		}
	}
}

// checkValue compares the canonical text of a valid text with what encoding/json
// makes of both, and checks the properties of canonical text.
func checkValue(t *testing.T, text []byte) {
	t.Helper()
	var d, again jsjson.Doc
	if err := d.Parse(text); err != nil {
		t.Fatal(err)
	}
	canonical := jsjson.AppendCanonical(nil, d.Root)
	if err := again.Parse(canonical); err != nil || !again.Features.Canonical() {
		t.Fatalf("canonical text %q of %q: %v, features %v", canonical, text, err, features(&again.Features))
	}
	if d.Features.Canonical() != bytes.Equal(text, canonical) {
		t.Fatalf("Canonical() = %v for %q, which is written %q", d.Features.Canonical(), text, canonical)
	}
	if !d.Features.Has(jsjson.NumberOverflow) && d.Root.Digest() != again.Root.Digest() {
		t.Fatalf("%q and its canonical text %q have different digests", text, canonical)
	}
	if d.Features.Has(jsjson.InvalidUTF8) != !utf8.Valid(text) {
		t.Fatalf("InvalidUTF8 = %v for %q", d.Features.Has(jsjson.InvalidUTF8), text)
	}
	for _, m := range d.Root.OwnMembers(nil) {
		if got := d.Get(m.Key.Text()); !bytes.Equal(got.Raw(), m.Value.Raw()) {
			t.Fatalf("Get(%q) of %q = %q", m.Key.Text(), text, got.Raw())
		}
	}
	if d.Features.Has(jsjson.InvalidUTF8) || d.Features.Has(jsjson.LoneSurrogate) || d.Features.Has(jsjson.NumberOverflow) {
		return // encoding/json reads these in other ways
	}
	var want, got any
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(canonical, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" && !d.Features.Has(jsjson.DuplicateKey) {
		t.Fatalf("value of %q (-want +got):\n%s", text, diff)
	}
}
