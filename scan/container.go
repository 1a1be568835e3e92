package scan

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Encoding is how a log's text lies in its file (docs/format.md §1).
type Encoding uint8

// The encodings. Auto asks for detection by content.
const (
	Auto Encoding = iota
	Plain
	Zstd
	SQLite // rows of a database, which no file of a log has
)

// String returns the name that the command line and the reports use: auto, raw,
// zstd or sqlite.
func (e Encoding) String() string { return [...]string{"auto", "raw", "zstd", "sqlite"}[e] }

// ParseEncoding is the inverse of [Encoding.String].
func ParseEncoding(name string) (Encoding, error) {
	for e := Auto; e <= SQLite; e++ {
		if e.String() == name {
			return e, nil
		}
	}
	return Auto, fmt.Errorf("unknown encoding %q: want auto, raw or zstd", name)
}

// EncodingOfName returns the encoding that dsh expects of a log with the given
// file name, and Auto for a name that says nothing.
func EncodingOfName(name string) Encoding {
	switch {
	case strings.HasSuffix(name, ".jsonl.zstd"):
		return Zstd
	case strings.HasSuffix(name, ".jsonl"):
		return Plain
	}
	return Auto
}

// Detect returns the encoding of a file by its first bytes: zstd when they are,
// or may become, the magic of a zstd or skippable frame, else plain. Text never
// starts like that: 0x28 is "(" and 0x50 is "P", and a header starts with "{".
func Detect(r io.ReaderAt, size int64) (Encoding, error) {
	var head [frameMagicLen]byte
	n := min(size, frameMagicLen)
	if err := readFullAt(r, head[:n], 0); err != nil {
		return Auto, err
	}
	skippable := n == frameMagicLen && head[0]&0xF0 == 0x50 && bytes.Equal(head[1:], []byte{0x2A, 0x4D, 0x18})
	magic := []byte{0x28, 0xB5, 0x2F, 0xFD}
	if n > 0 && bytes.Equal(head[:n], magic[:n]) || skippable {
		return Zstd, nil
	}
	return Plain, nil
}

// Container is what the file around the text of a log turned out to be. It is
// complete when the records have been read to the end.
type Container struct {
	Encoding Encoding
	Size     int64 // bytes of the file; of a session in a database, of the log that its rows would be
	TextLen  int64 // bytes of decoded text, with what a torn frame yields

	// Of a zstd log only.

	Frames      int   // complete frames
	CompleteLen int64 // bytes of decoded text in complete frames
	HeaderFrame bool  // the first frame holds exactly one line, as dsh demands
	Fault       *FrameFault
	Broken      []FrameError // complete frames that do not decode, at most maxBroken
	BrokenCount int          // all of them

	// Torn is the frame in which the file ends, nil when it ends after a frame.
	Torn *Frame
	// TornDecodes is false when dsh recovers nothing of the torn frame because a
	// block before the cut is damaged too.
	TornDecodes bool
	// Hidden are the intact frames inside the torn one, which is then not torn but
	// damaged: a wrong size field swallowed them.
	Hidden HiddenFrames
}

// maxBroken bounds the list of broken frames of one log.
const maxBroken = 100

func (c *Container) addBroken(e *FrameError) {
	if c.BrokenCount++; len(c.Broken) < maxBroken {
		c.Broken = append(c.Broken, *e)
	}
}

// TornStart returns the file offset of the torn frame of a zstd log, or -1.
func (c *Container) TornStart() int64 {
	if c.Torn == nil {
		return -1
	}
	return c.Torn.FileOff
}

// FrameInfo is a decoded frame, for those who list them.
type FrameInfo struct {
	Frame
	PlainOff int64       // offset of its plaintext in the decoded text
	PlainLen int64       // bytes of plaintext, as far as it decodes
	Err      *FrameError // nil when it decodes
}
