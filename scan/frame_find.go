package scan

import (
	"bufio"
	"bytes"
	"io"
)

// HiddenFrames is a chain of intact frames that the walk passes over, because a
// damaged size field before them claims their bytes.
type HiddenFrames struct {
	Found  bool
	Off    int64 // file offset of the first frame of the chain
	End    int64 // file offset behind its last complete frame
	Frames int   // complete frames, each of which decodes with the right checksum
	// Broken says that further damage follows at End; when false, the file ends
	// there or inside the frame that starts there.
	Broken bool
	// Capped says that the search gave up because the bytes were made to be slow.
	Capped bool
}

// A search may walk and decode searchFactor times the bytes of its region, plus
// a constant for small ones. Intact frames need two passes; only candidates that
// overlap, as in a file made for that purpose, need more.
const (
	searchFactor = 8
	searchBase   = 1 << 20 // bytes
)

// findFrames looks in [from, size) of reader's file for complete frames at a place where the walk
// of docs/format.md §1.3 does not look, and returns the chain of them with the
// smallest offset. size is the length of the file. It tells a false torn tail
// from a true one: a damaged size field lets a frame claim the bytes of those
// behind it, which dsh then truncates although they are intact.
//
// A chain starts at a magic and has at least one complete frame, and all its
// frames decode. That alone is weak evidence for a frame without checksum, since
// a magic inside a payload may start one by chance; so the chain must also reach
// the end of the file. A torn frame may be last there, because a crash can follow
// the damage. A chain with a frame whose checksum is right needs no such proof,
// and is returned as Broken when further damage follows it; the rest of the file
// is then for another search, from End.
//
// Memory is constant, and the work is linear in the region: see Capped. err is an
// I/O error only.
func findFrames(reader *frameReader, from, size int64) (HiddenFrames, error) {
	s := frameSearch{r: reader.src, size: size, reader: reader, work: searchFactor*(size-from) + searchBase}
	magics := newMagicScanner(reader.src, from, size)
	for {
		off, ok, err := magics.next()
		if err != nil || !ok {
			return HiddenFrames{}, err
		}
		chain, err := s.chain(off)
		if err != nil || chain.Found || chain.Capped {
			return chain, err
		}
	}
}

// frameSearch follows the candidates of one findFrames.
type frameSearch struct {
	r      io.ReaderAt
	size   int64
	reader *frameReader
	work   int64 // bytes of the file that may still be walked or decoded
}

// chain follows the frames that start at off.
func (s *frameSearch) chain(off int64) (HiddenFrames, error) {
	c := HiddenFrames{Off: off, End: off}
	w := newFrameWalker(s.r, off, s.size)
	proven := false
	for s.work > 0 {
		f, ok, err := w.next()
		if err != nil {
			return HiddenFrames{}, err
		}
		s.work -= w.off - c.End
		if !ok || f.Torn {
			c.Broken = w.fault != nil
			c.Found = c.Frames > 0 && (proven || !c.Broken)
			return c, nil
		}
		intact, err := s.reader.intact(f)
		if err != nil {
			return HiddenFrames{}, err
		}
		s.work -= f.Len
		if !intact {
			c.Broken = true
			c.Found = proven
			return c, nil
		}
		c.Frames++
		c.End += f.Len
		proven = proven || f.Checksum
	}
	return HiddenFrames{Capped: true}, nil
}

// magicScanner gives the offsets of the frame magic in a file.
type magicScanner struct {
	in   *bufio.Reader
	off  int64 // file offset of the next byte of in
	size int64 // end of the file
}

func newMagicScanner(r io.ReaderAt, from, size int64) *magicScanner {
	in := bufio.NewReaderSize(io.NewSectionReader(r, from, size-from), int(min(feedBuffer, size-from)))
	return &magicScanner{in: in, off: from, size: size}
}

// next returns the file offset of the next magic; ok is false when there is none.
func (m *magicScanner) next() (off int64, ok bool, err error) {
	for {
		p, err := m.in.Peek(max(m.in.Buffered(), frameMagicLen))
		if err == io.EOF && m.off+int64(len(p)) == m.size {
			return 0, false, nil
		}
		if err != nil {
			return 0, false, noEOF(err)
		}
		i := bytes.Index(p, []byte(frameMagic))
		if i >= 0 {
			off = m.off + int64(i)
			return off, true, m.discard(i + 1)
		}
		// A magic may have begun in the last bytes.
		if err := m.discard(len(p) - (frameMagicLen - 1)); err != nil {
			return 0, false, err
		}
	}
}

func (m *magicScanner) discard(n int) error {
	n, err := m.in.Discard(n)
	m.off += int64(n)
	return err
}
