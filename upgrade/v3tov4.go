package upgrade

import (
	"strconv"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// v3ToV4 gives results a role of their own and messages the producers that they
// come from, and ends turns that a restart left open. It appends the facts about
// sub-agents that the log lacks (docs/generations.md §5.3).
type v3ToV4 struct {
	header *Header
	emit   Emit

	moved   shifts
	last    Event // the event emitted last
	sent    bool  // the event on its way has been emitted
	turn    int64 // open turn, 0 when there is none
	inStep  bool
	restart bool // the last event put messages into the inbox of the next turn

	catalog catalog
	marker  deliveryRule
}

func newV3ToV4(h *Header, opt *Options, emit Emit) Edge {
	return &v3ToV4{
		header: h, emit: emit, catalog: catalog{children: opt.Children},
		marker: deliveryRule{generation: 3, header: h}, last: Event{Seq: -1},
	}
}

func (s *v3ToV4) Event(e Event) error {
	s.sent = false
	if session.AnyTypeOf(e.Get("type")).In(3) == session.Unknown {
		s.restart = false
		return s.unknown(e)
	}
	err := s.take(e)
	s.follow(e)
	return err
}

// Carry implements carrier.
func (s *v3ToV4) Carry(e Event) error {
	if s.sent {
		return nil
	}
	return s.send(s.moved.apply(e))
}

func (s *v3ToV4) take(e Event) error {
	if err := s.check(e); err != nil {
		return err
	}
	e, err := s.convert(e)
	if err != nil {
		return err
	}
	if err := s.closeRestart(e); err != nil {
		return err
	}
	s.sent = true
	return s.send(s.moved.apply(e))
}

// unknown keeps an ignorable event under a name that no reader will ever know.
func (s *v3ToV4) unknown(e Event) error {
	if e.Get("ignorable").Kind != jsjson.True {
		return unsupported(`format v3 contains unknown event type "%s" at seq %d`, jsjson.ToValidUTF8(e.Type), e.Seq)
	}
	s.sent = true
	return s.send(e.With("type", text("plugin:"+e.Type)).At(s.moved.seq(e.Seq)))
}

func (s *v3ToV4) send(e Event) error {
	s.last = e
	return s.emit(e)
}

// check refuses what v4 has no place for.
func (s *v3ToV4) check(e Event) error {
	switch e.Type {
	case endSeed:
		if e.Data().Get("inherited").Kind != jsjson.True {
			break
		}
		if !s.header.Seeded {
			return refuse("unseeded format v3 Session contains an inherited end-seed marker")
		}
		s.catalog.cut()
		s.marker.cut()
	case "request/header":
		return s.checkTools(e)
	case "subagent/catalog":
		s.catalog.add(e.Data())
	case deliveryAccepted:
		return checkDeliveryV3(e, &s.marker)
	}
	return nil
}

// checkTools refuses definitions with a member to which v4 gave a meaning.
func (s *v3ToV4) checkTools(e Event) error {
	i := 0
	for tool := range e.Data().Get("header").Get("tools").Elements() {
		if tool.Has("deferLoading") {
			return unsupported("%s.header.tools[%d] contains deferLoading, which is only defined in V4", s.at(e), i)
		}
		i++
	}
	return nil
}

// at names an event in the words of this edge.
func (s *v3ToV4) at(e Event) string {
	return "format v3 " + e.Type + " at seq " + strconv.FormatInt(e.Seq, 10)
}

// closeRestart ends a turn that stands open between two steps when the next one
// starts right behind messages for its inbox: the process that ran the old turn was
// replaced by one that did not end it.
func (s *v3ToV4) closeRestart(e Event) error {
	turn, ok := e.Data().Get("turn").SafeInt()
	if e.Type != "turn/start" || !s.restart || s.turn == 0 || s.inStep || !ok || turn != s.turn+1 {
		return nil
	}
	end := interrupted(s.turn, e.Get("time"))
	end.Row = e.Row
	end = end.At(s.moved.seq(e.Seq))
	s.moved.insert(e.Seq)
	return s.send(end)
}

// follow keeps track of what closeRestart needs, over events that are refused too.
func (s *v3ToV4) follow(e Event) {
	s.restart = false
	switch e.Type {
	case "turn/start":
		s.turn, _ = e.Data().Get("turn").SafeInt()
		s.inStep = false
	case "turn/end":
		s.turn = 0
	case "step/start", "step/end":
		s.inStep = e.Type == "step/start"
	case "agent/inbox/spliced":
		data := e.Data()
		s.restart = data.Get("target").EqualText("next-turn") && data.Get("inserted").Len() > 0
	}
}

// Finish appends the facts about sub-agents that the log lacks.
func (s *v3ToV4) Finish(cut int64) (int64, error) {
	if err := s.marker.finish(); err != nil {
		return cut, err
	}
	facts, err := s.catalog.missing()
	if err != nil {
		return cut, err
	}
	time := s.last.Get("time")
	if !time.Exists() { // there is no event
		time = s.header.Fields.Get("createdAt")
	}
	for _, fact := range facts {
		e := newEvent("subagent/catalog", time, fact)
		e.Row = s.last.Row
		if err := s.send(e.At(s.last.Seq + 1)); err != nil {
			return cut, err
		}
	}
	if cut != noCut {
		cut = s.moved.seq(cut)
	}
	return cut, nil
}
