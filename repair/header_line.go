package repair

import (
	"bytes"
	"io"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
)

// withMember returns the header line with a value for one member, nil for none,
// and its other members as they are. A line that is no JSON stays what it is.
func withMember(header []byte, name string, value []byte) []byte {
	var doc jsjson.Doc
	if doc.Parse(header) != nil {
		return header
	}
	var members [][]byte
	for m := range doc.Root.Members() {
		switch {
		case !m.Key.EqualText(name):
			members = append(members, member(m.Key.Raw(), m.Value.Raw()))
		case value != nil:
			members = append(members, member(m.Key.Raw(), value))
		}
	}
	if value != nil && !doc.Get(name).Exists() {
		members = append(members, member(jsjson.AppendQuoted(nil, name), value))
	}
	line := append([]byte{'{'}, bytes.Join(members, []byte{','})...)
	return append(line, '}')
}

func member(key, value []byte) []byte {
	return bytes.Join([][]byte{key, value}, []byte{':'})
}

// headerLine returns the first line of a log without LF, and the bytes of the file
// that hold it: a line, or a frame.
func headerLine(src io.ReaderAt, size int64) (line []byte, end int64, err error) {
	opt := scan.Options{Frame: func(f scan.FrameInfo) {
		if f.Number == 1 {
			end = f.FileOff + f.Len
		}
	}}
	r, err := scan.NewReader(src, size, opt)
	if err != nil {
		return nil, 0, err
	}
	plain := r.Container().Encoding == scan.Plain
	for record := range r.Records() {
		if record.Line == 1 {
			line = bytes.Clone(record.Text)
		}
		if plain {
			end = lineLen(record)
		}
		if end > 0 {
			break
		}
	}
	return line, end, r.Err()
}
