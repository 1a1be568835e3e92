package picture_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/picture"
)

// text returns a dump as text: hidden bytes as _, marked ones in brackets.
func text(d *picture.Dump) string {
	var b strings.Builder
	for row := range d.Rows() {
		fmt.Fprintf(&b, "%d ", row.Off)
		for _, c := range row.Cells {
			glyph := c.Glyph
			if c.Hidden {
				glyph = "_"
			}
			if c.Marked {
				glyph = "[" + glyph + "]"
			}
			b.WriteString(glyph)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// place returns the dump of the only damaged place of a log.
func place(t *testing.T, log string, opt picture.Options) *picture.Place {
	t.Helper()
	p := draw(t, []byte(log), opt)
	if len(p.Places) != 1 {
		t.Fatalf("%d places, want 1", len(p.Places))
	}
	return &p.Places[0]
}

const turnStart = `{"type":"turn/start","seq":0,"time":1790000000001,"data":{"turn":1}}` + "\n"

func TestDumpsHideWhatTheLogSays(t *testing.T) {
	log := header + turnStart + `{"type":"user/message","seq":1,"data":{"text":"my ` + "\x01" + ` secret \"type\":\"turn/end\" 4711"}}` + "\n" +
		`{"type":"turn/end","seq":2,"time":1790000000001,"data":{"turn":1,"reason":{"kind":"completed"}}}` + "\n"
	hidden, open := place(t, log, picture.Options{}), place(t, log, picture.Options{ShowText: true})
	want := `184 ___","se
192 q":1,"data":{"__
208 __":"___[␁]_______
224 _\"____\":\"____
240 ____\"_____"}}␊
`
	if diff := cmp.Diff(want, text(&hidden.Dump)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !hidden.Hides() || open.Hides() || !strings.Contains(text(&open.Dump), `my [␁] s`) {
		t.Errorf("with text shown:\n%s", text(&open.Dump))
	}
}

func TestDumpsOfFramesHideTextInBlocks(t *testing.T) {
	const secret = "seq\":1" // the log's text is in raw blocks
	for _, name := range []string{"corpus/torn/cut-inside-a-raw-block.jsonl.zstd", "rules/hidden-frames/bad.jsonl.zstd", "rules/frame-checksum/bad.jsonl.zstd"} {
		p := draw(t, sample(t, name), picture.Options{})
		for i := range p.Places {
			if shown := text(&p.Places[i].Dump); strings.Contains(shown, secret) || strings.Contains(shown, "lamp") {
				t.Errorf("%s shows text:\n%s", name, shown)
			}
		}
	}
}

func TestNoSampleShowsABodyUnasked(t *testing.T) {
	found := 0
	for name, log := range samples(t) {
		hidden, open := draw(t, log, picture.Options{}), draw(t, log, picture.Options{ShowText: true})
		for i := range hidden.Places {
			shown := text(&hidden.Places[i].Dump)
			for _, word := range words(text(&open.Places[i].Dump)) {
				found++
				if strings.Contains(shown, word) {
					t.Errorf("%s: place %d shows %q", name, i, word)
				}
			}
		}
		for i := range hidden.Turns {
			if hidden.Turns[i].Said != "" {
				t.Errorf("%s: turn %d shows what was said", name, i)
			}
		}
	}
	if found == 0 {
		t.Errorf("no body is near a damaged place, so that this proves nothing")
	}
}

// words returns the words of messages in the samples that a text holds.
func words(text string) (found []string) {
	for _, word := range []string{"lamp", "light", "keeper", "Turn on", "It was", "hello", "question", "answer"} {
		if strings.Contains(text, word) {
			found = append(found, word)
		}
	}
	return found
}

func TestGlyphsAreSafeToPrint(t *testing.T) {
	tests := []struct{ name, bytes, want string }{
		{"letters of any script", "aé字", "aé字"},
		{"control characters", "\x00\t\n\x1b\x7f", "␀␉␊␛␡"},
		{"control characters of Latin-1", "\u0085\u009b", "��"},
		{"changes of direction", "\u202e\u2066", "��"},
		{"what joins the character before it", "e\u0301", "e�"},
		{"bytes that are no UTF-8", "\xff\xc3", "��"},
		{"a byte order mark", "\ufeff", "�"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := &picture.Dump{Bytes: []byte(tt.bytes)}
			if diff := cmp.Diff("0 "+tt.want+"\n", text(d)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestStructureOfFramesIsShown(t *testing.T) {
	for name, want := range map[string]string{
		"corpus/torn/cut-inside-a-raw-block.jsonl.zstd":        "[(][�][/][�]",
		"corpus/bad/text-behind-the-last-frame.jsonl.zstd":     "[_]_______",
		"corpus/bad/zeros-behind-the-last-frame.jsonl.zstd":    "[␀]␀␀␀",
		"corpus/bad/frame-does-not-decompress.jsonl.zstd":      "[(][�][/][�]",
		"corpus/bad/reserved-bit-in-a-frame-header.jsonl.zstd": "�/�[",
	} {
		p := draw(t, sample(t, name), picture.Options{})
		if got := text(&p.Places[0].Dump); !strings.Contains(got, want) {
			t.Errorf("%s: want %s in\n%s", name, want, got)
		}
	}
}

func TestFlippedBitIsMarked(t *testing.T) {
	p := draw(t, sample(t, "corpus/bad/false-torn-tail.jsonl.zstd"), picture.Options{})
	flip := p.Places[0].Flip
	if flip == nil || flip.FileOff != 144 || p.Places[0].From != 144 || p.Places[0].To != 145 {
		t.Errorf("flip %+v, marked [%d,%d), want byte 144", flip, p.Places[0].From, p.Places[0].To)
	}
}
