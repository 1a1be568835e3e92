// Package reference is a second reader of v0 logs, to which the tests compare the
// first. It follows docs/format.md section by section, with the whole file in memory,
// nothing shared with the product but the zstd block decoder, and no care for speed.
//
// It reads what encoding/json reads: a text nested 10,000 levels deep or more counts
// as no JSON here, and as JSON in dsh.
package reference
