package upgrade

import (
	"io"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// locate gives the refusals of events their places. Only a log that is refused is
// read again for it: the place of every event would take memory for each.
func locate(src io.ReaderAt, size int64, opt *Options, r *Result) error {
	wanted := map[int64][]*Refusal{}
	for _, refusal := range append(r.Refusals[:len(r.Refusals):len(r.Refusals)], r.Stored) {
		if refusal != nil && refusal.Row >= 0 {
			wanted[refusal.Row] = append(wanted[refusal.Row], refusal)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	reader, err := scan.NewReader(src, size, scan.Options{Encoding: opt.Encoding, MaxLine: opt.MaxLine})
	if err != nil {
		return err
	}
	l := locator{wanted: wanted}
	for record := range reader.Records() {
		if l.take(record); len(wanted) == 0 {
			break
		}
	}
	return reader.Err()
}

// locator counts the events of a log as a decoder does up to the first bad row,
// behind which no event is on its way to anywhere.
type locator struct {
	wanted map[int64][]*Refusal // by seq
	next   int64
	turn   int64 // the last one that began
}

func (l *locator) take(r *scan.Record) {
	turn := l.turn
	switch r.Kind {
	case scan.Row:
		turn, _ = r.Row.Turn.SafeInt()
	case scan.Event:
		if n, ok := r.Event.Turn().SafeInt(); ok {
			turn = n
		}
		if r.Event.Kind == session.TurnStart {
			l.turn = turn
		}
	default:
		return
	}
	for range r.Events() {
		for _, refusal := range l.wanted[l.next] {
			refusal.Place, refusal.Turn = r.Place, turn
		}
		delete(l.wanted, l.next)
		l.next++
	}
	if r.Kind == scan.Event && r.Event.Kind == session.TurnEnd {
		l.turn = 0
	}
}
