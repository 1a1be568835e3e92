package session

import (
	"iter"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// pendingCall is a call that has no result yet.
type pendingCall struct {
	id, step jsjson.Value
	callSeq  int64 // seq of the tool/call event, -1 while none was seen
	settled  bool
}

// pendingCalls are the calls of a step in the order of JavaScript's Map. A step may
// have as many as its log has room for, so that many are not looked for one by one.
type pendingCalls struct {
	calls []pendingCall // settled ones included
	many  bool          // at has the calls
	at    map[jsjson.Digest]int
	owned []byte // the bytes that calls refer to
}

// fewCalls are as many calls as are faster found without their digests.
const fewCalls = 8

// canEqual reports whether an id can equal another one: arrays and objects are
// distinct in memory.
func canEqual(id jsjson.Value) bool { return id.Kind != jsjson.Array && id.Kind != jsjson.Object }

// find returns the call with an id, or nil.
func (p *pendingCalls) find(id jsjson.Value) *pendingCall {
	if p.many {
		if i, ok := p.at[id.Digest()]; ok && canEqual(id) {
			return &p.calls[i]
		}
		return nil
	}
	for i := range p.calls {
		if call := &p.calls[i]; !call.settled && jsjson.StrictEqual(call.id, id) {
			return call
		}
	}
	return nil
}

// add adds a call. One with the id of another takes its place.
func (p *pendingCalls) add(id, step jsjson.Value) {
	call := pendingCall{id: own(&p.owned, id), step: own(&p.owned, step), callSeq: -1}
	if old := p.find(id); old != nil {
		*old = call
		return
	}
	p.calls = append(p.calls, call)
	switch {
	case p.many:
		p.index(len(p.calls) - 1)
	case len(p.calls) > fewCalls:
		p.many = true
		for i := range p.calls {
			p.index(i)
		}
	}
}

// index makes a call known by its digest.
func (p *pendingCalls) index(i int) {
	if call := &p.calls[i]; !call.settled && canEqual(call.id) {
		if p.at == nil {
			p.at = make(map[jsjson.Digest]int)
		}
		p.at[call.id.Digest()] = i
	}
}

// settle takes away a call that find has returned.
func (p *pendingCalls) settle(call *pendingCall) {
	call.settled = true
	if p.many {
		delete(p.at, call.id.Digest())
	}
	for n := len(p.calls); n > 0 && p.calls[n-1].settled; n-- {
		p.calls = p.calls[:n-1]
	}
	if len(p.calls) == 0 {
		p.forget()
	}
}

// all yields the calls without a result.
func (p *pendingCalls) all() iter.Seq[*pendingCall] {
	return func(yield func(*pendingCall) bool) {
		for i := range p.calls {
			if !p.calls[i].settled && !yield(&p.calls[i]) {
				return
			}
		}
	}
}

// forget takes all calls away.
func (p *pendingCalls) forget() {
	p.calls, p.owned = p.calls[:0], p.owned[:0]
	if p.many {
		p.many = false
		clear(p.at)
	}
}
