package store

// Families has the logs of sub-agents by the ids, in WTF-8, of the sessions that
// they belong to.
type Families map[string][]*Log

// Families reads the headers of a sessions directory and returns the logs of the
// sub-agents in it, in the order of their paths. The ids that are the same in two
// projects are both there.
func (t *Tree) Families() Families {
	all := Families{}
	for d := range t.Dirs() {
		log := d.Winner()
		if log == nil {
			continue
		}
		h := log.Listing().Header
		if h != nil && h.Origin.EqualText("subagent") && h.ParentSession.NonEmptyString() {
			parent := h.ParentSession.Text()
			all[parent] = append(all[parent], log)
		}
	}
	return all
}
