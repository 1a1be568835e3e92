package jsjson

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"
)

// skipBytes is skipBlocks, a byte at a time.
func skipBytes(text []byte, pos int) (end int, escapes bool) {
	for pos < len(text) {
		switch c := text[pos]; {
		case c == '\\' && pos+1 < len(text) && isCanonicalEscape[text[pos+1]]:
			pos += 2
			escapes = true
		case c < ' ' || c == '"' || c == '\\':
			return pos, escapes
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(text[pos:])
			if r == utf8.RuneError && size == 1 {
				return pos, escapes
			}
			pos += size
		default:
			pos++
		}
	}
	return pos, escapes
}

func TestBlocksStopWhereBytesDo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "plain text, and more of it ", `\n`, `\\`, `\"`, `\/`, `"`, "\x1F", " ", "\x7F", "\x80", "é", "走", "😀", "\xED\xA0\x80"}
	for range 20_000 {
		var text []byte
		for range r.IntN(200) {
			text = append(text, pieces[min(r.IntN(len(pieces)), r.IntN(len(pieces)), r.IntN(len(pieces)))]...)
		}
		from := 0
		want, wantEscapes := skipBytes(text, from)
		got, gotEscapes := skipBlocks(text, from)
		if got > want {
			t.Fatalf("%q: stopped at %d, want at most %d", text, got, want)
		}
		if got < want { // only where less than a block is left
			if len(text)-got >= 64 {
				t.Fatalf("%q: stopped at %d, want %d", text, got, want)
			}
			rest, more := skipBytes(text, got)
			if rest != want {
				t.Fatalf("%q: %d leads to %d, want %d", text, got, rest, want)
			}
			gotEscapes = gotEscapes || more
		}
		if gotEscapes != wantEscapes {
			t.Fatalf("%q: escapes %v, want %v", text, gotEscapes, wantEscapes)
		}
	}
}

func TestMarksAreThoseOfEachByte(t *testing.T) {
	for c := range 256 {
		for at := range 64 {
			block := [64]byte(bytes.Repeat([]byte("n"), 64))
			block[at] = byte(c)
			var carry uint64
			got := markBlock(&block, &carry)
			want := blockMarks{}
			switch {
			case c == '\\' && at < 63:
				want.escaped = 2 << at
			case c < ' ' || c == '"' || c >= utf8.RuneSelf:
				want.stops = 1 << at
			}
			if got != want || (carry == 1) != (c == '\\' && at == 63) {
				t.Fatalf("byte 0x%02x at %d: marks %x, want %x, carry %d", c, at, got, want, carry)
			}
		}
	}
}

func TestMarksStopAtEscapesThatAreNotCanonical(t *testing.T) {
	for c := range 256 {
		block := [64]byte(bytes.Repeat([]byte("n"), 64))
		block[40], block[41] = '\\', byte(c)
		want := blockMarks{escaped: 1 << 41}
		if !isCanonicalEscape[c] {
			want.stops = 1 << 41
		}
		if got := markBlock(&block, new(uint64)); got != want {
			t.Errorf("backslash and byte 0x%02x: marks %x, want %x", c, got, want)
		}
	}
}

func TestMarksDoNotDependOnTheProcessor(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	memory := make([]byte, 16*64+64)
	for n := range 17 {
		for from := range 64 {
			text := memory[from : from+64*n]
			for i := range text {
				if text[i] = byte(r.IntN(256)); r.IntN(4) == 0 {
					text[i] = '\\'
				}
			}
			got, want := make([]blockMarks, n), make([]blockMarks, n)
			markBlocks(got, text)
			markBlocksGo(want, text)
			if !slices.Equal(got, want) {
				t.Fatalf("%q at %d: marks %x, want %x", text, from, got, want)
			}
		}
	}
}

func TestEachSecondBackslashOfARunIsEscaped(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var carry, wantCarry uint64
	for range 10_000 {
		backslashes := r.Uint64() | r.Uint64()
		var want uint64
		for i := range 64 {
			want |= wantCarry << i
			wantCarry = backslashes >> i & 1 &^ wantCarry
		}
		if got := escapedBy(backslashes, &carry); got != want || carry != wantCarry {
			t.Fatalf("backslashes %x: escaped %x, carry %d; want %x, %d", backslashes, got, carry, want, wantCarry)
		}
	}
}

func TestDigitsEndAtAnyOtherByte(t *testing.T) {
	for c := range 256 {
		for at := range 12 {
			text := []byte("019283746501")
			text[at] = byte(c)
			want := at
			if isDigit(byte(c)) {
				want = len(text)
			}
			if got := skipDigits(text, 0); got != want {
				t.Fatalf("byte 0x%02x at %d: digits end at %d, want %d", c, at, got, want)
			}
		}
	}
}
