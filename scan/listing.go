package scan

import (
	"bytes"
	"errors"
	"io"

	"github.com/turnlint/turnlint/session"
)

// listedText is the bytes of a plain log that dsh reads at a time to list it.
const listedText = 8 << 10

// Listing is what dsh makes of a log when it lists sessions: a dsh that knows the
// generation of the log's name, so 0.1.1-rc.2 for v0 (docs/format.md §1.1), else
// the newest one (docs/generations.md §7.3).
type Listing struct {
	// Header of a log that is not passed over.
	Header *session.Header
	// Skipped says why the listing passes over the log.
	Skipped *session.Refusal
	// Blocks says why the listing of the whole sessions directory fails.
	Blocks *session.Refusal
	// Misnamed says that Blocks is about a name of another generation than that of
	// the header. 0.1.1-rc.2 does not mind it, all later ones do.
	Misnamed bool
	// FirstOnly says that Blocks is for 0.1.1-rc.2 only, and later ones pass over
	// the log.
	FirstOnly bool
}

// List reads the header of the log in the first size bytes of src as dsh does to
// list sessions, and nothing behind it: the first line of a plain log, the first
// frame of a zstd log. name is what the log is called, and opt gives its place;
// an error means that src could not be read.
func List(src io.ReaderAt, size int64, name session.LogName, opt ModelOptions) (Listing, error) {
	encoding := Plain
	if name.Zstd {
		encoding = Zstd
	}
	line, refusal, err := HeaderLine(src, size, encoding)
	switch {
	case err != nil:
		return Listing{}, err
	case refusal != nil && name.Generation == 0:
		return Listing{Blocks: refusal, FirstOnly: true}, nil
	case refusal != nil:
		return Listing{Skipped: refusal}, nil
	case line == nil:
		return Listing{Skipped: noHeader(encoding)}, nil
	}
	l := listLine(line, name.Generation)
	if l.Header != nil && l.Blocks == nil {
		l.Blocks = misplaced(l.Header, name, &opt)
	}
	return l, nil
}

func listLine(line []byte, generation int64) Listing {
	later := session.ListGeneration(line, generation, session.Newest)
	switch {
	case generation == 0 && (later.Refusal == nil || later.Version == 0):
		return listFirst(line)
	case later.Refusal != nil:
		return Listing{Blocks: later.Refusal, Misnamed: later.Version != generation}
	case later.Status == session.HeaderCurrent, later.Status == session.HeaderMigrates:
		h, _ := session.ParseMigrated(line, generation)
		return Listing{Header: h}
	case later.Status == session.HeaderUnsupported:
		return Listing{Skipped: &session.Refusal{Class: session.ClassUnsupported, Text: later.Reason}}
	case later.Status == session.HeaderUnparsable:
		return Listing{Skipped: session.Refuse("corrupt session log: header line is not valid JSON")}
	}
	return Listing{Skipped: session.Refuse(later.Reason)}
}

// listFirst lists a header line as the first dsh does, which is less strict about
// headers than those that came later.
func listFirst(line []byte) Listing {
	h, refusal := session.ParseListed(line)
	if h == nil {
		_, refusal := session.ParseHeader(line)
		return Listing{Skipped: refusal}
	}
	return Listing{Header: h, Blocks: refusal}
}

// HeaderLine returns the header record of a log, without its LF, and reads
// nothing behind it. It is nil where there is none: the file ends before that, or
// the line is too long to be kept. The refusal is that of a first frame which
// holds something else, or cannot be decoded.
func HeaderLine(src io.ReaderAt, size int64, encoding Encoding) ([]byte, *session.Refusal, error) {
	if encoding == Zstd {
		return listZstd(src, size)
	}
	return listPlain(src, size)
}

// listPlain returns the header line without its LF; nil when there is none, or
// when it is too long to be kept.
func listPlain(src io.ReaderAt, size int64) ([]byte, *session.Refusal, error) {
	text := &plainText{io.NewSectionReader(src, 0, size), size, make([]byte, min(size, listedText))}
	first, err := (&lines{src: text, limit: DefaultMaxLine}).next()
	switch {
	case err == io.EOF:
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case !first.terminated:
		return nil, nil, nil
	}
	return first.text, nil, nil
}

// listZstd returns the line in the first frame without its LF; nil when the file
// ends inside that frame, or when it is too long to be kept.
func listZstd(src io.ReaderAt, size int64) ([]byte, *session.Refusal, error) {
	walk := newFrameWalker(src, 0, size)
	first, ok, err := walk.next()
	switch {
	case err != nil:
		return nil, nil, err
	case walk.fault != nil:
		return nil, walk.fault.refusal(), nil
	case !ok || first.Torn:
		return nil, nil, nil
	}
	text, err := decodeFrame(src, first)
	if _, broken := errors.AsType[*FrameError](err); broken {
		return nil, brokenFrame(&first), nil
	}
	if err != nil {
		return nil, nil, err
	}
	end := len(text) - 1
	switch {
	case len(text) == DefaultMaxLine:
		return nil, nil, nil
	case end < 0 || bytes.IndexByte(text, '\n') != end:
		return nil, notHeaderFrame(), nil
	}
	return text[:end], nil, nil
}

// decodeFrame returns the plaintext of a frame, up to the cap on lines.
func decodeFrame(src io.ReaderAt, f Frame) ([]byte, error) {
	frames, err := borrowFrameReader(src)
	if err != nil {
		return nil, err
	}
	defer frames.giveBack()
	frames.Reset(f)
	return io.ReadAll(io.LimitReader(frames, DefaultMaxLine))
}
