package repair

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/scan"
)

// Damages of whole runs of seqs, of which the repair changes the events or takes some
// from another log.

// parentOfHealthy is the log of the session of which a log without its first events
// is a fork: the longest of the healthy ones.
const parentOfHealthy = "testdata/parent.jsonl"

// asParent gives the header of a log another id.
func asParent(b batches) batches {
	b = b.clone()
	b[0][0] = strings.Replace(b[0][0], `"id":"s"`, `"id":"p"`, 1)
	return b
}

func TestTheParentIsTheLongestHealthyLog(t *testing.T) {
	got, err := os.ReadFile(parentOfHealthy)
	if err != nil {
		t.Fatal(err)
	}
	if want := render(asParent(healthy(3)), false); !bytes.Equal(got, want) {
		t.Errorf("%s is not what it should be:\n%s", parentOfHealthy, want)
	}
}

var anySeq = regexp.MustCompile(`"seq(0?)":(\d+)`)

// firstSeq returns the seq of the first event of a batch.
func (b batches) firstSeq(batch int) int {
	for _, line := range b[batch] {
		if m := anySeq.FindStringSubmatch(line); m != nil {
			seq, _ := strconv.Atoi(m[2])
			return seq
		}
	}
	return 0
}

var counterFallsBack = damage{name: "counter falls back", cases: "48", asks: true, lines: func(b batches, k int) batches {
	b = b.clone()
	i := 1 + k%(len(b)-1)
	back := min(1+k/len(b)%20, b.firstSeq(i))
	for ; i < len(b); i++ {
		for j := range b[i] {
			b[i][j] = anySeq.ReplaceAllStringFunc(b[i][j], func(text string) string {
				m := anySeq.FindStringSubmatch(text)
				seq, _ := strconv.Atoi(m[2])
				return fmt.Sprintf(`"seq%s":%d`, m[1], max(0, seq-back))
			})
		}
	}
	return b
}}

var firstEventsLost = damage{name: "first events lost", cases: "81", asks: true, lines: func(b batches, k int) batches {
	b = b.clone()
	i := 1 + k%(len(b)-1)
	fork := fmt.Sprintf(`,"parentSession":"p","seedLength":%d}`, b.firstSeq(i))
	if b[0] != nil { // or it is lost already
		b[0][0] = strings.TrimSuffix(b[0][0], "}") + fork
	}
	return append(b[:1:1], b[i:]...)
}}

// editedSource returns what p reads the log from, with the edits that it makes.
func editedSource(t failer, p *Plan, image []byte) *source {
	t.Helper()
	s := p.read(bytes.NewReader(image))
	e, err := newEditor(s, p.Options.Header, p.Options.Allow, false)
	if err != nil {
		t.Fatalf("%v", err)
	}
	s.editor = e
	return s
}

// takeOver adds the events that p takes from the parent log.
func takeOver(t failer, p *Plan, events map[digest]bool) {
	t.Helper()
	var text bytes.Buffer
	if err := p.parent.write(&text, p.Splice.Events); err != nil {
		t.Fatalf("%v", err)
	}
	taken := &source{src: bytes.NewReader(text.Bytes()), size: int64(text.Len())}
	for _, d := range digests(taken) {
		events[d] = true
	}
}

func TestRunsOfSeqsAreRepairedOnRequest(t *testing.T) {
	events := func(image []byte, compressed bool) []digest {
		s := &source{src: bytes.NewReader(image), size: int64(len(image))}
		if compressed {
			s.encoding = scan.Zstd
		}
		return digests(s)
	}
	sound, repaired := events(render(healthy(3), false), false), 0
	for _, d := range []damage{counterFallsBack, firstEventsLost} {
		for _, compressed := range []bool{false, true} {
			for k := range sampled(200) {
				image := render(d.lines(healthy(3), k), compressed)
				p := planFor(t, image, nameOf(compressed), Options{Parent: parentOfHealthy, Allow: []Permission{renumber.permission("")}})
				if p.Action != Repair || len(p.Rewrites) == 0 && p.Splice == nil {
					continue // not all that falls back is a regression
				}
				repaired++
				if p.Level != Assisted || !slices.Equal(events(imageOf(t, p, image), compressed), sound) {
					t.Errorf("%s, compressed %v, %d: %s, %+v", d.name, compressed, k, p.Level, p.Ledger)
				}
			}
		}
	}
	if repaired < sampled(400) {
		t.Errorf("%d of %d logs are repaired", repaired, sampled(800))
	}
}
