package follow

import (
	"io"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// settled is the part of a log that nothing will change any more: up to the last end
// of a turn, or else its header.
type settled struct {
	end      int64         // file offset behind it
	encoding scan.Encoding // Auto while it is not known
}

// minDetect is the number of bytes that tell the encoding for certain.
const minDetect = 4

// advance reads what has been added to the log, whose file now has size bytes, and
// reports whether more of it is settled.
func (s *settled) advance(src io.ReaderAt, size int64, opt *rules.Options) (more bool, err error) {
	if s.encoding == scan.Auto {
		if s.encoding = opt.Encoding; s.encoding == scan.Auto {
			if size < minDetect {
				return false, nil
			}
			if s.encoding, err = scan.Detect(src, size); err != nil {
				return false, err
			}
		}
	}
	frameEnds := make(map[int]int64) // by number, of frames that decode
	added := io.NewSectionReader(src, s.end, size-s.end)
	r, err := scan.NewReader(added, added.Size(), scan.Options{
		Encoding: s.encoding, MaxLine: opt.MaxLine, Salvage: true,
		Frame: func(f scan.FrameInfo) {
			if !f.Torn && f.Err == nil {
				frameEnds[f.Number] = f.FileOff + f.Len
			}
		},
	})
	if err != nil {
		return false, err
	}
	var end int64    // of the last line that settles what stands before it
	var frames []int // where such lines end
	for record := range r.Records() {
		if !record.Torn && record.Terminated && s.settles(record) {
			end, frames = record.PlainOff+record.Len+1, append(frames, record.LastFrame)
		}
	}
	if s.encoding == scan.Zstd {
		end = 0
		for _, number := range frames {
			end = max(end, frameEnds[number])
		}
	}
	s.end += end
	return end > 0, r.Err()
}

// settles reports whether a complete line is the header, or ends a turn.
func (s *settled) settles(r *scan.Record) bool {
	if r.Kind == scan.Header {
		if s.end == 0 {
			return true
		}
		r.Reparse(r.Text) // only the first of those that were added
	}
	return r.Kind == scan.Event && r.Event.Kind == session.TurnEnd
}
