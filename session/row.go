package session

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// The members of a row from format v2 on, in the order in which dsh looks for them.
var (
	rowRequired = []string{"type", "seq", "time", "data"}
	rowOptional = []string{"ignorable", "sourceEventSeqs", "surfaceOp"}
)

// RowFault returns what dsh's row decoder, which formats v2 to v4 share, says of
// a row whose envelope is broken, or "" (docs/generations.md §2.1). row counts
// from 0 behind the header.
func (e *Event) RowFault(row int64) string {
	if fault := e.envelopeFault(); fault != "" {
		return fmt.Sprintf("released v2 row %d %s", row, fault)
	}
	return ""
}

func (e *Event) envelopeFault() string {
	if !e.IsRecord() {
		return "must be an object"
	}
	if fault := e.rowKeysFault(); fault != "" {
		return fault
	}
	_, timeOK := e.Time.SafeInt()
	switch {
	case e.Type.Kind != jsjson.String:
		return "type must be a string"
	case !timeOK || e.Time.NegZero():
		return "time must be a safe integer"
	case e.Ignorable.Exists() && e.Ignorable.Kind != jsjson.True:
		return "ignorable must be true when present"
	}
	return ""
}

// rowKeysFault does not look for each key in a row that has them all.
func (e *Event) rowKeysFault() string {
	if e.Type.Exists() && e.Seq.Exists() && e.Time.Exists() && e.Data.Exists() && !e.Foreign.Exists() {
		return ""
	}
	return KeysFault(e.Root, rowRequired, rowOptional, "lacks required field %s", "has unexpected field %s")
}

// SeqGap returns what dsh says of a row whose seq is not the next one, or "".
func (e *Event) SeqGap(row, next int64) string {
	if e.Seq.Kind == jsjson.Number && e.Seq.Float() == float64(next) {
		return ""
	}
	return fmt.Sprintf("released v2 row %d has seq gap (expected %d, got %s)", row, next, jsjson.ToValidUTF8(e.Seq.JSString()))
}

// SeqRange is an element of sourceEventSeqs: all seqs from the first to the last.
type SeqRange struct{ First, Last int64 }

// Sources is sourceEventSeqs as logs have it from format v2 on: seqs, and pairs
// that stand for all seqs from the first to the second.
type Sources struct {
	Ranges []SeqRange
	Pairs  bool // there is a pair
}

// Read sets s to the list of an event with the given seq, and returns what dsh
// says of a list that it does not take, or "". It does not spell out the pairs,
// which may name more seqs than there is memory.
func (s *Sources) Read(list jsjson.Value, seq int64) (fault string) {
	s.Ranges, s.Pairs = s.Ranges[:0], false
	if list.Kind != jsjson.Array {
		return "sourceEventSeqs must be an array"
	}
	for v := range list.Elements() {
		r, ok := seqRange(v)
		if !ok {
			return "sourceEventSeqs range must be a [start, end] pair"
		}
		s.Ranges = append(s.Ranges, r)
		s.Pairs = s.Pairs || v.Kind == jsjson.Array
	}
	switch {
	case s.Pairs && !increasing(s.Ranges):
		return "sourceEventSeqs ranges must be strictly increasing"
	case !uniqueBefore(s.Ranges, seq):
		return "sourceEventSeqs ranges must contain unique earlier seqs"
	}
	return ""
}

func seqRange(v jsjson.Value) (r SeqRange, ok bool) {
	if v.Kind != jsjson.Array {
		seq, ok := v.SafeInt()
		return SeqRange{seq, seq}, ok && seq >= 0
	}
	n := 0
	ok = true
	for end := range v.Elements() {
		seq, isInt := end.SafeInt()
		ok = ok && isInt && seq >= 0
		if n++; n == 1 {
			r.First = seq
		}
		r.Last = seq
	}
	return r, ok && n == 2 && r.First <= r.Last
}

func increasing(ranges []SeqRange) bool {
	for i := 1; i < len(ranges); i++ {
		if ranges[i].First <= ranges[i-1].Last {
			return false
		}
	}
	return true
}

func uniqueBefore(ranges []SeqRange, seq int64) bool {
	for _, r := range ranges {
		if r.Last >= seq {
			return false
		}
	}
	if increasing(ranges) {
		return true
	}
	sorted := slices.SortedFunc(slices.Values(ranges), func(a, b SeqRange) int { return cmp.Compare(a.First, b.First) })
	return increasing(sorted)
}

// Append appends the seqs as the JSON array of numbers that dsh makes of the
// list. It is no longer than the seqs before the event of a list that was read
// without fault.
func (s *Sources) Append(dst []byte) []byte {
	dst = append(dst, '[')
	for _, r := range s.Ranges {
		for seq := r.First; seq <= r.Last; seq++ {
			if dst[len(dst)-1] != '[' {
				dst = append(dst, ',')
			}
			dst = strconv.AppendInt(dst, seq, 10)
		}
	}
	return append(dst, ']')
}

// MarkerFault returns what dsh says of a session/end-seed whose data is no
// object, or "".
func (e *Event) MarkerFault(seq int64) string {
	if e.Kind == EndSeed && e.Data.Kind != jsjson.Object {
		return fmt.Sprintf("session/end-seed %d data must be an object", seq)
	}
	return ""
}

// Inherited reports whether the event is the marker that ends the inherited
// events of a seeded log, from format v2 on.
func (e *Event) Inherited() bool {
	return e.Kind == EndSeed && e.Field("inherited").Kind == jsjson.True
}
