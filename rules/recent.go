package rules

import (
	"bytes"
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// recentBytes is how much of the text before a repetition is at hand to compare
// with: some batches of a writer.
const recentBytes = 128 << 10

// recent keeps the last event lines of a log, so that a repeated event can be
// compared with the first. Copying is all that it costs per line.
type recent struct {
	text  []byte
	lines []recentLine // of text, in order
}

type recentLine struct {
	place scan.Place
	seq   int64 // of the first event
	count int64
	start int // in text
}

// add takes the text of an event or row.
func (c *recent) add(r *scan.Record) {
	if len(r.Text) > recentBytes/2 {
		c.text, c.lines = c.text[:0], c.lines[:0]
		return
	}
	if len(c.text)+len(r.Text) > recentBytes {
		c.forget()
	}
	if seq, ok := r.Seq(); ok {
		c.lines = append(c.lines, recentLine{r.Place, seq, r.Events(), len(c.text)})
		c.text = append(c.text, r.Text...)
	}
}

// forget drops the older half of the text.
func (c *recent) forget() {
	keep := 0
	for keep < len(c.lines) && c.lines[keep].start < len(c.text)-recentBytes/2 {
		keep++
	}
	from := len(c.text)
	if keep < len(c.lines) {
		from = c.lines[keep].start
	}
	c.text = append(c.text[:0], c.text[from:]...)
	c.lines = append(c.lines[:0], c.lines[keep:]...)
	for i := range c.lines {
		c.lines[i].start -= from
	}
}

// find returns the index of the last line that holds the event seq, or -1.
func (c *recent) find(seq int64) int {
	for i := len(c.lines) - 1; i >= 0; i-- {
		if l := &c.lines[i]; l.seq <= seq && seq < l.seq+l.count {
			return i
		}
	}
	return -1
}

// event returns the event seq of line i as JSON.stringify writes it.
func (c *recent) event(i int, seq int64) []byte {
	end := len(c.text)
	if i+1 < len(c.lines) {
		end = c.lines[i+1].start
	}
	var doc jsjson.Doc
	if doc.Parse(c.text[c.lines[i].start:end]) != nil {
		return nil
	}
	return eventText(&doc, seq-c.lines[i].seq)
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

// repetition is a run of records whose seqs the log has had before. Whether they
// are copies shows when it ends.
type repetition struct {
	finding  *Finding
	first    int64 // seq of the first record
	expected int64 // seq that was due instead
	next     int64 // seq behind the run so far
	compared int64 // events compared with the first ones
	equal    int64 // of these, the copies
	late     bool  // the first one was missing so far, so that nothing is repeated
}

// maxCompared bounds the events that one run has compared: enough to tell a
// copy from a fork.
const maxCompared = 64

// compare looks at the events of a record that the log has had before.
func (r *repetition) compare(c *recent, record *scan.Record) {
	seq, _ := record.Seq()
	r.next = seq + record.Events()
	for n := range min(record.Events(), r.expected-seq, maxCompared-r.compared) {
		i := c.find(seq + n)
		if i < 0 {
			r.late = r.compared == 0 && len(c.lines) > 0 && c.lines[0].seq < seq
			return
		}
		r.compared++
		if jsjson.DeepEqual(parsed(eventText(&record.Doc, n)), parsed(c.event(i, seq+n))) {
			r.equal++
		}
	}
}

func parsed(text []byte) jsjson.Value {
	var doc jsjson.Doc
	if doc.Parse(text) != nil {
		return jsjson.Value{}
	}
	return doc.Root
}

// message says what the run turned out to be.
func (r *repetition) message() string {
	if r.late {
		return fmt.Sprintf("seq %d comes late, expected %d: it was missing so far", r.first, r.expected)
	}
	return fmt.Sprintf("seq %d again, expected %d: %s", r.first, r.expected, r.describe())
}

func (r *repetition) describe() string {
	switch {
	case r.compared == 0:
		return "too far from the first to compare"
	case r.equal == r.compared:
		return "equal to the first"
	case r.equal == 0:
		return "with other content than the first"
	}
	return fmt.Sprintf("%d of %d events equal to the first", r.equal, r.compared)
}
