package scan

import (
	"cmp"
	"fmt"

	"github.com/turnlint/turnlint/session"
)

// outcome is what the reading of the rows of a log came to. It is the same for
// the readers of all generations.
type outcome struct {
	header    *session.Header
	headerErr *session.Refusal

	events    int64 // accepted
	committed int64 // offset in the decoded text behind the last accepted record

	fatal *session.Refusal
	// fatalFrame is the frame whose text made the log fail. The refusal is void
	// when that frame turns out not to decode.
	fatalFrame int
	// dropped counts complete events behind the first defect.
	dropped int64
	torn    *tornState // nil while no text of a torn frame has come

	// Of a session in a database: why dsh does not take the columns of a row, which it
	// reads all before it decodes any; and the seq of the row that is torn.
	columns  *session.Refusal
	tornFrom *int64
}

// tornState is what the outcome was when the text of the torn frame began.
type tornState struct{ events, committed int64 }

// begin takes the first record and what it holds. In the container of a log
// without any LF there is no header record (docs/format.md §3.2).
func (o *outcome) begin(r *Record, header *session.Header, refusal *session.Refusal) {
	o.header, o.headerErr, o.committed = header, refusal, r.end()
}

// end returns the offset in the decoded text behind the record and its LF.
func (r *Record) end() int64 { return r.PlainOff + r.Len + 1 }

// enter notes that a record behind the header comes.
func (o *outcome) enter(r *Record) {
	if r.Torn && o.torn == nil {
		o.torn = &tornState{o.events, o.committed}
	}
}

func (o *outcome) drop(r *Record) {
	if r.IsEvent() {
		o.dropped += r.Events()
	}
}

func (o *outcome) fail(r *Record, refusal *session.Refusal) {
	o.fatal, o.fatalFrame = refusal, r.LastFrame
}

// result returns what the physical read gives.
func (o *outcome) result(c *Container, d *digest) ScanResult {
	if refusal := o.refusal(c); refusal != nil {
		return ScanResult{Refusal: refusal}
	}
	res := ScanResult{Events: o.events, Digest: d.sum(), Committed: o.committed}
	if c.Encoding == Zstd {
		res.Committed = c.Size
		if c.Torn != nil {
			res.Committed = c.Torn.FileOff
		}
		if o.torn != nil {
			res.Recovered = res.Events - o.torn.events
		}
	}
	res.Torn, res.TornFrom = res.Committed < c.Size, o.tornFrom
	if c.Encoding == SQLite {
		res.Torn = o.tornFrom != nil
	}
	return res
}

// refusal returns why the physical read fails, in the order of dsh's checks
// (docs/format.md §1.4), or nil.
func (o *outcome) refusal(c *Container) *session.Refusal {
	if c.Encoding == SQLite {
		return cmp.Or(o.columns, o.fatal)
	}
	if c.Encoding == Plain {
		if o.header == nil {
			return noHeader(Plain)
		}
		if o.headerErr != nil {
			return o.headerErr
		}
		return o.fatal
	}
	if refusal := o.headerFrameRefusal(c); refusal != nil {
		return refusal
	}
	return o.eventFrameRefusal(c)
}

func (o *outcome) headerFrameRefusal(c *Container) *session.Refusal {
	switch {
	case c.Fault != nil:
		return c.Fault.refusal()
	case c.Frames == 0:
		return noHeader(Zstd)
	case len(c.Broken) > 0 && c.Broken[0].Frame.Number == 1:
		return brokenFrame(&c.Broken[0].Frame)
	case !c.HeaderFrame:
		return notHeaderFrame()
	}
	return o.headerErr
}

func (f *FrameFault) refusal() *session.Refusal {
	return session.Refuse(fmt.Sprintf("corrupt Zstandard session log: %s at byte %d", faultTexts[f.Kind], f.FileOff))
}

func noHeader(encoding Encoding) *session.Refusal {
	if encoding == Zstd {
		return session.Refuse("empty or header-less Zstandard session log")
	}
	return session.Refuse("empty or header-less session log")
}

func notHeaderFrame() *session.Refusal {
	return session.Refuse("corrupt Zstandard session log: first frame is not exactly one header line")
}

var faultTexts = [...]string{
	BadMagic:      "invalid frame magic",
	ReservedBit:   "reserved frame-header bit",
	ReservedBlock: "reserved block type",
}

func brokenFrame(f *Frame) *session.Refusal {
	return session.Refuse(fmt.Sprintf("corrupt Zstandard session log: frame at byte %d failed validation", f.FileOff))
}

// tornRecord refuses a zstd log whose complete frames hold text that is no
// accepted record.
var tornRecord = session.Refuse("corrupt Zstandard session log: complete frame contains a torn JSONL record")

// eventFrameRefusal finds the first fault behind the header in file order. dsh
// decodes a frame before it scans its text, so text that was read from a frame
// that fails in the end counts for nothing.
func (o *outcome) eventFrameRefusal(c *Container) *session.Refusal {
	fatal := o.fatal
	if len(c.Broken) > 0 && (fatal == nil || o.fatalFrame >= c.Broken[0].Frame.Number) {
		return brokenFrame(&c.Broken[0].Frame)
	}
	if fatal != nil && o.fatalFrame <= c.Frames {
		return fatal
	}
	committed := o.committed
	if o.torn != nil {
		committed = o.torn.committed
	}
	if committed != c.CompleteLen {
		return tornRecord
	}
	return fatal
}
