package rules

import (
	"bytes"
	"fmt"
	"io"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// isProjection reports whether the log in the first size bytes of src is a
// projection of a session (docs/format.md §9). The first event tells an ordinary
// log from it. Of a projection, all events are looked at, because a log that lost
// the seq of its first events only is damaged. An error means that src could not
// be read.
func isProjection(src io.ReaderAt, size int64, opt *Options) (bool, error) {
	encoding, err := opt.Encoding, error(nil)
	if encoding == scan.Auto {
		encoding, err = scan.Detect(src, size)
	}
	if err != nil || encoding != scan.Plain {
		return false, err
	}
	reader, err := scan.NewReader(src, size, scan.Options{Encoding: encoding, MaxLine: opt.MaxLine})
	if err != nil {
		return false, err
	}
	found := false
	for r := range reader.Records() {
		switch {
		case r.Syntax != nil, r.Kind == scan.TooLong: // tells nothing
		case r.Kind == scan.Header:
			if !r.Doc.Get("type").EqualText("session") {
				return false, nil
			}
			found = isPlaceholder(r.Doc.Get("id")) || isPlaceholder(r.Doc.Get("cwd"))
		case isNumbered(&r.Doc):
			return false, nil
		default:
			found = found || isBare(&r.Doc)
		}
	}
	return found, reader.Err()
}

// isNumbered reports whether a line has a member that all events of a log have
// and none of a projection has.
func isNumbered(doc *jsjson.Doc) bool {
	for _, key := range [...]string{"seq", "time", "seq0", "time0"} {
		if doc.Get(key).Exists() {
			return true
		}
	}
	return false
}

// isBare reports whether a line could be an event or row but for what a
// projection leaves out.
func isBare(doc *jsjson.Doc) bool {
	return doc.Get("type").NonEmptyString() && doc.Get("data").Exists()
}

// projection completes the records of a projection, so that they can be judged
// like those of the log that it was made of.
type projection struct {
	next int64 // seq of the next event
	time int64 // of the last event: the sum of the deltas in rows so far
	text []byte
}

// complete gives a record what a projection leaves out: seqs in the order of the
// lines, times, and the members of the header that dsh wants.
func (p *projection) complete(r *scan.Record) {
	if r.Syntax != nil || r.Kind == scan.TooLong || r.Doc.Root.Kind != jsjson.Object {
		return
	}
	before, after, _ := bytes.Cut(r.Text, r.Doc.Root.Raw()) // white space, of which rules speak
	p.text = append(p.text[:0], before...)
	switch {
	case r.Kind == scan.Header:
		p.header(r)
	case session.ChunkKindOf(r.Doc.Get("type")) != session.NoChunks:
		p.row(&r.Doc)
	default:
		p.text = fmt.Appendf(p.text, `{"seq":%d,"time":%d`, p.next, p.time)
		p.text = appendRest(p.text, r.Doc.Root.Raw())
	}
	p.text = append(p.text, after...)
	r.Reread(p.text)
	p.next += r.Events()
	if r.Kind == scan.Row {
		p.time = r.Row.LastTime
	}
}

// row completes a packed row. Its deltas may be left out like its times.
func (p *projection) row(doc *jsjson.Doc) {
	p.text = fmt.Appendf(p.text, `{"seq0":%d,"time0":%d`, p.next, p.time)
	data := doc.Get("data")
	if data.Kind != jsjson.Object || data.Has("dt") {
		p.text = appendRest(p.text, doc.Root.Raw())
		return
	}
	texts := max(data.Get("texts").Len(), data.Get("args").Len())
	deltas := append([]byte(`{"dt":[`), bytes.TrimSuffix(bytes.Repeat([]byte("0,"), max(texts-1, 0)), []byte(","))...)
	whole := appendRest(append(deltas, ']'), data.Raw())
	p.text = appendRest(p.text, bytes.Replace(doc.Root.Raw(), data.Raw(), whole, 1))
}

// headerDefaults are members of a header that dsh wants and a projection may
// leave out.
var headerDefaults = [...]struct{ key, text string }{
	{"version", "0"},
	{"createdAt", "0"},
	{"delegationDepth", "0"},
}

// header completes the header. Members that are placeholders count as left out.
func (p *projection) header(r *scan.Record) {
	text := bytes.Clone(r.Doc.Root.Raw())
	if cwd := r.Doc.Get("cwd"); isPlaceholder(cwd) {
		text = bytes.ReplaceAll(text, cwd.Raw(), []byte(`"/"`))
	}
	var absent []byte
	for _, member := range headerDefaults {
		switch v := r.Doc.Get(member.key); {
		case isPlaceholder(v):
			text = bytes.ReplaceAll(text, v.Raw(), []byte(member.text))
		case !v.Exists():
			absent = append(absent, `,"`+member.key+`":`+member.text...)
		}
	}
	if len(absent) == 0 {
		p.text = append(p.text, text...)
		return
	}
	p.text = appendRest(append(append(p.text, '{'), absent[1:]...), text)
}

// appendRest appends the members of an object, and its end, to the start of another.
func appendRest(start, object []byte) []byte {
	rest := bytes.TrimLeft(object[1:], " \t\r")
	if rest[0] != '}' {
		start = append(start, ',')
	}
	return append(start, rest...)
}

// isPlaceholder reports whether a value is a text such as "{{cwd}}", which stands
// for one that differs from run to run.
func isPlaceholder(v jsjson.Value) bool {
	return v.Kind == jsjson.String && bytes.Contains(v.Raw(), []byte("{{")) && bytes.Contains(v.Raw(), []byte("}}"))
}

// readRaw replaces the reading of a completed projection by what dsh makes of
// the file as it stands. That it refuses a sound one is no sign of damage.
func (p *pass) readRaw(size int64) error {
	if p.projection == nil {
		return nil
	}
	reading, err := read(p.src, size, scan.Options{Encoding: scan.Plain, MaxLine: p.opt.MaxLine},
		scan.ModelOptions{Path: p.opt.Path, Root: p.opt.Root, Digests: p.opt.Digests})
	if err != nil {
		return err
	}
	intact := p.reading.Refusal() == nil && !p.reading.Scan.Torn
	switch {
	case reading.Refusal() == nil && p.events > 0:
		// Without a turn/end, all events count as a torn tail to dsh.
		reading.Dropped, reading.Verdict = p.events, scan.Loses
	case reading.Refusal() != nil && intact:
		reading.Verdict = scan.Incompatible
	}
	p.reading = reading
	return nil
}
