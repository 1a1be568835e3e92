package upgrade

import (
	"slices"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// attempt is one try of the model to answer: the chunks of a stream.
type attempt struct {
	turn, step jsjson.Value
	seqs       []int64      // of the chunks, in v1
	time       jsjson.Value // of the last chunk
	finished   bool         // the last chunk is a finish
	stream     stream
	row        int64 // of the last chunk
	split      bool  // refused for the cut, which is said once
}

// accepts tells whether an event with a payload belongs to the turn and step of the attempt.
func (a *attempt) accepts(data Object) bool {
	return jsjson.StrictEqual(a.turn, data.Get("turn")) && jsjson.StrictEqual(a.step, data.Get("step"))
}

// chunk adds a chunk to the open attempt, or begins another one.
func (s *v1ToV2) chunk(e Event) error {
	data := ObjectOf(e.Data())
	if s.attempt != nil && (s.attempt.finished || !s.attempt.accepts(data)) {
		if err := s.settle(); err != nil {
			return err
		}
	}
	if err := s.release(); err != nil {
		return err
	}
	if s.attempt == nil {
		s.attempt = &attempt{turn: data.Get("turn"), step: data.Get("step")}
	}
	a := s.attempt
	chunk := data.Get("chunk")
	a.seqs = append(a.seqs, e.Seq)
	a.time, a.finished, a.row = e.Get("time"), chunk.Get("type").EqualText("finish"), e.Row
	if err := s.unsplit(e.Seq); err != nil {
		return err
	}
	return a.stream.push(a.time, chunk)
}

// unsplit refuses an attempt that is inherited only in part.
func (s *v1ToV2) unsplit(seq int64) error {
	if cut := s.header.Cut; s.attempt.seqs[0] < cut && seq >= cut && !s.attempt.split {
		s.attempt.split = true
		return unsupported("inherited Session cut %d splits one Assistant attempt", cut)
	}
	return nil
}

// message folds the attempt into its message, which must cite all of its chunks.
func (s *v1ToV2) message(e Event) error {
	cited := e.Get("sourceEventSeqs")
	claimed := s.attempt
	if cited.Kind == jsjson.Array && cited.Len() == 0 {
		claimed = nil
	}
	var stream jsjson.Value
	switch {
	case !cited.Exists() && claimed != nil:
		return unsupported("assistant/message %d does not cite its complete v1 chunk attempt", e.Seq)
	case cited.Exists() && !claimed.citedBy(cited):
		return unsupported("assistant/message %d chunk provenance is not one complete ordered attempt", e.Seq)
	case claimed != nil && claimed.accepts(ObjectOf(e.Data())):
		if err := s.unsplit(e.Seq); err != nil {
			return err
		}
		stream = claimed.stream.value()
		s.attempt = nil
	default:
		stream = array()
	}
	if err := s.settle(); err != nil {
		return err
	}
	return s.put(withStream(e, stream))
}

// withStream returns a message of v1 as one of v2.
func withStream(e Event, stream jsjson.Value) Event {
	return e.Without("sourceEventSeqs").WithData(ObjectOf(e.Data()).With("stream", stream))
}

// citedBy tells whether a list names the chunks of an attempt; that of no attempt
// is empty.
func (a *attempt) citedBy(list jsjson.Value) bool {
	var want []int64
	if a != nil {
		want = a.seqs
	}
	seqs := make([]int64, 0, len(want))
	for v := range list.Elements() {
		n, ok := v.SafeInt()
		if !ok || len(seqs) == len(want) {
			return false
		}
		seqs = append(seqs, n)
	}
	return slices.Equal(seqs, want)
}

// settle emits what no message has claimed as an attempt of its own, in the place
// of its last chunk, and the events behind it.
func (s *v1ToV2) settle() error {
	if a := s.attempt; a != nil {
		s.attempt = nil
		e := newEvent("assistant/attempt", a.time, Object{
			member("turn", a.turn), member("step", a.step), member("stream", a.stream.value()),
		})
		e.Row = a.row
		if err := s.put(e); err != nil {
			return err
		}
	}
	return s.release()
}

// release emits the events that were held.
func (s *v1ToV2) release() error {
	held := s.held
	s.held = nil
	for _, e := range held {
		if err := s.put(e); err != nil {
			return err
		}
	}
	return nil
}
