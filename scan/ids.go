package scan

import "sort"

// messageIDs keeps the ids of the messages of a log by the seqs of their events, which
// rise. A map would take three times the memory.
type messageIDs struct {
	entries pages[messageID]
	text    pages[byte]
}

type messageID struct {
	seq, len uint32 // like the surface, for less than 2^32 events
	off      int64  // in text
}

// add adds the id of the event with a seq behind all others.
func (m *messageIDs) add(seq int64, id string) {
	m.entries.append(messageID{uint32(seq), uint32(len(id)), int64(m.text.len())})
	for i := range len(id) {
		m.text.append(id[i])
	}
}

// of returns the id of the event with a seq, "" when it has none.
func (m *messageIDs) of(seq int64) string {
	n := m.entries.len()
	i := sort.Search(n, func(i int) bool { return int64(m.entries.at(i).seq) >= seq })
	if i == n || int64(m.entries.at(i).seq) != seq {
		return ""
	}
	e := m.entries.at(i)
	id := make([]byte, e.len)
	for k := range id {
		id[k] = *m.text.at(int(e.off) + k)
	}
	return string(id)
}
