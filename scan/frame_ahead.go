package scan

import (
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/turnlint/turnlint/internal/inorder"
)

const (
	// smallFrame is the most bytes in the file of a frame that is decoded before its
	// text is asked for.
	smallFrame = 32 << 10
	// smallText is the most bytes of its text. A frame with more is left alone.
	smallText = 512 << 10
	// groupLen is how many bytes of the file one goroutine decodes at a time, or more by
	// a frame.
	groupLen = 16 << 10
	// fewFrames are decoded one after the other, since the goroutines would cost more.
	fewFrames = 64
)

// frameAhead decodes the small frames of a log side by side, some before their text is
// asked for. It gives the same frames as a frameWalker, in the same order.
type frameAhead struct {
	src     io.ReaderAt
	walk    *frameWalker
	jobs    int
	pull    func() (*frameGroup, bool)
	release func()
	group   *frameGroup
	given   int // frames of the group
}

// frameGroup is some frames that follow each other.
type frameGroup struct {
	frames []decodedFrame
	text   []byte
	err    error // I/O, behind the frames
}

// decodedFrame is a frame with its text, if it was decoded.
type decodedFrame struct {
	Frame
	decoded  bool
	from, to int   // its text in that of the group
	err      error // that its text ends with, as that of a frameReader
}

// spareGroups keep the memory of groups that were read.
var spareGroups = sync.Pool{New: func() any { return new(frameGroup) }}

// next returns the next frame, as [frameWalker.next], with its text if that is decoded.
// The text is valid until the next call.
func (a *frameAhead) next() (f *decodedFrame, text []byte, err error) {
	if a.pull == nil {
		a.pull, a.release = iter.Pull(inorder.Map(a.jobs, a.groups(), a.decode))
	}
	for a.group == nil || a.given == len(a.group.frames) {
		if a.group != nil {
			if a.group.err != nil {
				return nil, nil, a.group.err
			}
			spareGroups.Put(a.group)
		}
		var more bool
		if a.group, more = a.pull(); !more {
			return nil, nil, nil
		}
		a.given = 0
	}
	f = &a.group.frames[a.given]
	a.given++
	return f, a.group.text[f.from:f.to], nil
}

// stop ends the goroutines.
func (a *frameAhead) stop() {
	if a.release != nil {
		a.release()
	}
}

// groups yields all frames, not decoded yet.
func (a *frameAhead) groups() iter.Seq[*frameGroup] {
	return func(yield func(*frameGroup) bool) {
		for more := true; more; {
			g := spareGroups.Get().(*frameGroup)
			g.frames, g.text = g.frames[:0], g.text[:0]
			more = g.take(a.walk)
			if !yield(g) {
				return
			}
		}
	}
}

// take takes the next frames, and reports whether there may be more.
func (g *frameGroup) take(walk *frameWalker) (more bool) {
	for size := int64(0); size < groupLen; {
		var f Frame
		if f, more, g.err = walk.next(); !more || g.err != nil {
			return false
		}
		g.frames = append(g.frames, decodedFrame{Frame: f})
		size += f.Len
	}
	return true
}

// decode decodes the small frames of a group.
func (a *frameAhead) decode(g *frameGroup) *frameGroup {
	r, err := borrowFrameReader(a.src)
	if err != nil {
		return g // whoever reads the frames will have the error, too
	}
	defer r.giveBack()
	for i := range g.frames {
		if f := &g.frames[i]; !f.Torn && f.Len <= smallFrame {
			g.read(f, r)
		}
	}
	return g
}

// read decodes a frame, unless its text is long.
func (g *frameGroup) read(f *decodedFrame, r *frameReader) {
	f.from = len(g.text)
	r.Reset(f.Frame)
	for len(g.text)-f.from <= smallText {
		g.text = slices.Grow(g.text, 4<<10)
		n, err := r.Read(g.text[len(g.text):cap(g.text)])
		if g.text = g.text[:len(g.text)+n]; err != nil {
			f.to, f.err, f.decoded = len(g.text), err, true
			return
		}
	}
	g.text = g.text[:f.from]
	f.from = 0
}

// worthAhead reports whether a log has many frames, most of which are small.
func worthAhead(c *Container, opt *Options) bool {
	return opt.Jobs > 1 && !opt.Salvage && c.Frames >= fewFrames && c.Size/int64(c.Frames) < smallFrame/2
}
