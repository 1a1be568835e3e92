package repair

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// damage is one way to spoil a log at a place; batch and line number k are taken
// modulo what is there, the header left out.
type damage struct {
	name     string
	cases    string // the reproductions of public reports that it is the damage of
	lines    func(b batches, k int) batches
	bytes    func(image []byte, k int) []byte
	misnamed bool // it is the name that is wrong

	loses bool // something is gone
	asks  bool // the user has to say what to do
}

// spoilLine returns a damage that replaces one line.
func spoilLine(name, cases string, to func(line string) string) damage {
	return damage{name: name, cases: cases, lines: func(b batches, k int) batches {
		i, j := b.line(k)
		return b.with(i, j, to(b[i][j]))
	}}
}

// closersAt is what a recovery appends behind batch i, when its turn is open.
func closersAt(b batches, i int) []string {
	image := render(b[:i+1], false)
	p, err := NewPlan(bytes.NewReader(image), int64(len(image)), "", Options{})
	if err != nil {
		return nil
	}
	var lines []string
	for _, c := range p.Closers {
		lines = append(lines, string(c))
	}
	return append(lines, fmt.Sprintf(`{"type":"session/end-seed","seq":%d,"time":1,"data":{}}`, p.Ledger.Kept+p.Ledger.Synthesised))
}

var damages = []damage{
	{name: "nothing", lines: func(b batches, k int) batches { return b }},
	spoilLine("glued", "51", func(l string) string { return l + "\x01" }),
	spoilLine("partial before", "52", func(l string) string { return l[:len(l)*2/3] + l }),
	spoilLine("zeros before", "54", func(l string) string { return strings.Repeat("\x00", 64) + l }),
	spoilLine("blank before", "55", func(l string) string { return "\n" + l }),
	spoilLine("null before", "", func(l string) string { return "null\n" + l }),
	spoilLine("text before", "", func(l string) string { return "Traceback (most recent call last):\n" + l }),
	spoilLine("mark before", "56", func(l string) string { return "\xEF\xBB\xBF" + l }),
	spoilLine("line feed in a string", "", func(l string) string { return strings.Replace(l, `\n`, "\n", 1) }),
	{name: "lost", cases: "87", loses: true, lines: func(b batches, k int) batches {
		i, j := b.line(k)
		return b.with(i, j, "")
	}},
	{name: "batch twice", cases: "40", lines: func(b batches, k int) batches {
		i := 1 + k%(len(b)-1)
		return insertBatch(b, i+1, b[i])
	}},
	{name: "batch again at the end", cases: "40", lines: func(b batches, k int) batches {
		return append(b.clone(), b[1+k%(len(b)-1)])
	}},
	{name: "recovery against a live writer", cases: "37 38 88", lines: func(b batches, k int) batches {
		i := 1 + k%(len(b)-1)
		return insertBatch(b, i+1, closersAt(b, i))
	}},
	{name: "batch lost", cases: "47", loses: true, lines: func(b batches, k int) batches {
		i := 1 + k%(len(b)-1)
		return append(b.clone()[:i:i], b[i+1:]...)
	}},
	{name: "stale tail", cases: "42", lines: func(b batches, k int) batches {
		return append(b.clone(), []string{fmt.Sprintf(`{"type":"llm/retry","seq":%d,"time":5,"data":{}}`, k%20)})
	}},
	{name: "end cut", cases: "13 14 15 16 17 19 21", loses: true, bytes: func(image []byte, k int) []byte { return image[:len(image)-1-k%min(60, len(image)/2)] }},
	{name: "zeros at the end", cases: "22 30", bytes: func(image []byte, k int) []byte { return append(bytes.Clone(image), make([]byte, 100)...) }},
	{name: "bit flipped", cases: "28", loses: true, bytes: func(image []byte, k int) []byte {
		image = bytes.Clone(image)
		image[(k*37)%len(image)] ^= 1 << (k % 8)
		return image
	}},
	{name: "zeros inside", bytes: func(image []byte, k int) []byte {
		at := bytes.LastIndex(image[:len(image)-k%(len(image)/2)], magic)
		if at <= 0 {
			return image
		}
		return bytes.Join([][]byte{image[:at], make([]byte, 30), image[at:]}, nil)
	}},
	{name: "torn copy of a frame before it", cases: "31", bytes: func(image []byte, k int) []byte {
		at := bytes.LastIndex(image[:len(image)-k%(len(image)/2)], magic)
		if at <= 0 {
			return image
		}
		return bytes.Join([][]byte{image[:at], image[at : at+20], image[at:]}, nil)
	}},
	spoilLine("carriage return behind", "02", func(l string) string { return l + "\r" }),
	spoilLine("invalid UTF-8", "", func(l string) string { return strings.Replace(l, "question", "quest\xFFion", 1) }),
	{name: "mark before the header", cases: "56", lines: func(b batches, _ int) batches {
		if b[0] == nil {
			return b // it is lost already
		}
		return b.with(0, 0, "\xEF\xBB\xBF"+b[0][0])
	}},
	{name: "header behind the first batch", lines: func(b batches, _ int) batches {
		if b[0] == nil {
			return b // it is lost already
		}
		b = b.clone()
		b[0], b[1] = b[1], b[0]
		return b
	}},
	{name: "last line without line feed", cases: "36", lines: func(b batches, _ int) batches {
		i := len(b) - 1
		j := len(b[i]) - 1
		return b.with(i, j, b[i][j]+"\x01")
	}},
	{name: "blank lines at the end", cases: "24", lines: func(b batches, _ int) batches { return append(b.clone(), []string{"", ""}) }},
	{name: "end of a row again behind it", cases: "44", lines: func(b batches, k int) batches { return b.repeatChunks(k, 2, 4, false) }},
	{name: "start of a row again at the end", cases: "50", lines: func(b batches, k int) batches { return b.repeatChunks(k, 0, 2, true) }},
	{name: "recovery twice", cases: "41", lines: func(b batches, k int) batches {
		i := 1 + k%max(len(b)-2, 1)
		closers := closersAt(b, i)
		return insertBatch(insertBatch(b, i+1, closers), i+1, closers)
	}},
	{name: "all in one frame", cases: "25", bytes: func(image []byte, _ int) []byte { return oneFrame(image) }},
	{name: "the name of the other encoding", cases: "33", misnamed: true},
	{name: "second writer", cases: "46", asks: true, lines: func(b batches, k int) batches {
		i := 1 + k%(len(b)-1)
		other := strings.ReplaceAll(strings.Join(b[i], "\n"), "question", "other question")
		return append(b.clone(), strings.Split(strings.ReplaceAll(other, `"time":`, `"time":1`), "\n"))
	}},
	counterFallsBack,
	firstEventsLost,
	{name: "header lost", cases: "27", asks: true, lines: func(b batches, _ int) batches {
		b = b.clone()
		b[0] = nil
		return b
	}},
}

// oneFrame returns a zstd log with all its text in one frame, and others as they are.
func oneFrame(image []byte) []byte {
	dec, err := zstd.NewReader(nil)
	if err != nil {
		panic(err)
	}
	defer dec.Close()
	text, err := dec.DecodeAll(image, nil)
	if err != nil {
		return image
	}
	return render(batches{{strings.TrimSuffix(string(text), "\n")}}, true)
}
