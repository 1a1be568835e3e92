package follow

import (
	"crypto/sha256"
	"io"
)

// guardLen is the number of bytes at both ends of what was read that are compared:
// enough for the header, and for some events.
const guardLen = 4096

// guard tells whether bytes that were read have been written over since. A log is
// only ever added to, or cut and then added to.
type guard struct {
	end int64 // bytes that were read
	sum [sha256.Size]byte
}

func newGuard(src io.ReaderAt, end int64) (g guard, err error) {
	g.end = end
	h := sha256.New()
	n := min(guardLen, end)
	for _, from := range []int64{0, end - n} {
		if _, err := io.Copy(h, io.NewSectionReader(src, from, n)); err != nil {
			return g, err
		}
	}
	h.Sum(g.sum[:0])
	return g, nil
}

// holds reports whether the bytes are the same in src.
func (g *guard) holds(src io.ReaderAt) (bool, error) {
	if g.end == 0 {
		return true, nil
	}
	now, err := newGuard(src, g.end)
	return now == *g, err
}
