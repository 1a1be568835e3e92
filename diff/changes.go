package diff

import (
	"iter"
	"slices"
)

// Change is what became of one event that is not the same in both logs. A is nil for
// one that the second log adds, B for one that it drops; one that is rewritten has
// both.
type Change struct{ A, B *Event }

// Changes yields the changes in the order of the second log, what is dropped at a
// place before what is added there. With texts, the events have theirs. It reads each
// log once more; [Diff.Err] says whether that worked.
func (d *Diff) Changes(texts bool) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		a, stopA := iter.Pull(d.a.Events())
		defer stopA()
		b, stopB := iter.Pull(d.b.Events())
		defer stopB()
		var gone, come []*Event
		read := 0 // events of the second log
		for _, e := range d.runs {
			if e.Op == Keep {
				if !yieldPaired(yield, gone, come) {
					return
				}
				gone, come = nil, nil
			}
			for range e.N {
				if e.Op != Insert {
					gone = take(gone, a, e.Op, texts)
				}
				if e.Op != Delete {
					come = take(come, b, e.Op, texts)
					if e.Op == Insert && d.madeUp[read] {
						come[len(come)-1].MadeUp = true
					}
					read++
				}
			}
		}
		yieldPaired(yield, gone, come)
	}
}

// take reads an event, and keeps it unless both logs have it.
func take(all []*Event, next func() (Event, bool), op Op, texts bool) []*Event {
	e, ok := next()
	if op == Keep || !ok {
		return all
	}
	if e.Text = slices.Clone(e.Text); !texts {
		e.Text = nil
	}
	return append(all, &e)
}

// yieldPaired yields the events that go and come at one place, and finds those that
// are rewritten among them.
func yieldPaired(yield func(Change) bool, gone, come []*Event) bool {
	byName := make(map[uint64][]*Event)
	for _, e := range gone {
		byName[e.name()] = append(byName[e.name()], e)
	}
	var changes []Change
	paired := make(map[*Event]bool)
	for _, e := range come {
		c := Change{B: e}
		if same := byName[e.name()]; len(same) > 0 && !e.MadeUp {
			c.A, byName[e.name()] = same[0], same[1:]
			paired[c.A] = true
		}
		changes = append(changes, c)
	}
	for _, e := range gone {
		if !paired[e] && !yield(Change{A: e}) {
			return false
		}
	}
	for _, c := range changes {
		if !yield(c) {
			return false
		}
	}
	return true
}
