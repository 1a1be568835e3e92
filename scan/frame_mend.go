package scan

import "io"

// Flip is a bit that turned over in a file.
type Flip struct {
	FileOff int64 `json:"fileOff"`
	Mask    byte  `json:"mask"` // the bit in its byte
}

// Mended is a file with some bits turned back.
type Mended struct {
	Src   io.ReaderAt
	Flips []Flip // in the order of their offsets
}

// ReadAt implements io.ReaderAt.
func (m *Mended) ReadAt(p []byte, off int64) (int, error) {
	n, err := m.Src.ReadAt(p, off)
	for _, f := range m.Flips {
		if i := f.FileOff - off; i >= 0 && i < int64(n) {
			p[i] ^= f.Mask
		}
	}
	return n, err
}

const (
	// maxTrace bounds the bytes of one frame of which each bit is tried.
	maxTrace = 512
	// maxTrials bounds the bits that are tried in one file.
	maxTrials = 1 << 16
)

// FindFlips looks for bits whose turning back makes frames of a zstd log whole
// again that the structural walk cannot pass (docs/format.md §1.3). A flip counts
// as found when the frame then ends exactly where intact frames go on, or the file
// ends, and its checksum is right: 32 bits beside the structure say so. It tries
// the bits of the frame header and of the block headers only. err is an I/O error.
func FindFlips(src io.ReaderAt, size int64) ([]Flip, error) {
	m, err := newMender(src, size)
	if err != nil {
		return nil, err
	}
	defer m.frames.close()
	defer m.trial.close()
	return m.flips()
}

// mender looks for flips.
type mender struct {
	size   int64
	frames *frameReader // over the file as it is
	file   *Mended      // the file with the bit under trial
	trial  *frameReader // over file
	left   int          // trials
}

func newMender(src io.ReaderAt, size int64) (*mender, error) {
	m := &mender{size: size, file: &Mended{Src: src, Flips: make([]Flip, 1)}, left: maxTrials}
	var err error
	if m.frames, err = newFrameReader(src); err != nil {
		return nil, err
	}
	if m.trial, err = newFrameReader(m.file); err != nil {
		m.frames.close()
	}
	return m, err
}

func (m *mender) flips() (found []Flip, err error) {
	w := newFrameWalker(m.frames.src, 0, m.size)
	var last Frame
	for w.off < m.size {
		from := w.off
		f, ok, err := w.next()
		if err != nil {
			return nil, err
		}
		if ok && !f.Torn {
			last = f
			continue
		}
		starts := []int64{from}
		if (!ok || f.HeaderLen == 0) && last.Len > 0 {
			// The frame before may be the spoiled one, with a size that ends elsewhere.
			starts = append(starts, last.FileOff)
		}
		flip, end, err := m.first(starts)
		if err != nil {
			return nil, err
		}
		if flip.Mask != 0 {
			found = append(found, flip)
		}
		w, last = newFrameWalker(m.frames.src, end, m.size), Frame{}
	}
	return found, nil
}

// first looks for a flip that spoils the frame at one of the offsets, and returns
// where intact frames go on; behind the first offset when there is no flip.
func (m *mender) first(starts []int64) (flip Flip, end int64, err error) {
	for i, from := range starts {
		next, err := resume(m.frames, from, m.size)
		if err != nil {
			return Flip{}, 0, err
		}
		if i == 0 {
			end = next
		}
		flip, ok, err := m.mend(from, next)
		if ok || err != nil {
			return flip, next, err
		}
	}
	return Flip{}, end, nil
}

// mend looks for the bit that makes [from, end) one intact frame.
func (m *mender) mend(from, end int64) (Flip, bool, error) {
	w := newFrameWalker(m.frames.src, from, end)
	w.trace = make([]int64, 0, maxTrace)
	if _, _, err := w.next(); err != nil {
		return Flip{}, false, err
	}
	for _, off := range w.trace {
		for mask := byte(0x80); mask != 0 && m.left > 0; mask >>= 1 {
			m.left--
			m.file.Flips[0] = Flip{off, mask}
			if ok, err := m.whole(from, end); ok || err != nil {
				return m.file.Flips[0], ok, err
			}
		}
	}
	return Flip{}, false, nil
}

// whole reports whether [from, end) is one intact frame, with the bit under trial.
func (m *mender) whole(from, end int64) (bool, error) {
	f, ok, err := newFrameWalker(m.file, from, end).next()
	if err != nil || !ok || f.Torn || f.Len != end-from || !f.Checksum {
		return false, err
	}
	// A field for a dictionary, even one that is 0, is not what dsh writes: the flag
	// of it and another one can stand in for each other.
	var descriptor [1]byte
	if err := readFullAt(m.file, descriptor[:], from+frameMagicLen); err != nil || descriptor[0]&descriptorDictionary != 0 {
		return false, err
	}
	return m.trial.intact(f)
}
