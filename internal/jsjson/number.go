package jsjson

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
)

// maxExactDigits is the count of decimal digits that any double keeps.
const maxExactDigits = 15

// maxSafeInt is Number.MAX_SAFE_INTEGER (ECMA-262 §21.1.2.6).
const maxSafeInt = 1<<53 - 1

// number reads the number at pos (RFC 8259 §6) and returns the offset after it.
func (d *Doc) number(pos int) int {
	text, i := d.text, pos
	if text[i] == '-' {
		i++
	}
	first := i
	i = skipDigits(text, i)
	if i == first {
		return d.unexpected(i, "in number")
	}
	if text[first] == '0' && i > first+1 {
		return d.unexpected(first+1, "after leading zero")
	}
	end := i
	if i < len(text) && (text[i] == '.' || text[i]|' ' == 'e') {
		if end = d.fraction(i); end == failed {
			return failed
		}
	}
	if end > i || i-first > maxExactDigits || text[pos] == '-' && text[first] == '0' {
		d.classifyNumber(pos, text[pos:end])
	}
	return end
}

// fraction reads the optional fraction and exponent at pos.
func (d *Doc) fraction(pos int) int {
	text := d.text
	if pos < len(text) && text[pos] == '.' {
		if pos = d.digits(pos + 1); pos == failed {
			return failed
		}
	}
	if pos < len(text) && (text[pos] == 'e' || text[pos] == 'E') {
		pos++
		if pos < len(text) && (text[pos] == '+' || text[pos] == '-') {
			pos++
		}
		pos = d.digits(pos)
	}
	return pos
}

// digits reads one digit or more.
func (d *Doc) digits(pos int) int {
	end := skipDigits(d.text, pos)
	if end == pos {
		return d.unexpected(pos, "in number")
	}
	return end
}

// classifyNumber adds the features of the number raw, which starts at the offset at.
func (d *Doc) classifyNumber(at int, raw []byte) {
	f := parseFloat(raw)
	if math.IsInf(f, 0) {
		d.Features.add(NumberOverflow, at)
		return
	}
	var buf [32]byte
	text := AppendNumber(buf[:0], f)
	if bytes.Equal(text, raw) {
		return
	}
	negZero := f == 0 && math.Signbit(f)
	if negZero {
		d.Features.add(NegativeZero, at)
	}
	switch {
	case f == 0 && hasNonZeroDigit(raw):
		d.Features.add(NumberUnderflow, at)
	case !sameDecimal(raw, text):
		d.Features.add(ImpreciseNumber, at)
	case !negZero:
		d.Features.add(NonCanonicalNumber, at)
	}
}

// decimal is the value 0.DIGITS × 10^exp of a number's text.
type decimal struct {
	neg    bool
	digits []byte // the significant digits, perhaps with the point among them; no zeros at the ends
	exp    int
}

// maxExp bounds the exponents that are told apart. It is far above the length of
// any text, so that no run of zeros can make up for it.
const maxExp = math.MaxInt / 4

// decompose splits the text of a valid number. Zero has no digits.
func decompose(raw []byte) (v decimal) {
	if raw[0] == '-' {
		v.neg, raw = true, raw[1:]
	}
	if i := bytes.IndexAny(raw, "eE"); i >= 0 {
		v.exp, raw = parseExponent(raw[i+1:]), raw[:i]
	}
	point := bytes.IndexByte(raw, '.')
	if point < 0 {
		point = len(raw)
	}
	v.digits = bytes.Trim(raw, "0.")
	if len(v.digits) == 0 {
		v.exp = 0
		return v
	}
	first := bytes.IndexAny(raw, "123456789")
	if v.exp += point - first; first > point {
		v.exp++
	}
	return v
}

func parseExponent(text []byte) int {
	neg := text[0] == '-'
	exp := 0
	for _, c := range text {
		if isDigit(c) {
			exp = min(exp*10+int(c-'0'), maxExp/16)
		}
	}
	if neg {
		return -exp
	}
	return exp
}

func hasNonZeroDigit(raw []byte) bool { return len(decompose(raw).digits) > 0 }

// sameDecimal tells whether two number texts have the same decimal value,
// whatever its sign if it is zero.
func sameDecimal(a, b []byte) bool {
	x, y := decompose(a), decompose(b)
	if len(x.digits) == 0 || len(y.digits) == 0 {
		return len(x.digits) == len(y.digits)
	}
	return x.neg == y.neg && x.exp == y.exp && sameDigits(x.digits, y.digits)
}

// sameDigits compares two runs of digits without regard to the point.
func sameDigits(a, b []byte) bool {
	for {
		a, b = skipPoint(a), skipPoint(b)
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		if a[0] != b[0] {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

func skipPoint(digits []byte) []byte {
	if len(digits) > 0 && digits[0] == '.' {
		return digits[1:]
	}
	return digits
}

// maxPlainNumber is the length in bytes up to which a number's text goes to
// strconv as it is: the exponent then has to be short as well.
const maxPlainNumber = 32

// parseFloat returns the double nearest to the valid number raw, ties to even,
// ±Inf beyond the range.
func parseFloat(raw []byte) float64 {
	if len(raw) > maxPlainNumber {
		return parseLongFloat(decompose(raw))
	}
	f, _ := strconv.ParseFloat(string(raw), 64) // the only error is the range, with ±Inf
	return f
}

// maxSignificant is the count of digits that can decide to which side a value
// between two doubles rounds; if there are more, it only matters that they are
// not all zero.
const maxSignificant = 768

// parseLongFloat reads numbers whose length could exceed what strconv tells
// apart: it takes exponents only up to about 10^5 and so misreads a long run of
// zeros that the exponent makes up for.
func parseLongFloat(v decimal) float64 {
	text := make([]byte, 0, 64+min(len(v.digits), maxSignificant))
	if v.neg {
		text = append(text, '-')
	}
	text = append(text, "0."...)
	for i, c := range v.digits {
		if i > maxSignificant {
			text = append(text, '1')
			break
		}
		if c != '.' {
			text = append(text, c)
		}
	}
	text = append(text, "0e"...)
	text = strconv.AppendInt(text, int64(max(-9999, min(v.exp, 9999))), 10)
	f, _ := strconv.ParseFloat(string(text), 64) // the only error is the range, with ±Inf
	return f
}

// smallInt returns the value of a number written as an integer of at most
// maxExactDigits digits.
func smallInt(raw []byte) (n int64, ok bool) {
	digits := raw
	neg := len(raw) > 0 && raw[0] == '-'
	if neg {
		digits = raw[1:]
	}
	n, ok = natural(digits)
	if neg {
		return -n, ok && n != 0
	}
	return n, ok
}

// natural returns the number that one to maxExactDigits digits spell. Four or more are
// taken by words, and what is before them there counts as zeros.
func natural(digits []byte) (n int64, ok bool) {
	switch size := len(digits); {
	case size == 0 || size > maxExactDigits:
		return 0, false
	case size < 4:
		for _, c := range digits {
			if !isDigit(c) {
				return 0, false
			}
			n = n*10 + int64(c-'0')
		}
		return n, true
	case size < 8:
		first, last := binary.LittleEndian.Uint32(digits), binary.LittleEndian.Uint32(digits[size-4:])
		return eightDigits((uint64(first)<<(64-8*size) | uint64(last)<<32) ^ '0'*eachByte<<(64-8*size))
	default:
		high, highOK := eightDigits(binary.LittleEndian.Uint64(digits) ^ '0'*eachByte)
		rest := (binary.LittleEndian.Uint64(digits[size-8:]) ^ '0'*eachByte) >> (128 - 8*size) << (128 - 8*size)
		low, lowOK := eightDigits(rest)
		return high*powersOf10[size-8] + low, highOK && lowOK
	}
}

var powersOf10 = [...]int64{1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000}

// eightDigits returns the number that eight digits without their high bits make if all
// are less than 10. It adds the digits up by pairs, the pairs by pairs and those by
// pairs.
func eightDigits(x uint64) (n int64, ok bool) {
	if noDigits(x) != 0 {
		return 0, false
	}
	x = (x*10 + x>>8) & 0x00FF_00FF_00FF_00FF
	x = (x*100 + x>>16) & 0x0000_FFFF_0000_FFFF
	return int64(x*10_000+x>>32) & math.MaxUint32, true
}

// AppendNumber appends f as JSON.stringify writes it: the shortest digits that
// give f back, decimal from 1e-6 up to below 1e21 and scientific elsewhere
// (ECMA-262 §6.1.6.1.20); -0 as 0, and NaN and the infinities as null.
func AppendNumber(dst []byte, f float64) []byte {
	abs := math.Abs(f)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return append(dst, "null"...)
	case f == 0:
		return append(dst, '0')
	case 1e-6 <= abs && abs < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// Go writes at least two digits of exponent, ECMA-262 no leading zero.
	if n := len(dst); dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}
