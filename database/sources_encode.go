package database

import (
	"encoding/binary"
	"errors"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// encodeSources appends sourceEventSeqs as dsh stores it: the first seq, then the
// differences, zigzag coded, all as LEB128 (docs/format.md §10.4).
func encodeSources(dst []byte, list jsjson.Value) ([]byte, error) {
	if list.Kind != jsjson.Array {
		return dst, errors.New("its sourceEventSeqs is no list of seqs")
	}
	before, first := int64(0), true
	for v := range list.Elements() {
		seq, ok := v.SafeInt()
		if !ok || seq < 0 {
			return dst, errors.New("its sourceEventSeqs is no list of seqs")
		}
		code := uint64(seq)
		if difference := seq - before; !first {
			code = uint64(difference) << 1
			if difference < 0 {
				code = uint64(-difference)<<1 - 1
			}
		}
		dst = binary.AppendUvarint(dst, code)
		before, first = seq, false
	}
	return dst, nil
}
