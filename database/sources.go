package database

import "errors"

var errSources = errors.New("source_event_seqs are no list of numbers")

// maxVarint is the longest number in a list of sources, in bytes: 63 bits.
const maxVarint = 9

// appendSources appends the list of sources in a blob as JSON: LEB128 numbers, the
// first plain, each other one the zigzag code of its distance from the one before
// (docs/format.md §10.4).
func appendSources(dst, blob []byte) ([]byte, error) {
	dst = append(dst, '[')
	var seq int64
	for first := true; len(blob) > 0; first = false {
		code, n := varint(blob)
		if n == 0 {
			return dst, errSources
		}
		blob = blob[n:]
		switch {
		case first && code > maxSafe, code > 2*maxSafe:
			return dst, errSources
		case first:
			seq = int64(code)
		case code%2 == 0:
			seq += int64(code / 2)
		default:
			seq -= int64(code/2) + 1
		}
		if seq < 0 || seq > maxSafe {
			return dst, errSources
		}
		if !first {
			dst = append(dst, ',')
		}
		dst = appendInt(dst, seq)
	}
	return append(dst, ']'), nil
}

// varint reads a LEB128 number in its shortest form, and returns its length in
// bytes, 0 when there is none.
func varint(b []byte) (value uint64, n int) {
	for n < min(len(b), maxVarint) {
		c := b[n]
		value |= uint64(c&0x7F) << (7 * n)
		if n++; c < 0x80 {
			if c == 0 && n > 1 {
				return 0, 0
			}
			return value, n
		}
	}
	return 0, 0
}
