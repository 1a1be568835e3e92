package upgrade

import (
	"github.com/turnlint/turnlint/internal/jsjson"
)

// v1ToV2 folds the chunks of a stream into the message that they made, or into an
// attempt when they made none, and so numbers all events anew (docs/generations.md §4.3).
type v1ToV2 struct {
	header *Header
	emit   Emit

	next  int64 // seq of the next event of v2
	moved renumbering
	last  jsjson.Value // time of the last event of v1

	attempt *attempt // the chunks that no message has claimed, nil for none
	held    []Event  // the events behind the last of them

	turn, step bool  // open ones
	number     int64 // of the open turn
	spliced    bool  // the last event put work into the inbox of the next turn

	cut int64 // in v2, noCut before the marker is there
}

func newV1ToV2(h *Header, _ *Options, emit Emit) Edge {
	return &v1ToV2{header: h, emit: emit, cut: noCut}
}

func (s *v1ToV2) Event(e Event) error {
	if err := s.check(e); err != nil {
		return err
	}
	e, err := s.mark(e)
	if err != nil {
		return err
	}
	err = s.take(e)
	s.last = e.Get("time")
	s.spliced = e.Type == "agent/inbox/spliced" && e.Data().Get("target").EqualText("next-turn") &&
		e.Data().Get("inserted").Len() > 0
	return err
}

// check refuses what v1 never had.
func (s *v1ToV2) check(e Event) error {
	known, err := checkPayload(e, 1)
	switch {
	case err != nil:
		return err
	case !known:
		return unsupported("format v1 contains unknown event type %s at seq %d", e.Get("type").Stringify(), e.Seq)
	case e.Type == deliveryAccepted:
		if version, _ := e.Data().Get("sessionFormatVersion").SafeInt(); version == 1 {
			return ownDelivery(e, s.header, unsupported)
		}
	}
	return nil
}

// take moves the event to v2, or holds it until the attempt before it is settled.
func (s *v1ToV2) take(e Event) error {
	switch e.Type {
	case "assistant/chunk":
		return s.chunk(e)
	case "assistant/message":
		return s.message(e)
	case "turn/start", "turn/end", "step/start", "step/end", "llm/retry", "llm/retry-started":
		if err := s.settle(); err != nil {
			return err
		}
		return s.bracket(e)
	}
	if s.attempt != nil {
		s.held = append(s.held, e)
		return nil
	}
	return s.put(e)
}

// bracket follows turns and steps, and closes the turn that a crash left open
// when the next one took over its inbox.
func (s *v1ToV2) bracket(e Event) error {
	if e.Type == "turn/start" && s.turn {
		number, _ := e.Data().Get("turn").SafeInt()
		if s.step || !s.spliced || number != s.number+1 {
			return unsupported("turn/start %d does not close the prior turn", number)
		}
		if err := s.put(interrupted(s.number, e.Get("time"))); err != nil {
			return err
		}
	}
	s.follow(e)
	return s.put(e)
}

func (s *v1ToV2) follow(e Event) {
	switch e.Type {
	case "turn/start":
		s.turn, s.step = true, false
		s.number, _ = e.Data().Get("turn").SafeInt()
	case "turn/end":
		s.turn, s.step = false, false
	case "step/start":
		s.step = true
	case "step/end":
		s.step = false
	}
}

// put moves the event to v2.
func (s *v1ToV2) put(e Event) error {
	e, err := s.splitGoal(e)
	if err != nil {
		return err
	}
	if e, err = s.remap(e); err != nil {
		return err
	}
	return s.place(e)
}

// place gives the event its number in v2 and emits it.
func (s *v1ToV2) place(e Event) error {
	if e.Seq != unnumbered {
		s.moved.add(e.Seq, s.next)
	}
	if e.Type == endSeed && e.Data().Get("inherited").Kind == jsjson.True {
		s.cut = s.next
	}
	e = e.At(s.next)
	s.next++
	return s.emit(e)
}

// Carry implements carrier.
func (s *v1ToV2) Carry(e Event) error {
	switch e.Type {
	case "assistant/chunk":
		return nil // an attempt may lack it
	case "assistant/message":
		s.attempt = nil
		e = withStream(e, array())
	}
	s.follow(e)
	if err := s.release(); err != nil {
		return err
	}
	return s.place(e)
}

// splitGoal emits the goal/change that a message of early v0 carries, and returns
// the message without it.
func (s *v1ToV2) splitGoal(e Event) (Event, error) {
	source := e.Data().Get("source")
	change := source.Get("change")
	if e.Type != "user/message" || !source.Get("kind").EqualText("goal") || !change.Exists() {
		return e, nil
	}
	if err := s.put(newEvent("goal/change", e.Get("time"), ObjectOf(change))); err != nil {
		return e, err
	}
	plugin := Object{member("kind", text("plugin")), member("plugin", text("goal"))}
	return e.WithData(ObjectOf(e.Data()).With("source", plugin.Value())), nil
}

const endSeed = "session/end-seed"

// mark makes the end of the inherited events a marker: the end-seed that stands
// there, or else a new one.
func (s *v1ToV2) mark(e Event) (Event, error) {
	if e.Seq != s.header.Cut {
		return e, nil
	}
	if e.Type == endSeed {
		return e.WithData(marker), nil
	}
	m := newEvent(endSeed, e.Get("time"), marker)
	if s.attempt != nil {
		s.held = append(s.held, m)
		return e, nil
	}
	return e, s.put(m)
}

var marker = Object{member("inherited", truth)}

// Finish settles the last attempt, and marks the end of a log that is inherited
// as a whole.
func (s *v1ToV2) Finish(cut int64) (int64, error) {
	if err := s.settle(); err != nil {
		return noCut, err
	}
	if cut != noCut && s.cut == noCut {
		time := s.last
		if !time.Exists() {
			time = s.header.Fields.Get("createdAt")
		}
		if err := s.put(newEvent(endSeed, time, marker)); err != nil {
			return noCut, err
		}
	}
	return s.cut, nil
}
