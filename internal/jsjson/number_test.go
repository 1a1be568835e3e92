package jsjson_test

import (
	"math"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// The right-hand sides are what V8's JSON.stringify(JSON.parse(text)) gives.
func TestNumbersAreSpelledAsJavaScriptDoes(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`0`, `0`},
		{`-0`, `0`},
		{`1`, `1`},
		{`-1`, `-1`},
		{`1.0`, `1`},
		{`0.1`, `0.1`},
		{`100`, `100`},
		{`1e2`, `100`},
		{`1E+2`, `100`},
		{`123456789012345680000`, `123456789012345680000`},
		{`1e20`, `100000000000000000000`},
		{`1e21`, `1e+21`},
		{`1.5e21`, `1.5e+21`},
		{`123456789012345678901234567890`, `1.2345678901234568e+29`},
		{`0.000001`, `0.000001`},
		{`0.0000001`, `1e-7`},
		{`1.5e-7`, `1.5e-7`},
		{`1e-10`, `1e-10`},
		{`-1e-7`, `-1e-7`},
		{`5e-324`, `5e-324`},
		{`4.9e-324`, `5e-324`},
		{`2e-324`, `0`},
		{`2.2250738585072014e-308`, `2.2250738585072014e-308`},
		{`2.2250738585072011e-308`, `2.225073858507201e-308`},
		{`1.7976931348623157e308`, `1.7976931348623157e+308`},
		{`1e308`, `1e+308`},
		{`1e309`, `null`},
		{`-1e400`, `null`},
		{`1e-400`, `0`},
		{`-1e-400`, `0`},
		{`9007199254740993`, `9007199254740992`},
		{`9007199254740992`, `9007199254740992`},
		{`18014398509481985`, `18014398509481984`},
		{`0.30000000000000004`, `0.30000000000000004`},
		{`1.1e1`, `11`},
		{`4.35`, `4.35`},
		{`1785830400123`, `1785830400123`},
		{`1785830400123.5`, `1785830400123.5`},
		{`1e23`, `1e+23`},
		{`8.41e21`, `8.41e+21`},
		{`9.5e-8`, `9.5e-8`},
		{`2e0`, `2`},
		{`0e999999999999`, `0`},
		{`0.1e400`, `null`},
		{`1e5`, `100000`},
		{`5e-7`, `5e-7`},
	} {
		if got := string(jsjson.AppendCanonical(nil, parse(t, tt.text))); got != tt.want {
			t.Errorf("%s is written %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestAppendNumberOfWhatJSONHasNot(t *testing.T) {
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := string(jsjson.AppendNumber([]byte("x"), f)); got != "xnull" {
			t.Errorf("AppendNumber(%v) = %q, want \"xnull\"", f, got)
		}
	}
}

func TestFloat(t *testing.T) {
	zeros := strings.Repeat("0", 200_000)
	half := "9007199254740993." + strings.Repeat("0", 1000)
	for _, tt := range []struct {
		name, text string
		want       float64
	}{
		{"small integer", "-12", -12},
		{"minus zero", "-0", math.Copysign(0, -1)},
		{"negative underflow", "-1e-400", math.Copysign(0, -1)},
		{"overflow", "1e400", math.Inf(1)},
		{"negative overflow", "-1e400", math.Inf(-1)},
		{"sixteen digits", "9007199254740993", 9007199254740992},
		{"zero with a huge exponent", "0e99999999999999999999", 0},
		{"one with a huge exponent", "1e99999999999999999999", math.Inf(1)},
		{"one with a huge negative exponent", "1e-99999999999999999999", 0},
		{"zeros that the exponent makes up for", "0." + zeros + "1e200001", 1},
		{"zeros that a negative exponent takes back", "1" + zeros + "e-200000", 1},
		{"zeros before an overflow", "0." + zeros + "1e200310", math.Inf(1)},
		{"zeros that the exponent does not make up for", "-0." + zeros + "1e20000", math.Copysign(0, -1)},
		{"a tie goes to even", half + "0", 9007199254740992},
		{"a tie broken by the thousandth digit", half + "1", 9007199254740994},
		{"a long fraction", "3.14159265358979323846264338327950288419716939937510", math.Pi},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := parse(t, tt.text)
			if got := v.Float(); got != tt.want || math.Signbit(got) != math.Signbit(tt.want) {
				t.Errorf("Float() = %v, want %v", got, tt.want)
			}
			if want := tt.want == 0 && math.Signbit(tt.want); v.NegZero() != want {
				t.Errorf("NegZero() = %v, want %v", v.NegZero(), want)
			}
		})
	}
}

func TestFloatOfWhatIsNoNumber(t *testing.T) {
	for _, text := range []string{"null", "true", `"1"`, "[1]"} {
		v := parse(t, text)
		if !math.IsNaN(v.Float()) || v.NegZero() {
			t.Errorf("%s: Float() = %v, NegZero() = %v", text, v.Float(), v.NegZero())
		}
	}
}

func TestSafeInt(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int64
		ok   bool
	}{
		{"0", 0, true},
		{"-0", 0, true},
		{"-0.0", 0, true},
		{"42", 42, true},
		{"-42", -42, true},
		{"3.0", 3, true},
		{"30e-1", 3, true},
		{"1.5e1", 15, true},
		{"999999999999999", 999999999999999, true},
		{"9007199254740991", 9007199254740991, true},
		{"-9007199254740991", -9007199254740991, true},
		{"9007199254740991.4", 9007199254740991, true},
		{"1e-400", 0, true},
		{"9007199254740992", 0, false},
		{"-9007199254740992", 0, false},
		{"9007199254740991.5", 0, false},
		{"1e20", 0, false},
		{"1e400", 0, false},
		{"-1e400", 0, false},
		{"0.5", 0, false},
		{"1785830400123.5", 0, false},
		{`"42"`, 0, false},
		{"null", 0, false},
		{"true", 0, false},
		{"[42]", 0, false},
	} {
		if got, ok := parse(t, tt.text).SafeInt(); got != tt.want || ok != tt.ok {
			t.Errorf("SafeInt of %s = %d, %v; want %d, %v", tt.text, got, ok, tt.want, tt.ok)
		}
	}
	if _, ok := (jsjson.Value{}).SafeInt(); ok {
		t.Error("an absent value is a safe integer")
	}
}
