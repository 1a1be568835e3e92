package repair

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/turnlint/turnlint/scan"
)

// history is what a plan makes of one history that a log tells.
type history struct {
	Facts Candidate
	Plan  Plan
	Short []Part // of the history up to what dsh leaves out
}

// histories plans for every history of a log. It reads the log with the rows of the
// seqs apart unfolded, and returns how many rows that makes.
func histories(t *testing.T, image []byte, apart func(*Plan, *scan.Reading) seqs) (all []history, rows int) {
	t.Helper()
	src := bytes.NewReader(image)
	result, err := check(src, src.Size(), "", scan.Auto)
	if err != nil {
		t.Fatal(err)
	}
	p := Plan{Size: src.Size(), Generation: result.Reading.Generation, Options: Options{Encoding: result.Container.Encoding}, Written: result.Container.Encoding.String()}
	s := p.read(src)
	if s.editor, err = newEditor(s, "", nil, false); err != nil {
		t.Fatal(err)
	}
	l, err := readSalvage(s, apart(&p, result.Reading))
	if err != nil {
		t.Fatal(err)
	}
	trials, _, err := l.trials()
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range trials {
		h := history{Facts: trial.Candidate, Plan: p}
		h.Plan.adopt(l, trial)
		short := p
		short.lay(l, trial.chain.cut(result.Reading.Scan.Events), p.written())
		h.Short = short.Parts
		all = append(all, h)
	}
	return all, len(l.rows)
}

func allApart(*Plan, *scan.Reading) seqs { return allSeqs }

func TestFoldedRowsMakeThePlansThatAllRowsMake(t *testing.T) {
	ignored := cmp.Options{
		cmpopts.IgnoreUnexported(Plan{}, Candidate{}, Part{}, Span{}), cmpopts.EquateEmpty(),
	}
	logs, fewer := 0, 0
	for _, d := range slices.Concat(damages, editDamages) {
		for _, compressed := range []bool{false, true} {
			for k := range sampled(10) {
				image := apply(healthy(4), compressed, d, damages[0], k, 0)
				want, rows := histories(t, image, allApart)
				got, folded := histories(t, image, (*Plan).apart)
				if diff := cmp.Diff(want, got, ignored); diff != "" {
					t.Errorf("%s, compressed %v, %d (-all rows +folded):\n%s", d.name, compressed, k, diff)
				}
				logs++
				if folded < rows/2 {
					fewer++
				}
			}
		}
	}
	if fewer < logs/2 {
		t.Errorf("%d of %d logs have less than half of their rows, want half of the logs at least", fewer, logs)
	}
}

func TestTheRowsOfALogDoNotGrowWithIt(t *testing.T) {
	for _, compressed := range []bool{false, true} {
		var counts []int
		for _, turns := range []int{5, 50} {
			image := render(healthy(turns), compressed)
			_, rows := histories(t, image[:len(image)-9], (*Plan).apart)
			counts = append(counts, rows)
		}
		if counts[0] != counts[1] {
			t.Errorf("compressed %v: %d rows of 5 turns, and %d of 50", compressed, counts[0], counts[1])
		}
	}
}

func TestSeqsAreASetOfRanges(t *testing.T) {
	set := seqs{{5, 6}}.and([]seqRange{{10, 12}, {0, 2}, {6, 8}, {11, 15}})
	if diff := cmp.Diff(seqs{{0, 2}, {5, 8}, {10, 15}}, set, cmp.AllowUnexported(seqRange{})); diff != "" {
		t.Errorf("set (-want +got):\n%s", diff)
	}
	for first, want := range []bool{true, true, false, false, true, true, true, true, false, true, true, true, true, true, true, false} {
		if got := set.meets(&row{seq: int64(first), events: 2}); got != want {
			t.Errorf("meets %d and %d: %v, want %v", first, first+1, got, want)
		}
	}
}

func TestSeqsThatSeveralRowsHaveAreRepeated(t *testing.T) {
	tests := []struct {
		rows string
		want []seqRange
	}{
		{"0a 1bcd 4e", nil},
		{"0a 1bcd 3d 4e", []seqRange{{3, 4}}},
		{"4e 0abcde 1b", []seqRange{{1, 2}, {4, 5}}},
		{"0a 1bcd 2cdefg", []seqRange{{2, 4}}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.rows), func(t *testing.T) {
			if diff := cmp.Diff(tt.want, repeated(rowsOf(tt.rows)), cmp.AllowUnexported(seqRange{})); diff != "" {
				t.Errorf("repeated (-want +got):\n%s", diff)
			}
		})
	}
}
