package jsjson

import "math/bits"

// list is what is known of a list.
type list struct {
	count int
	sum   int64 // of integers; -1 if it is no safe integer, of very many and of strings
}

// stringsEnd returns the offset after the list of strings whose first quote is at
// pos; 0 if there is none.
func stringsEnd(text []byte, pos int, l *list) int {
	if pos == len(text) || text[pos] != '"' {
		return 0
	}
	*l = list{1, -1}
	pos++
	for ended := false; !ended && pos > 0; {
		if hasListMarks && len(text)-pos >= 64 {
			passed, separators := passElements(text[pos:])
			pos += passed
			l.count += separators
		}
		stops := stopBytes(wordAt(text, pos))
		if pos += bits.TrailingZeros64(stops) / 8; stops != 0 { // 8 if there are none
			pos, ended = l.passStop(text, pos)
		}
	}
	return pos
}

// passStop returns the offset after what a word stops at in a list of strings: a
// character, the quotes and comma between two of them, or the end of the list; 0 if it
// is something else.
func (l *list) passStop(text []byte, pos int) (next int, ended bool) {
	switch {
	case pos+2 >= len(text):
		return 0, false // there is more behind a list
	case text[pos] != '"':
		if size := soundLen(text, pos); size > 0 {
			return pos + size, false
		}
	case text[pos+1] == ',' && text[pos+2] == '"':
		l.count++
		return pos + 3, false
	case text[pos+1] == ']':
		return pos + 2, true
	}
	return 0, false
}

// maxSummed is how many integers of maxExactDigits digits add up without an overflow.
const maxSummed = 9000

// integersEnd does the same as stringsEnd for the list of integers whose first digit is
// at pos.
func integersEnd(text []byte, pos int, l *list) int {
	*l = list{}
	if hasListMarks {
		pos = l.passIntegers(text, pos)
	}
	for ; ; pos++ {
		from, element := pos, int64(0)
		for ; pos < len(text) && isDigit(text[pos]); pos++ {
			element = element*10 + int64(text[pos]-'0')
		}
		if n := pos - from; pos == len(text) || n == 0 || n > 1 && (n > maxExactDigits || text[from] == '0') {
			return 0
		}
		l.count++
		l.sum += element
		switch text[pos] {
		case ',':
		case ']':
			if l.sum > maxSafeInt || l.count > maxSummed {
				l.sum = -1
			}
			return pos + 1
		default:
			return 0
		}
	}
}

// digitMarks has a bit for each of 64 bytes, the lowest for the first.
type digitMarks struct {
	digits, commas uint64
	values         [4]uint64 // the bits of the values of digits, from that of 1 to that of 8
}

// passIntegers passes over elements of a list of integers, from the first digit of one
// on, and the commas behind them, as long as they have at most three digits and 64 bytes
// of text are left.
func (l *list) passIntegers(text []byte, pos int) int {
	var m digitMarks
	for len(text)-pos >= 64 {
		markDigits(&m, text[pos:])
		end := bits.TrailingZeros64(^(m.digits | m.commas))
		n := bits.Len64(m.commas & (1<<end - 1)) // behind the last comma
		whole := uint64(1)<<n - 1
		digits, commas := m.digits&whole, m.commas&whole
		ones := digits &^ (digits >> 1)
		tens := digits & (ones >> 1)
		hundreds := digits & (tens >> 1)
		zeros := digits &^ (m.values[0] | m.values[1] | m.values[2] | m.values[3])
		leading := digits &^ (digits << 1) & zeros & (digits >> 1)
		if n == 0 || digits&(hundreds>>1) != 0 || commas&(commas<<1|1) != 0 || leading != 0 {
			return pos
		}
		l.count += bits.OnesCount64(commas)
		for i, value := range m.values {
			sum := bits.OnesCount64(value&ones) + 10*bits.OnesCount64(value&tens) + 100*bits.OnesCount64(value&hundreds)
			l.sum += int64(sum) << i
		}
		if pos += n; end < 64 {
			return pos
		}
	}
	return pos
}

// markDigitsGo is markDigits on any processor.
func markDigitsGo(m *digitMarks, text []byte) {
	*m = digitMarks{}
	for i, c := range text[:64] {
		if isDigit(c) {
			m.digits |= 1 << i
		}
		if c == ',' {
			m.commas |= 1 << i
		}
		for bit := range m.values {
			m.values[bit] |= uint64(c>>bit&1) << i
		}
	}
}
