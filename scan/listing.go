package scan

import (
	"bytes"
	"errors"
	"io"

	"github.com/turnlint/turnlint/session"
)

// listedText is the bytes of a plain log that dsh reads at a time to list it.
const listedText = 8 << 10

// List reads the header of the log in the first size bytes of src as dsh does to
// list sessions (docs/format.md §1.1): the first line of a plain log, the first
// frame of a zstd log, nothing behind it. The header is nil for a log that the
// listing passes over. A refusal makes the listing of the whole sessions
// directory fail. opt gives the log's place; an error means that src could not
// be read.
func List(src io.ReaderAt, size int64, encoding Encoding, opt ModelOptions) (*session.Header, *session.Refusal, error) {
	read := listPlain
	if encoding == Zstd {
		read = listZstd
	}
	line, refusal, err := read(src, size)
	if line == nil || refusal != nil || err != nil {
		return nil, refusal, err
	}
	h, refusal := session.ParseListed(line)
	if h != nil && refusal == nil {
		refusal = misplaced(h, encoding, &opt)
	}
	return h, refusal, nil
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
	frames, err := newFrameReader(src)
	if err != nil {
		return nil, err
	}
	defer frames.close()
	frames.Reset(f)
	return io.ReadAll(io.LimitReader(frames, DefaultMaxLine))
}
