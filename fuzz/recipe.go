package fuzz

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/fuzz/reference"
)

// A recipe is a log as a fuzzer can change it: its text, and how that is framed and
// damaged. Bytes of the file itself are protected by checksums, on which nearly every
// change fails; a change of a recipe gives frames with right checksums. It consists of
//
//   - one byte, of which the last two bits are a number of damages,
//   - three bytes for each: its kind, and a place in the file or a number of a frame,
//   - the text, in which EndCompressed or EndRaw ends each frame and a recipe without
//     either is a plain log.
const (
	EndCompressed = 0x1D // information separators, which JSON does not allow in strings
	EndRaw        = 0x1E
)

// damageLen is the bytes of one damage in a recipe, MaxDamages their number.
const (
	damageLen  = 3
	MaxDamages = 3
)

// damage is one change of the frames, or of the bytes that they give.
type damage struct {
	kind  byte
	place int
}

// Cook makes the file of a recipe. All bytes are a recipe.
func Cook(recipe []byte) []byte {
	damages, text := splitRecipe(recipe)
	parts := frames(text)
	for _, d := range damages {
		parts = d.onFrames(parts)
	}
	file := bytes.Join(parts, nil)
	for _, d := range damages {
		file = d.onBytes(file)
	}
	return file
}

func splitRecipe(recipe []byte) (damages []damage, text []byte) {
	if len(recipe) == 0 {
		return nil, nil
	}
	n := int(recipe[0]) % (MaxDamages + 1)
	text = recipe[1:]
	for range min(n, len(text)/damageLen) {
		damages = append(damages, damage{text[0], int(binary.LittleEndian.Uint16(text[1:]))})
		text = text[damageLen:]
	}
	return damages, text
}

// Text returns the text of a recipe, with the ends of its frames.
func Text(recipe []byte) []byte {
	_, text := splitRecipe(recipe)
	return text
}

// frames returns the frames of a text, or its lines when there are none.
func frames(text []byte) (parts [][]byte) {
	if bytes.IndexByte(text, EndCompressed) < 0 && bytes.IndexByte(text, EndRaw) < 0 {
		return slices.Collect(bytes.Lines(text))
	}
	for len(text) > 0 {
		end := bytes.IndexAny(text, string([]byte{EndCompressed, EndRaw}))
		if end < 0 {
			return append(parts, compress(text))
		}
		if text[end] == EndRaw {
			parts = append(parts, store(text[:end]))
		} else {
			parts = append(parts, compress(text[:end]))
		}
		text = text[end+1:]
	}
	return parts
}

// Kinds of damage; other numbers are taken modulo their number.
const (
	cutFile = iota
	flipBit
	zeroBytes
	insertZeros
	dropFrame
	repeatFrame
	swapFrames
	repeatAtEnd
	DamageKinds // their number
)

// zeroRun is the bytes of zeros that a damage writes.
const zeroRun = 16

func (d damage) onFrames(parts [][]byte) [][]byte {
	if len(parts) == 0 {
		return parts
	}
	i := d.place % len(parts)
	switch d.kind % DamageKinds {
	case dropFrame:
		return slices.Delete(parts, i, i+1)
	case repeatFrame:
		return slices.Insert(parts, i, parts[i])
	case repeatAtEnd:
		return append(parts, parts[i])
	case swapFrames:
		j := (i + 1) % len(parts)
		parts[i], parts[j] = parts[j], parts[i]
	}
	return parts
}

func (d damage) onBytes(file []byte) []byte {
	if len(file) == 0 {
		return file
	}
	at := d.place % len(file)
	switch d.kind % DamageKinds {
	case cutFile:
		return file[:at]
	case flipBit:
		bit := d.place % (8 * len(file))
		file[bit/8] ^= 1 << (bit % 8)
	case zeroBytes:
		clear(file[at:min(at+zeroRun, len(file))])
	case insertZeros:
		return slices.Insert(file, at, make([]byte, zeroRun)...)
	}
	return file
}

// Recipe returns a recipe for a log, without damage. Of a compressed log only the
// frames that decode are in it.
func Recipe(log []byte) []byte {
	recipe := []byte{0}
	walk := reference.WalkFrames(log)
	if len(walk.Frames) == 0 {
		return append(recipe, log...)
	}
	for i := range walk.Frames {
		if text, ok, _ := walk.Frames[i].Text(); ok {
			recipe = append(append(recipe, text...), EndCompressed)
		}
	}
	return recipe
}

var encoder = newEncoder()

func newEncoder() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<17))
	if err != nil {
		panic(err) // the options are constants
	}
	return e
}

func compress(text []byte) []byte { return encoder.EncodeAll(text, nil) }

// maxRawBlock is the largest block of a frame with a window of 128 KiB.
const maxRawBlock = 128 << 10

// store returns a frame of raw blocks, of which a cut leaves a part that can be read.
func store(text []byte) []byte {
	file := []byte{0x28, 0xB5, 0x2F, 0xFD, 0x04, 7 << 3} // checksum, window of 128 KiB
	for rest := text; ; {
		n := min(len(rest), maxRawBlock)
		h := uint32(n) << 3
		if n == len(rest) {
			h |= 1 // the last block
		}
		file = append(file, byte(h), byte(h>>8), byte(h>>16))
		file = append(file, rest[:n]...)
		if rest = rest[n:]; h&1 != 0 {
			return binary.LittleEndian.AppendUint32(file, uint32(xxhash.Sum64(text)))
		}
	}
}
