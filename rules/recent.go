package rules

import (
	"bytes"
	"hash/maphash"
	"sync"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

const (
	// recentBytes is how much of the text before a repetition is at hand to
	// compare with: some batches of a writer.
	recentBytes = 128 << 10
	// recentRecords is how many records before a repetition are known at least by
	// what they are.
	recentRecords = 4096
)

// recent keeps the last events of a log, so that a repeated one can be compared
// with the first: what the records are, and the text of the last of them. Copying
// and hashing the text takes a tenth of a check, so that only a pass that is not
// bounded does it.
type recent struct {
	text  []byte // a ring of recentBytes, in which every text lies in one piece
	end   int64  // bytes that have gone into it, those that were left out at its end included
	lines []recentLine
}

type recentLine struct {
	place scan.Place
	seq   int64 // of the first event
	count int64
	start int64  // of its text, counted as recent.end is; tooLong if it is not there
	size  int    // of its text
	hash  uint64 // of its text
	trait trait
	stale bool // its seqs were the log's before, and the log went on without it
}

// tooLong is the start of a text that would take the place of too many others. It
// is too far back to be at hand.
const tooLong = -2 * recentBytes

// textSeed is random, so that nobody can make texts whose hashes are the same.
var textSeed = maphash.MakeSeed()

// spareRecents keep the memory of checks that have ended, which is most of what the
// check of a small log needs.
var spareRecents sync.Pool

// borrow takes memory for a check, which it gives back in the end.
func (c *recent) borrow() {
	if spare, ok := spareRecents.Get().(*recent); ok {
		*c = *spare
	} else {
		c.text = make([]byte, recentBytes)
	}
}

func (c *recent) giveBack() {
	if c.text != nil {
		spareRecents.Put(&recent{text: c.text, lines: c.lines[:0]})
		*c = recent{}
	}
}

// add takes an event or row, in today's shape where there is one.
func (c *recent) add(r *scan.Record, e *session.Event) {
	seq, ok := r.Seq()
	if !ok || c.text == nil {
		return
	}
	if len(c.lines) == 2*recentRecords {
		c.lines = append(c.lines[:0], c.lines[recentRecords:]...)
	}
	c.lines = append(c.lines, recentLine{
		place: r.Place, seq: seq, count: r.Events(), start: c.keep(r.Text), size: len(r.Text),
		hash: maphash.Bytes(textSeed, r.Text), trait: traitOf(e),
	})
}

// keep copies a text and returns where it starts.
func (c *recent) keep(text []byte) (start int64) {
	if len(text) > recentBytes/2 {
		return tooLong
	}
	if left := recentBytes - c.end%recentBytes; int64(len(text)) > left {
		c.end += left
	}
	start = c.end
	c.end += int64(copy(c.text[start%recentBytes:], text))
	return start
}

// disown notes that the last n records are stale.
func (c *recent) disown(n int) {
	for i := max(0, len(c.lines)-n); i < len(c.lines); i++ {
		c.lines[i].stale = true
	}
}

// find returns the last record that holds the event seq, or nil.
func (c *recent) find(seq int64) *recentLine {
	for i := len(c.lines) - 1; i >= 0; i-- {
		if l := &c.lines[i]; !l.stale && l.seq <= seq && seq < l.seq+l.count {
			return l
		}
	}
	return nil
}

// event returns the event seq of a line as JSON.stringify writes it, and nil
// when its text is out of reach.
func (c *recent) event(l *recentLine, seq int64) []byte {
	if c.end > l.start+recentBytes {
		return nil
	}
	from := l.start % recentBytes
	var doc jsjson.Doc
	if doc.Parse(c.text[from:from+int64(l.size)]) != nil {
		return nil
	}
	return eventText(&doc, seq-l.seq)
}

// eventText returns the canonical text of event n, from 0, of an event or row.
func eventText(doc *jsjson.Doc, n int64) []byte {
	tag := session.ChunkKindOf(doc.Get("type"))
	if tag == session.NoChunks {
		return jsjson.AppendCanonical(nil, doc.Root)
	}
	var row session.Chunks
	if row.Read(tag, doc) {
		for text := range row.Events() {
			if n == 0 {
				return bytes.Clone(text)
			}
			n--
		}
	}
	return nil
}

// same compares event n of a record with the first event of that seq, which l
// holds. known is false when that cannot be told any more.
func (c *recent) same(l *recentLine, r *scan.Record, n int64) (equal, known bool) {
	if l.size == len(r.Text) && l.hash == maphash.Bytes(textSeed, r.Text) {
		return true, true
	}
	seq, _ := r.Seq()
	first := c.event(l, seq+n)
	if first == nil {
		return false, false
	}
	return jsjson.DeepEqual(parsed(eventText(&r.Doc, n)), parsed(first)), true
}

func parsed(text []byte) jsjson.Value {
	var doc jsjson.Doc
	if doc.Parse(text) != nil {
		return jsjson.Value{}
	}
	return doc.Root
}
