package scan

// bitmap is a growing set of small non-negative numbers.
type bitmap []uint64

func (b *bitmap) set(n int64) {
	for int64(len(*b)) <= n/64 {
		*b = append(*b, 0)
	}
	(*b)[n/64] |= 1 << (n % 64)
}

func (b bitmap) has(n int64) bool {
	return n >= 0 && n/64 < int64(len(b)) && b[n/64]&(1<<(n%64)) != 0
}
