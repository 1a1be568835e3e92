package scan

// frames yields the frames of a file in order: a frameWalker or a salvager.
type frames interface {
	// next returns the next frame; ok is false at the end. err is an I/O error.
	next() (f Frame, ok bool, err error)
}

// salvager walks the frames of a damaged file. Where the structural walk cannot
// go on (docs/format.md §1.3), it looks for the next chain of frames that decode
// and goes on there. A frame that was left behind by then is yielded as torn, with
// as much of it as decodes; bytes that start no frame are passed over.
type salvager struct {
	walk   *frameWalker
	frames *frameReader
	size   int64 // end of the file
	number int   // frames yielded
}

func newSalvager(frames *frameReader, size int64) *salvager {
	return &salvager{walk: newFrameWalker(frames.src, 0, size), frames: frames, size: size}
}

func (s *salvager) next() (Frame, bool, error) {
	for s.walk.off < s.size {
		from := s.walk.off
		f, ok, err := s.walk.next()
		if err != nil {
			return Frame{}, false, err
		}
		lost := !ok || f.Torn
		if !lost {
			if lost, err = s.overruns(f); err != nil {
				return Frame{}, false, err
			}
		}
		if lost {
			if f, ok, err = s.skip(from); err != nil {
				return Frame{}, false, err
			}
		}
		if ok {
			s.number++
			f.Number = s.number
			return f, true, nil
		}
	}
	return Frame{}, false, nil
}

// overruns reports whether a frame that looks complete ends where no frame
// starts and does not decode: its last size may have been that of a torn block,
// which claims bytes of the frames behind it.
func (s *salvager) overruns(f Frame) (bool, error) {
	var head [frameMagicLen]byte
	n := min(s.size-s.walk.off, frameMagicLen)
	if err := readFullAt(s.frames.src, head[:n], s.walk.off); err != nil {
		return false, err
	}
	if string(head[:n]) == frameMagic[:n] {
		return false, nil
	}
	intact, err := s.frames.intact(f)
	return !intact, err
}

// skip leaves the frame at from, and returns what can be read of it.
func (s *salvager) skip(from int64) (f Frame, ok bool, err error) {
	end, err := resume(s.frames, from, s.size)
	if err != nil {
		return Frame{}, false, err
	}
	s.walk = newFrameWalker(s.frames.src, end, s.size)
	return s.remains(from, end)
}

// resume returns the file offset behind from at which intact frames go on, or
// the end of the file.
func resume(frames *frameReader, from, size int64) (int64, error) {
	chain, err := findFrames(frames, min(from+1, size), size)
	if err != nil || !chain.Found {
		return size, err
	}
	return chain.Off, nil
}

// remains returns what can be read of the frame at from, of which the bytes
// behind end are none. ok is false when that is nothing.
func (s *salvager) remains(from, end int64) (f Frame, ok bool, err error) {
	w := newFrameWalker(s.frames.src, from, end)
	f, ok, err = w.next()
	if err == nil && w.fault != nil { // the blocks before a damaged block header
		w = newFrameWalker(s.frames.src, from, w.fault.FileOff)
		f, ok, err = w.next()
	}
	if err != nil || !ok || !f.Torn || f.HeaderLen == 0 {
		return Frame{}, false, err
	}
	_, ok, err = s.frames.recoverTorn(f)
	return f, ok, err
}
