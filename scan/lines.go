package scan

import (
	"bytes"
	"io"
)

// line is one line of the decoded text (docs/format.md §3.3).
type line struct {
	text       []byte // without LF; nil when too long
	len        int64  // bytes without LF
	off        int64  // offset in the decoded text
	start, end origin // of its first byte and of its last, LF included
	terminated bool   // ends in LF
	tooLong    bool   // longer than the cap, not kept
	afterGap   bool   // text before it is missing: a frame did not decode or breaks off
}

// lines cuts text at LF, and at nothing else. A line that lies in one chunk is
// not copied.
type lines struct {
	src   text
	limit int64 // bytes of the longest line that is kept

	chunk []byte // rest of the current chunk
	from  origin // of the chunk
	off   int64  // offset of chunk[0] in the decoded text
	carry []byte // the start of a line from earlier chunks
	cur   line
	open  bool // cur has bytes already
	gap   bool // text before the next line is missing
	done  bool
}

// next returns the next line, valid until the next call, or io.EOF. The rest
// after the last LF is a line that is not terminated; there is none when the
// text ends in LF.
func (l *lines) next() (*line, error) {
	l.cur, l.open, l.carry = line{}, false, l.carry[:0]
	for {
		if len(l.chunk) == 0 {
			more, err := l.refill()
			switch {
			case more || err == errGap && !l.open:
				continue
			case err == errGap:
				return &l.cur, nil
			}
			return l.finish(err)
		}
		i := bytes.IndexByte(l.chunk, '\n')
		if i < 0 {
			l.take(len(l.chunk), 0)
			continue
		}
		l.take(i, 1)
		l.cur.terminated = true
		return &l.cur, nil
	}
}

// refill gets the next chunk. A frame that does not decode ends the line in
// which it falls: nobody knows how that line goes on.
func (l *lines) refill() (more bool, err error) {
	if l.done {
		return false, io.EOF
	}
	for {
		l.chunk, err = l.src.next()
		switch {
		case err == nil:
			l.from = l.src.origin()
			return true, nil
		case err == errGap:
			l.gap = true
			return false, err
		case isDamage(err):
			l.gap = true
			l.cur, l.open, l.carry = line{}, false, l.carry[:0]
		default:
			l.done = true
			return false, err
		}
	}
}

func (l *lines) finish(err error) (*line, error) {
	if err == io.EOF && l.open {
		return &l.cur, nil
	}
	return nil, err
}

// take moves n bytes of the chunk to the current line and drops skip bytes
// behind them.
func (l *lines) take(n, skip int) {
	if !l.open {
		l.open = true
		l.cur.off, l.cur.start, l.cur.afterGap = l.off, l.from, l.gap
		l.gap = false
	}
	part := l.chunk[:n]
	l.cur.end = l.from
	l.cur.len += int64(n)
	switch {
	case l.cur.tooLong:
	case l.cur.len > l.limit:
		l.cur.tooLong, l.cur.text, l.carry = true, nil, nil
	case skip > 0 && len(l.carry) == 0:
		l.cur.text = part
	default:
		l.carry = append(l.carry, part...)
		l.cur.text = l.carry
	}
	l.chunk = l.chunk[n+skip:]
	l.off += int64(n + skip)
}
