package upgrade

// maxRefusals bounds the refusals that are kept of one log.
const maxRefusals = 1000

// refusals collects the refusals of a migration: the first one only, or at most
// one for each event of the source.
type refusals struct {
	all   bool
	row   int64 // seq of the source event on its way
	list  []*Refusal
	count int   // all of them, those beyond maxRefusals too
	last  int64 // seq of the source event of the last one
	carry bool  // the last refusal did not stop the migration
}

// add keeps a refusal and returns it when the migration stops there.
func (s *refusals) add(r *Refusal) error {
	if !s.all {
		if s.count == 0 {
			s.list, s.count = []*Refusal{r}, 1
		}
		return r // from edge to edge, back to the decoder
	}
	s.carry = true
	if s.count > 0 && s.last == r.Row && r.Row >= 0 {
		return nil // the event has one
	}
	s.last = r.Row
	if s.count++; len(s.list) < maxRefusals {
		s.list = append(s.list, r)
	}
	return nil
}

// first returns the refusal with which the harness answers, nil for none.
func (s *refusals) first() *Refusal {
	if len(s.list) == 0 {
		return nil
	}
	return s.list[0]
}

// precede puts a refusal in front of those that were found, for the harness does
// not get to them. Only those who want all are told of them.
func (s *refusals) precede(r *Refusal) {
	if !s.all {
		s.list, s.count = nil, 0
	}
	s.list = append([]*Refusal{r}, s.list[:min(len(s.list), maxRefusals-1)]...)
	s.count++
}
