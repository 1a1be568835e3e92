package jsjson

// Feature is a property of a text that JSON.parse accepts but that
// JSON.stringify of lossless data cannot have produced, or that other JSON
// readers take differently (docs/format.md §6.4).
type Feature uint8

// The features. "At" names the byte that [Features.First] reports.
const (
	// InvalidUTF8: bytes that are not UTF-8, encoded surrogates and overlong
	// forms included; JavaScript reads U+FFFD. At the first such byte.
	InvalidUTF8 Feature = iota
	// LoneSurrogate: an escape of one half of a surrogate pair without the other.
	// At its backslash.
	LoneSurrogate
	// NumberOverflow: a number that JavaScript reads as Infinity or -Infinity. At
	// its first byte, as for all numbers.
	NumberOverflow
	// NegativeZero: a number that JavaScript reads as -0.
	NegativeZero
	// NumberUnderflow: a number with a non-zero digit that JavaScript reads as 0 or -0.
	NumberUnderflow
	// ImpreciseNumber: a number whose value the nearest double does not keep, in
	// that the shortest decimal text of the double has another value.
	ImpreciseNumber
	// NonCanonicalNumber: a number that keeps its value but that JavaScript spells
	// in another way, like 1.0 or 1e2.
	NonCanonicalNumber
	// DuplicateKey: a key that an object, at any depth, has already had;
	// JavaScript keeps the last value. At the opening quote of the repetition.
	DuplicateKey
	// ProtoKey: a key "__proto__", for JSON.parse an ordinary key. At its quote.
	ProtoKey
	// IndexKey: a key that is an array index and stands after a greater one or
	// after a key that is none; JavaScript moves it forward. At its quote.
	IndexKey
	// Whitespace: space, TAB, LF or CR outside strings, save TrailingCR. At its
	// first byte.
	Whitespace
	// TrailingCR: the last byte is a CR outside strings, as in lines that end in
	// CR LF. At that byte.
	TrailingCR
	// NonCanonicalEscape: an escape that JSON.stringify writes in another way or
	// not at all, like \/, \u0041, \u000a or \uD800. At its backslash.
	NonCanonicalEscape

	numFeatures
)

var featureNames = [numFeatures]string{
	"invalid UTF-8", "lone surrogate", "number overflow", "negative zero", "number underflow",
	"imprecise number", "non-canonical number", "duplicate key", "__proto__ key", "index key",
	"whitespace", "trailing CR", "non-canonical escape",
}

// String names the feature in words.
func (x Feature) String() string {
	if x < numFeatures {
		return featureNames[x]
	}
	return "unknown feature"
}

// Features records which features a text has, and where each occurs first. The
// zero Features is empty.
type Features struct {
	set   uint16
	first [numFeatures]int
}

// add notes that x occurs at the byte offset at.
func (f *Features) add(x Feature, at int) {
	if !f.Has(x) || at < f.first[x] {
		f.set |= 1 << x
		f.first[x] = at
	}
}

// Has tells whether x occurs.
func (f *Features) Has(x Feature) bool { return f.set&(1<<x) != 0 }

// First returns the byte offset of the first occurrence of x in the parsed text,
// -1 if there is none.
func (f *Features) First(x Feature) int {
	if !f.Has(x) {
		return -1
	}
	return f.first[x]
}

// Any tells whether any feature occurs.
func (f *Features) Any() bool { return f.set != 0 }

// Canonical tells whether the text is byte for byte what
// JSON.stringify(JSON.parse(text)) gives. Lone surrogates and "__proto__" keys
// survive that round trip.
func (f *Features) Canonical() bool { return f.set&^(1<<LoneSurrogate|1<<ProtoKey) == 0 }
