package rules

import "github.com/turnlint/turnlint/scan"

// order says how the seq of a record follows those before it.
type order uint8

const (
	inOrder    order = iota
	gap              // greater than expected
	repeated         // smaller than expected
	late             // missing so far: the last gap is before its place
	unnumbered       // there is none
)

// sequence follows the seqs of a log. Behind a break it goes on from the seq
// that it found, so that one cause gives one finding.
type sequence struct {
	next int64 // seq expected of the next event
	// lost says that a record before the next event could not be read, so that a
	// greater seq than expected is no finding of its own.
	lost bool
	bare bool // the last event had no seq

	frame     int   // frame in which the last record ended
	atFrame   int64 // next, at the first record that ended there
	last      scan.Place
	recent    recent
	repeating *repetition
	runs      int // of repeated seqs so far
	hole      hole
}

// hole is the last gap. Its events may come late, if the records are in the
// wrong order.
type hole struct {
	first    int64 // seq of the first event that is missing
	from, to int64 // seqs that are missing still
	finding  *Finding
}

// enter notes the frame in which a record ends, and reports whether it is the
// first to end there.
func (s *sequence) enter(r *scan.Record) bool {
	if r.LastFrame == s.frame {
		return false
	}
	s.frame, s.atFrame = r.LastFrame, s.next
	return true
}

// rewind forgets the records of the frame that turned out not to decode.
func (s *sequence) rewind(frame int) {
	if s.frame == frame {
		s.next = s.atFrame
	}
	s.lost, s.repeating, s.hole = true, nil, hole{}
}

// take moves on to the record, an event or a row. The seq that was expected is
// returned, and whether events are missing that something else accounts for.
func (s *sequence) take(r *scan.Record) (o order, expected int64, skipped bool) {
	expected = s.next
	seq, ok := r.Seq()
	switch {
	case !ok || seq < 0:
		s.lost = true
		return unnumbered, expected, false
	case s.repeating != nil && seq == s.repeating.expected:
		// the log goes on where it was before the repetition
	case seq < expected && seq == s.hole.from && seq+r.Events() <= s.hole.to:
		s.hole.from += r.Events()
		return late, expected, false
	case seq < expected:
		o = repeated
	case seq > expected && s.lost:
		skipped = true
	case seq > expected:
		o = gap
		s.hole = hole{first: expected, from: expected, to: seq}
	}
	s.next, s.lost = seq+r.Events(), false
	return o, expected, skipped
}
