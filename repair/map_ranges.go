package repair

import (
	"bytes"
	"cmp"
	"slices"
	"sort"

	"github.com/turnlint/turnlint/scan"
)

// mapper collects what is known of the bytes of a log.
type mapper struct {
	source
	container *scan.Container
	parts     []unit // in order
	edges     []edge
}

// unit is a frame of a zstd log or a line of a plain one.
type unit struct{ from, to int64 } // file offsets

// edge is where bytes of a state start or end.
type edge struct {
	off    int64
	status Status
	step   int // 1 or -1
}

func (m *mapper) mark(from, to int64, status Status) {
	if from < to {
		m.edges = append(m.edges, edge{from, status, 1}, edge{to, status, -1})
	}
}

// unitAt returns the unit that starts at, or holds, a file offset.
func (m *mapper) unitAt(off int64) (unit, bool) {
	i := sort.Search(len(m.parts), func(i int) bool { return m.parts[i].to > off })
	if i == len(m.parts) || m.parts[i].from > off {
		return unit{}, false
	}
	return m.parts[i], true
}

// units reads the log and marks its frames, the bytes between them, or its lines.
func (m *mapper) units() {
	m.mark(0, m.size, StatusGood)
	if m.encoding == scan.Plain {
		for r := range m.records() {
			m.parts = append(m.parts, unit{r.FileOff, r.FileOff + lineLen(r)})
		}
		if len(m.parts) > 0 {
			m.mark(0, m.parts[0].to, StatusHeader)
		}
		return
	}
	end := int64(0)
	m.onFrame = func(f scan.FrameInfo) {
		m.markGap(end, f.FileOff)
		end = f.FileOff + f.Len
		m.parts = append(m.parts, unit{f.FileOff, end})
		m.mark(f.FileOff, end, m.frameStatus(&f))
	}
	for range m.records() { // for its frames
	}
	m.markGap(end, m.size)
}

// frameStatus returns the state of a frame.
func (m *mapper) frameStatus(f *scan.FrameInfo) Status {
	switch {
	case f.Torn:
		return m.cutStatus(f.FileOff, f.FileOff+f.Len)
	case f.Err != nil:
		return StatusDamaged
	case f.Number > m.container.Frames: // those are the ones that dsh reaches
		return StatusHidden
	case f.FileOff == 0 && m.container.HeaderFrame:
		return StatusHeader
	}
	return StatusGood
}

// cutStatus returns the state of a frame without end: torn, if that is what a
// crash leaves, which is at the end of the file and hides nothing.
func (m *mapper) cutStatus(from, to int64) Status {
	if torn := m.container.Torn; torn != nil && torn.FileOff == from && to == m.size && !m.container.Hidden.Found {
		return StatusTorn
	}
	return StatusDamaged
}

// markGap marks bytes in which no frame could be read.
func (m *mapper) markGap(from, to int64) {
	if from >= to {
		return
	}
	var head [4]byte
	n, _ := m.src.ReadAt(head[:min(4, to-from)], from)
	if bytes.HasPrefix(magic, head[:n]) {
		m.mark(from, to, m.cutStatus(from, to))
		return
	}
	m.mark(from, to, StatusForeign)
}

// ranges cuts the file at all edges and joins neighbours in the same state.
func (m *mapper) ranges() []MapRange {
	slices.SortFunc(m.edges, func(a, b edge) int { return cmp.Compare(a.off, b.off) })
	ranges := []MapRange{}
	var open [statusCount]int
	for i, e := range m.edges {
		open[e.status] += e.step
		if i+1 == len(m.edges) || m.edges[i+1].off == e.off {
			continue
		}
		status := statusCount - 1
		for status > StatusGood && open[status] == 0 {
			status--
		}
		n := m.edges[i+1].off - e.off
		if k := len(ranges) - 1; k >= 0 && ranges[k].Status == status {
			ranges[k].Len += n
			continue
		}
		ranges = append(ranges, MapRange{FileOff: e.off, Len: n, Status: status})
	}
	for i := range ranges {
		m.number(&ranges[i])
	}
	return ranges
}

// number sets the numbers of the units that a range has a part of.
func (m *mapper) number(r *MapRange) {
	first := sort.Search(len(m.parts), func(i int) bool { return m.parts[i].to > r.FileOff })
	last := sort.Search(len(m.parts), func(i int) bool { return m.parts[i].from >= r.FileOff+r.Len })
	if first < last {
		r.First, r.Last = first+1, last
	}
}
