package database

import "math"

// Class is the storage class of a value.
type Class uint8

// The storage classes of SQLite.
const (
	Null Class = iota
	Integer
	Real
	Text
	Blob
)

// Value is a column of a row as SQLite stores it.
type Value struct {
	Class Class
	Int   int64   // of an Integer
	Real  float64 // of a Real
	Bytes []byte  // of a Text, any bytes, or a Blob; nil where they are TooLong
	// TooLong says that a Text or Blob is longer than the cap and was not read.
	TooLong bool
}

// maxSafe is Number.MAX_SAFE_INTEGER (ECMA-262).
const maxSafe = 1<<53 - 1

// safeInt returns a number that is a safe integer in JavaScript, which has one kind
// of numbers: a Real with an integral value is one too.
func (v *Value) safeInt() (int64, bool) {
	switch v.Class {
	case Integer:
		return v.Int, v.safe()
	case Real:
		return int64(v.Real), v.Real == math.Trunc(v.Real) && math.Abs(v.Real) <= maxSafe
	}
	return 0, false
}

// safe reports whether the driver of dsh can pass the value on.
func (v *Value) safe() bool {
	return v.Class != Integer || -maxSafe <= v.Int && v.Int <= maxSafe
}
