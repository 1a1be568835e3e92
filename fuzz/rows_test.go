//go:build !gofuzz

package fuzz

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnlint/turnlint/fuzz/reference"
)

const rowHeader = `{"type":"session","version":0,"id":"s","createdAt":1,"cwd":"/work","delegationDepth":0}` + "\n"

// Values as JSON text, sound ones and what JSON.parse and dsh's readers trip over.
var (
	strangeNumbers = []string{
		"0", "1", "-0", "-1", "1.0", "0.5", "1e0", "10e-1", "1E400", "-1e-400", "9007199254740991", "9007199254740993", "12345678901234567890", "01", "+1", "1.", ".5", "0x1",
	}
	strangeStrings = []string{
		`""`, `"a"`, `"\u0061"`, `"\ud83d"`, `"\ud83d\ude00"`, `"\udE00\uD83d"`, `"\u0000"`, `"\/"`, `"\v"`, "\"\t\"", "\"\x00\"", "\"\u2028\"", "\"é\"", "\"😀\"", "\"\xC3\"", "\"\xED\xA0\x80\"",
	}
	strangeValues = []string{"null", "true", "fals", "{}", "[]", "[,]", `{"a":1,}`, `{"a":1,"a":2}`, `{"__proto__":{}}`, "{", "]"}

	rowTypes = []string{
		`"turn/start"`, `"turn/end"`, `"step/start"`, `"user/message"`, `"assistant/chunk"`, `"text-chunks"`, `"reasoning-chunks"`, `"tool-call-chunks"`, `"session"`, `"acme/audit"`,
	}
)

// drawValue draws the text of a value, sound in most cases.
func drawValue(t *rapid.T, what, sound string, strange []string) string {
	if rapid.IntRange(0, 9).Draw(t, what+" is strange") > 0 {
		return sound
	}
	return rapid.SampledFrom(strange).Draw(t, what)
}

// drawDeep draws brackets around a value.
func drawDeep(t *rapid.T, value string) string {
	depth := rapid.SampledFrom([]int{0, 0, 0, 0, 1, 100, 3000}).Draw(t, "depth")
	return strings.Repeat("[", depth) + value + strings.Repeat("]", depth)
}

// drawList draws a JSON array of n values, or of one more or one less.
func drawList(t *rapid.T, what string, n int, value string, strange []string) string {
	n = max(0, n+rapid.SampledFrom([]int{0, 0, 0, 0, -1, 1}).Draw(t, what+" more"))
	values := make([]string, n)
	for i := range values {
		values[i] = drawValue(t, what, value, strange)
	}
	return "[" + strings.Join(values, ",") + "]"
}

// drawEvent draws the members of an event.
func drawEvent(t *rapid.T) []string {
	return []string{
		`"type":` + drawValue(t, "type", rapid.SampledFrom(rowTypes).Draw(t, "known type"), strangeStrings),
		`"seq":` + drawValue(t, "seq", "0", strangeNumbers),
		`"time":` + drawValue(t, "time", "10", strangeNumbers),
		`"data":{"turn":` + drawDeep(t, drawValue(t, "turn", "1", slices.Concat(strangeNumbers, strangeStrings, strangeValues))) + `}`,
	}
}

// drawRow draws the members of a packed row, with right and wrong numbers of times and
// texts.
func drawRow(t *rapid.T) []string {
	n := rapid.IntRange(1, 4).Draw(t, "members")
	rowType := rapid.SampledFrom(rowTypes[5:8]).Draw(t, "row type")
	texts := `"texts":`
	if rowType == `"tool-call-chunks"` {
		texts = `"id":` + drawValue(t, "id", `"c"`, strangeValues) + `,"args":`
	}
	return []string{
		`"type":` + rowType,
		`"seq0":` + drawValue(t, "seq0", "0", strangeNumbers),
		`"time0":` + drawValue(t, "time0", "10", strangeNumbers),
		`"data":{"turn":1,"step":1,"index":0,"dt":` + drawList(t, "dt", n-1, "5", strangeNumbers) + `,` + texts + drawList(t, "texts", n, `"a"`, strangeStrings) + `}`,
	}
}

// drawLine draws a line behind the header, without its LF.
func drawLine(t *rapid.T) []byte {
	members := rapid.OneOf(rapid.Custom(drawEvent), rapid.Custom(drawRow)).Draw(t, "members")
	at := rapid.IntRange(0, len(members)-1).Draw(t, "member")
	switch rapid.SampledFrom([]string{"", "", "", "missing", "twice", "swapped", "foreign"}).Draw(t, "members are") {
	case "missing":
		members = slices.Delete(slices.Clone(members), at, at+1)
	case "twice":
		members = append(members, members[at])
	case "swapped":
		members[0], members[at] = members[at], members[0]
	case "foreign":
		members = append(members, `"uuid":`+rapid.SampledFrom(strangeValues).Draw(t, "foreign"))
	}
	line := []byte("{" + strings.Join(members, ",") + "}")
	switch rapid.SampledFrom([]string{"", "", "", "cut", "with a BOM", "with CR", "doubled", "with NUL", "with a space"}).Draw(t, "line is") {
	case "cut":
		line = line[:rapid.IntRange(0, len(line)).Draw(t, "length")]
	case "with a BOM":
		line = append([]byte("\xEF\xBB\xBF"), line...)
	case "with CR":
		line = append(line, '\r')
	case "doubled":
		line = slices.Concat(line, line)
	case "with NUL":
		line = append([]byte{0}, line...)
	case "with a space":
		line = append([]byte(" "), line...)
	}
	return line
}

// TestAnyLineReadsLikeTheReference draws lines of every kind of oddness, reads them on
// their own, and in logs that are plain or in frames whose edge lies anywhere, inside
// of a character too.
func TestAnyLineReadsLikeTheReference(t *testing.T) {
	kinds := make(map[string]int)
	rapid.Check(t, func(t *rapid.T) {
		line := drawLine(t)
		kinds[reference.Kind(line)]++
		text := slices.Concat(line, []byte("\n"), drawLine(t), []byte("\n"))
		edge := rapid.IntRange(0, len(text)).Draw(t, "edge")
		plain := slices.Concat([]byte(rowHeader), text)
		framed := bytes.Join(framesOf(rowHeader, string(text[:edge]), string(text[edge:])), nil)
		for name, err := range map[string]error{
			"as JSON": CheckJSON(line), "as a header": CheckHeader(line), "as a record": CheckRecord(line), "in a plain log": CheckScanner(plain), "in frames": CheckScanner(framed),
			"repaired": CheckFix(framed),
		} {
			if err != nil && !errors.Is(err, ErrSkip) {
				t.Errorf("%s: %v\n%q", name, err, text)
			}
		}
	})
	for _, kind := range []string{"event", "row", "undecodable"} {
		if kinds[kind] == 0 {
			t.Errorf("no %s was drawn: %v", kind, kinds)
		}
	}
	t.Logf("%v", kinds)
}
