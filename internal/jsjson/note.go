package jsjson

// Note is something that can be told from the skeleton of a text alone: a number,
// 0 as long as nobody has said it. Of what depends on a value that is not
// [Value.Fixed] there must be no note.
type Note struct{ id int }

var numNotes int

// NewNote returns a Note. It is for variables of packages.
func NewNote() Note {
	numNotes++
	return Note{numNotes - 1}
}

// Of returns what is noted of a skeleton.
func (n Note) Of(s *Skeleton) uint32 {
	if s == nil {
		return 0
	}
	return s.notes[n.id]
}

// Set notes a number of a skeleton.
func (n Note) Set(s *Skeleton, number uint32) {
	if s != nil {
		s.notes[n.id] = number
	}
}
