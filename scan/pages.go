package scan

// pageLen is the number of elements in one page.
const pageLen = 4096

// pages is a list that grows without copying: for what a long log has much of,
// where the doubling of a slice would cost as much memory as the elements.
type pages[T any] [][]T

func (p *pages[T]) append(v T) {
	last := len(*p) - 1
	if last < 0 || len((*p)[last]) == pageLen {
		*p = append(*p, make([]T, 0, pageLen))
		last++
	}
	(*p)[last] = append((*p)[last], v)
}

func (p pages[T]) len() int {
	if len(p) == 0 {
		return 0
	}
	return (len(p)-1)*pageLen + len(p[len(p)-1])
}

func (p pages[T]) at(i int) *T { return &p[i/pageLen][i%pageLen] }
