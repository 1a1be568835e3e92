package jsjson

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// slowList is what parsing alone tells of a list.
func slowList(text []byte) (l list, end int) {
	end = skipValue(text, 0)
	l.sum = -1
	for element := range NewValue(Array, text[:end]).Elements() {
		l.count++
		if n, ok := element.SafeInt(); ok {
			l.sum = max(0, l.sum) + n
		}
	}
	return l, end
}

func TestListsEndWhereTheirTextsDo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	strs := []string{"", "a", ",", `\"`, `\\`, `\n`, " token", "naïve", "走る", `,\",`, strings.Repeat("x", 61), strings.Repeat(`\\`, 31)}
	ints := []string{"0", "7", "10", "42", "305", "999", "1000", "123456789012345"}
	for range 20_000 {
		var elements, integers strings.Builder
		for i := range 1 + r.IntN(40) {
			if i > 0 {
				elements.WriteString(",")
				integers.WriteString(",")
			}
			elements.WriteString(`"`)
			for range r.IntN(3) {
				elements.WriteString(strs[min(r.IntN(len(strs)), r.IntN(len(strs)))])
			}
			elements.WriteString(`"`)
			integers.WriteString(ints[min(r.IntN(len(ints)), r.IntN(len(ints)))])
		}
		rest := strings.Repeat("}", 1+r.IntN(70))
		checkList(t, "["+elements.String()+"]"+rest, stringsEnd)
		checkList(t, "["+integers.String()+"]"+rest, integersEnd)
	}
}

func checkList(t *testing.T, text string, ends func([]byte, int, *list) int) {
	t.Helper()
	want, wantEnd := slowList([]byte(text))
	var got list
	if end := ends([]byte(text), 1, &got); end != wantEnd || got != want {
		t.Fatalf("%s: ends at %d with %+v, want %d with %+v", text, end, got, wantEnd, want)
	}
}

// What is no list, or not one that a hole holds, ends nowhere.
func TestWhatIsNoListEndsNowhere(t *testing.T) {
	tail := strings.Repeat("}", 70)
	for _, elements := range []string{
		`"a","b`, `"a",`, `"a",]`, `"a" ,"b"]`, `"a","b",1]`, `"a"x"b"]`, `"a\x"]`, "\"a\x01\"]", "\"a\x80\"]", `"\u0041"]`, `"\/"]`,
		`"` + strings.Repeat("a", 62) + `\q"]`, `"` + strings.Repeat("a", 63) + `\q"]`, `"a","` + strings.Repeat("b", 80) + `""]`,
	} {
		var l list
		if end := stringsEnd([]byte("["+elements+tail), 1, &l); end != 0 {
			t.Errorf("%s ends at %d", elements, end)
		}
	}
	for _, elements := range []string{"", "]", ",1]", "1,]", "1,,2]", "1 ,2]", "01]", "1,00]", "1,007,2]", "1.5]", "-1]", "1,1234567890123456]", `1,"2"]`} {
		var l list
		if end := integersEnd([]byte("["+elements+tail), 1, &l); end != 0 {
			t.Errorf("%s ends at %d", elements, end)
		}
	}
}

func TestListMarksAreThoseOfBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 10_000 {
		text := make([]byte, 64+r.IntN(3))
		for i := range text {
			text[i] = `",0123456789/:[]`[r.IntN(16)]
			if r.IntN(4) == 0 {
				text[i] = byte(r.IntN(256))
			}
		}
		var got, want digitMarks
		markDigits(&got, text)
		markDigitsGo(&want, text)
		if got != want {
			t.Fatalf("%q: %x, want %x", text, got, want)
		}
	}
}
