package scan_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/corpus"
	"github.com/turnlint/turnlint/scan"
)

func readTail(t *testing.T, log string, encoding scan.Encoding) scan.Tail {
	t.Helper()
	tail, err := scan.ReadTail(strings.NewReader(log), int64(len(log)), encoding)
	if err != nil {
		t.Fatal(err)
	}
	return tail
}

// incompressible returns n letters that no encoder shortens by more than half.
func incompressible(n int) string {
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range n {
		b.WriteByte('a' + byte(random.IntN(26)))
	}
	return b.String()
}

func TestTheTailTellsEventsTimeAndTurns(t *testing.T) {
	const (
		header = `{"type":"session","version":4,"id":"s","createdAt":1,"isSeeded":false,"delegationDepth":0}` + "\n"
		start  = `{"type":"turn/start","seq":40,"time":1000,"data":{"turn":7}}` + "\n"
		seed   = `{"type":"session/end-seed","seq":41,"time":2000,"data":{}}` + "\n"
		row    = `{"type":"text-chunks","seq0":41,"time0":2000,"data":{"turn":8,"step":1,"index":0,"dt":[5,1],"texts":["a","b","c"]}}` + "\n"
	)
	long := `{"type":"x","seq":41,"time":2000,"data":{"text":"` + incompressible(200<<10) + `"}}` + "\n"
	endless := `{"type":"x","seq":41,"time":2000,"data":{"text":"` + strings.Repeat("x", 9<<20) + `"}}` + "\n"
	many := strings.Repeat(seed, 3000)
	var (
		none    = scan.Tail{Turns: -1}
		empty   = scan.Tail{Known: true}
		started = scan.Tail{Known: true, Events: 41, Time: 1000, Turns: 7}
		seeded  = scan.Tail{Known: true, Events: 42, Time: 2000, Turns: 7}
		noTurn  = scan.Tail{Known: true, Events: 42, Time: 2000, Turns: -1}
		packed  = scan.Tail{Known: true, Events: 44, Time: 2006, Turns: 8}
	)
	// parts are the lines of a plain log; each is a frame of a zstd log.
	tests := []struct {
		name  string
		parts []string
		plain scan.Tail
		zstd  scan.Tail
	}{
		{"nothing", nil, none, none},
		{"a header", []string{header}, empty, empty},
		{"a turn", []string{header, start}, started, started},
		{"a last event without a turn", []string{header, start + seed}, seeded, seeded},
		{"a last batch without a turn", []string{header, start, seed}, seeded, seeded},
		{"a packed row", []string{header, start + row}, packed, packed},
		{"a damaged last line", []string{header, start + "{\n"}, started, started},
		{"a last line without LF", []string{header, start + seed[:9]}, started, started},
		{"lines that are no events", []string{header, "{}\n[]\nnull\n"}, none, none},
		{"a turn that is no number", []string{header, strings.Replace(start, "7", `"7"`, 1)}, scan.Tail{Known: true, Events: 41, Time: 1000, Turns: -1}, scan.Tail{Known: true, Events: 41, Time: 1000, Turns: -1}},
		{"a long last line", []string{header, start, long}, seeded, seeded},
		{"a last line that is too long to look at", []string{header, start, endless}, none, seeded},
		{"no turn far and wide", []string{header, start, many}, noTurn, seeded},
		{"no turn in many batches", []string{header, start, seed, seed, seed, seed, seed, seed, seed, seed, seed}, seeded, noTurn},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.plain, readTail(t, strings.Join(test.parts, ""), scan.Plain)); diff != "" {
				t.Errorf("plain: (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.zstd, readTail(t, strings.Join(frames(t, test.parts...), ""), scan.Zstd)); diff != "" {
				t.Errorf("zstd: (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheTailOfADamagedZstdLogIsWhatIsIntact(t *testing.T) {
	const header = `{"type":"session","version":4,"id":"s","createdAt":1,"isSeeded":false,"delegationDepth":0}` + "\n"
	event := func(seq int) string {
		return fmt.Sprintf(`{"type":"turn/start","seq":%d,"time":%d,"data":{"turn":1,"text":%q}}`+"\n", seq, seq, incompressible(400))
	}
	parts := []string{header}
	for seq := range 100 {
		parts = append(parts, event(seq))
	}
	all := frames(t, parts...)
	log := strings.Join(all, "")
	early := len(all[0]) + 20 // in the second frame, far from the end
	flipped := func(at int) string { return log[:at] + string(log[at]^0x40) + log[at+1:] }
	last := len(log) - len(all[100])
	tests := []struct {
		name, log string
		want      int64 // -1 when nothing is known
	}{
		{"intact", log, 100},
		{"cut in the last frame", log[:len(log)-3], 99},
		{"three bytes of anything behind it", log + "abc", 100},
		{"foreign bytes behind it", log + strings.Repeat("\x00", 512), -1},
		{"damage that is not looked at", flipped(early), 100},
		{"damage in the last frame", flipped(last + 30), -1},
		{"cut in the first batch", log[:len(all[0])+9], -1},
		{"cut in the header", log[:9], -1},
		{"only damage", strings.Repeat("\x00", 40<<10), -1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := int64(-1)
			if tail := readTail(t, test.log, scan.Zstd); tail.Known {
				got = tail.Events
			}
			if got != test.want {
				t.Errorf("%d events, want %d", got, test.want)
			}
		})
	}
}

func TestTheTailOfASoundLogAgreesWithTheWholeLog(t *testing.T) {
	logs, err := corpus.Load(filepath.FromSlash("../testdata/corpus"))
	if err != nil {
		t.Fatal(err)
	}
	sound := 0
	for _, log := range logs {
		src, size := bytes.NewReader(log.Data), int64(len(log.Data))
		encoding, err := scan.Detect(src, size)
		if err != nil {
			t.Fatal(err)
		}
		reading, err := scan.DefaultReader().Read(src, size, scan.Options{}, scan.ModelOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if reading.Verdict != scan.Opens {
			continue
		}
		sound++
		tail := readTail(t, string(log.Data), encoding)
		if !tail.Known || tail.Events != reading.Scan.Events {
			t.Errorf("%s: the tail %+v, the log has %d events", log.Path, tail, reading.Scan.Events)
		}
	}
	if sound < 10 {
		t.Errorf("only %d sound logs", sound)
	}
}

func TestATailThatCannotBeReadIsAnError(t *testing.T) {
	for _, encoding := range []scan.Encoding{scan.Plain, scan.Zstd} {
		if _, err := scan.ReadTail(failing{}, 100<<10, encoding); !errors.Is(err, iotest.ErrTimeout) {
			t.Errorf("%v: error %v, want %v", encoding, err, iotest.ErrTimeout)
		}
	}
}
