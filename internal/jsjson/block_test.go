package jsjson

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// skipBytes is skipBlocks, a byte at a time.
func skipBytes(text []byte, pos int) (end int, escapes bool) {
	for pos < len(text) {
		switch c := text[pos]; {
		case c == '\\' && pos+1 < len(text) && isCanonicalEscape[text[pos+1]]:
			pos += 2
			escapes = true
		case c < ' ' || c == '"' || c == '\\' || c >= 0x80:
			return pos, escapes
		default:
			pos++
		}
	}
	return pos, escapes
}

func TestBlocksStopWhereBytesDo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "plain text, and more of it ", `\n`, `\\`, `\"`, `\/`, `"`, "\x1F", " ", "\x7F", "\x80", "é"}
	for range 20_000 {
		var text []byte
		for range r.IntN(60) {
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

func TestEveryByteIsAStopOrNot(t *testing.T) {
	for c := range 256 {
		for at := range 64 {
			block := [64]byte(bytes.Repeat([]byte("a"), 64))
			block[at] = byte(c)
			end, _ := skipBytes([]byte{byte(c)}, 0)
			want := uint64(1-end) << at
			if got := blockStops(&block); got != want {
				t.Fatalf("byte 0x%02x at %d: stops %x, want %x", c, at, got, want)
			}
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
