package jsjson

import (
	"bytes"
	"hash/maphash"
)

// StrictEqual is JavaScript's ===: numbers by value (so -0 equals 0), strings by
// code units, absent equals absent. Two arrays or objects are never equal, as
// they would be distinct in memory.
func StrictEqual(a, b Value) bool {
	if a.Kind != b.Kind || a.Kind == Array || a.Kind == Object {
		return false
	}
	if bytes.Equal(a.Raw(), b.Raw()) {
		return true
	}
	switch a.Kind {
	case Number:
		return a.Float() == b.Float()
	case String:
		return bytes.Equal(keyText(a.Raw()), keyText(b.Raw()))
	}
	return true
}

// DeepEqual tells whether two values are equal as data: numbers by value (-0
// equals 0, and an overflow equals Infinity, not null), strings by code units,
// objects whatever the order of their keys and with the last of duplicates.
func DeepEqual(a, b Value) bool {
	if a.Kind != b.Kind {
		return false
	}
	if a.Kind != Array && a.Kind != Object {
		return StrictEqual(a, b)
	}
	return bytes.Equal(a.Raw(), b.Raw()) || bytes.Equal(write(nil, a.Raw(), true), write(nil, b.Raw(), true))
}

// Digest identifies a value as data for as long as the process runs.
type Digest [2]uint64

// digestSeeds are random, so that nobody can make values whose digests collide.
var digestSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// Digest returns equal digests for values that are DeepEqual, and different ones
// otherwise but for collisions of 128 bits.
func (v Value) Digest() Digest {
	if v.Kind == Absent {
		return Digest{}
	}
	text := v.Raw()
	if v.Kind != String || !isPlain(v.body()) { // or it is written as it is read
		text = write(nil, text, true)
	}
	return Digest{maphash.Bytes(digestSeeds[0], text), maphash.Bytes(digestSeeds[1], text)}
}
