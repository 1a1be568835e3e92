//go:build !gofuzz

package fuzz

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/turnlint/turnlint/fuzz/reference"
	"github.com/turnlint/turnlint/internal/corpus"
	"github.com/turnlint/turnlint/internal/soak"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

var update = flag.Bool("update", false, "write the counts of the sweeps")

// A sweep goes over a log in every way of a kind, counts what became of it, and
// compares the counts with those of testdata/sweeps: a change of them is a change of
// behaviour. Quick runs take one of some dozen steps.
type sweep struct {
	mu    sync.Mutex
	count map[string]int
}

func (s *sweep) add(class string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count == nil {
		s.count = make(map[string]int)
	}
	s.count[class]++
}

// compare compares the counts with those that are committed.
func (s *sweep) compare(t *testing.T, name string) {
	t.Helper()
	total := 0
	var text strings.Builder
	for _, class := range slices.Sorted(maps.Keys(s.count)) {
		fmt.Fprintf(&text, "%7d %s\n", s.count[class], class)
		total += s.count[class]
	}
	fmt.Fprintf(&text, "%7d in all\n", total)
	t.Logf("%s:\n%s", name, text.String())
	path := filepath.Join("testdata", "sweeps", name+map[bool]string{true: ".all", false: ".quick"}[soak.On()])
	if *update {
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text.String() != string(want) {
		t.Errorf("%s: counts (-update writes them)\n%swant\n%s", name, text.String(), want)
	}
}

// steps returns the length of a step: 1 in a long run.
func steps(quick int) int {
	if soak.On() {
		return 1
	}
	return quick
}

// forEachLog runs do on each log of the corpus, in parallel, and then compares.
func forEachLog(t *testing.T, s *sweep, name string, do func(t *testing.T, log corpus.Log)) {
	t.Run("logs", func(t *testing.T) {
		for _, log := range corpusLogs(t) {
			t.Run(log.Path, func(t *testing.T) {
				t.Parallel()
				do(t, log)
			})
		}
	})
	s.compare(t, name)
}

// compared reads a damaged log with both readers and returns its verdict.
func compared(t *testing.T, at string, data []byte, encoding scan.Encoding) string {
	t.Helper()
	result, err := rules.Check(bytes.NewReader(data), int64(len(data)), rules.Options{Encoding: encoding})
	if err != nil {
		t.Fatal(err)
	}
	want, err := readReference(data, encoding)
	if errors.Is(err, ErrSkip) || result.Reading.Generation > 0 {
		return "not judged"
	}
	switch refusal := result.Reading.Scan.Refusal; {
	case refusal == nil && want.Refusal != "", refusal != nil && !strings.HasPrefix(refusal.Text, want.Refusal), refusal != nil && want.Refusal == "":
		t.Errorf("%s: %v, but the reference says %q", at, refusal, want.Refusal)
	case refusal == nil && (result.Reading.Scan.Events != want.Events || result.Reading.Scan.Committed != want.Committed):
		t.Errorf("%s: %d events and %d bytes, but the reference reads %d and %d", at, result.Reading.Scan.Events, result.Reading.Scan.Committed, want.Events, want.Committed)
	}
	return result.Reading.Verdict.String()
}

// TestEveryTruncationReadsLikeTheReference cuts every log at every byte.
func TestEveryTruncationReadsLikeTheReference(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	var s sweep
	forEachLog(t, &s, "truncations", func(t *testing.T, log corpus.Log) {
		encoding := encodingOf(log.Data)
		for n := 0; n < len(log.Data); n += steps(47) {
			s.add(compared(t, fmt.Sprintf("cut to %d bytes", n), log.Data[:n], encoding))
		}
	})
}

func encodingOf(data []byte) scan.Encoding {
	e, err := scan.Detect(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		panic(err) // there is nothing to fail
	}
	return e
}

// TestEveryFlippedBitIsReportedOrChangesNothing flips every bit of the compressed logs
// that dsh opens. A frame with a checksum lets none pass that changes its text.
func TestEveryFlippedBitIsReportedOrChangesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	var s sweep
	forEachLog(t, &s, "flips", func(t *testing.T, log corpus.Log) {
		if log.Expect.Verdict != "opens" || encodingOf(log.Data) != scan.Zstd || !checksummed(log.Data) {
			return
		}
		want := plaintext(t, log.Data)
		for bit := 0; bit < 8*len(log.Data); bit += steps(13) {
			flipped := bytes.Clone(log.Data)
			flipped[bit/8] ^= 1 << (bit % 8)
			at := fmt.Sprintf("bit %d of byte %d", bit%8, bit/8)
			verdict := compared(t, at, flipped, scan.Zstd)
			if verdict == "opens" && !bytes.Equal(plaintext(t, flipped), want) {
				t.Errorf("%s: it opens with another text", at)
			}
			s.add(verdict)
		}
	})
}

func checksummed(log []byte) bool {
	walk := reference.WalkFrames(log)
	return !slices.ContainsFunc(walk.Frames, func(f reference.Frame) bool { return f.Data[4]&4 == 0 })
}

// TestEveryDamagedLineReadsLikeTheReference cuts every line of the corpus at every
// byte, takes every byte out, doubles it and replaces it.
func TestEveryDamagedLineReadsLikeTheReference(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	var s sweep
	names, err := filepath.Glob(filepath.Join("corpus", "lines", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		line, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(line) > 1<<10 {
			continue
		}
		for n := 0; n < len(line); n += steps(7) {
			for edit, damaged := range map[string][]byte{
				"cut": line[:n], "without": slices.Delete(bytes.Clone(line), n, n+1), "twice": slices.Insert(bytes.Clone(line), n, line[n]),
				"as zero": replaced(line, n, 0), "as quote": replaced(line, n, '"'), "as digit": replaced(line, n, '9'),
			} {
				switch err := errors.Join(CheckRecord(damaged), CheckHeader(damaged)); {
				case err == nil:
					s.add(edit + ": " + reference.Kind(damaged))
				case !errors.Is(err, ErrSkip):
					t.Errorf("%s, byte %d %s: %v", name, n, edit, err)
				}
			}
		}
	}
	s.compare(t, "lines")
}

func replaced(line []byte, n int, with byte) []byte {
	line = bytes.Clone(line)
	line[n] = with
	return line
}
