package picture

// bounded is a list that stays short: when it is full, neighbours are joined, and
// those that are added later as well, so that all items stand for about as many.
type bounded[T any] struct {
	limit int
	// alike reports whether two neighbours can be joined without losing anything
	// but detail.
	alike func(a, b *T) bool
	// join adds b, which follows a, to a.
	join func(a, b *T)

	items   []T
	weights []int // how many added items each item stands for
	grain   int   // how many an item may stand for
}

func (l *bounded[T]) add(item T) {
	l.grain = max(1, l.grain)
	if last := len(l.items) - 1; last >= 0 && l.weights[last] < l.grain && l.alike(&l.items[last], &item) {
		l.join(&l.items[last], &item)
		l.weights[last]++
		return
	}
	if len(l.items) == l.limit {
		l.grain *= 2
		l.joinPairs(func(i int) bool { return l.weights[i]+l.weights[i+1] <= l.grain && l.alike(&l.items[i], &l.items[i+1]) })
		if len(l.items) > l.limit*3/4 { // too few were alike
			l.joinPairs(func(int) bool { return true })
		}
	}
	l.items, l.weights = append(l.items, item), append(l.weights, 1)
}

// joinPairs joins the items i and i+1 where it may.
func (l *bounded[T]) joinPairs(may func(i int) bool) {
	kept := 0
	for i := 0; i < len(l.items); i++ {
		item, weight := l.items[i], l.weights[i]
		if i+1 < len(l.items) && may(i) {
			i++
			l.join(&item, &l.items[i])
			weight += l.weights[i]
		}
		l.items[kept], l.weights[kept] = item, weight
		kept++
	}
	clear(l.items[kept:])
	l.items, l.weights = l.items[:kept], l.weights[:kept]
}

// last returns the last item, or nil.
func (l *bounded[T]) last() *T {
	if len(l.items) == 0 {
		return nil
	}
	return &l.items[len(l.items)-1]
}
