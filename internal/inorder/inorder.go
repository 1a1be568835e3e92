// Package inorder does independent work on several processors and hands over the
// results in the order of the work.
package inorder

import (
	"iter"
	"sync"
)

// ahead is how many results may wait for each worker, so that one slow item
// does not make the others idle.
const ahead = 8

// Map yields work of every item, in the order of the items. It runs so many
// workers, at least one, and keeps a bounded number of results, however many items
// there are. The items are taken from a goroutine of their own. All of them have
// ended when the sequence has. Where one of them panics, so does the sequence.
func Map[T, R any](workers int, items iter.Seq[T], work func(T) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		m := mapping[T, R]{work: work, stop: make(chan struct{})}
		workers = max(1, workers)
		m.tasks = make(chan task[T, R])
		m.results = make(chan chan outcome[R], workers*ahead)
		m.running.Go(func() { m.feed(items) })
		for range workers {
			m.running.Go(m.serve)
		}
		defer m.running.Wait()
		defer close(m.stop)
		for result := range m.results {
			r := <-result
			if r.cause != nil {
				panic(r.cause)
			}
			if !yield(r.value) {
				return
			}
		}
	}
}

type mapping[T, R any] struct {
	work    func(T) R
	tasks   chan task[T, R]
	results chan chan outcome[R] // of the tasks, in their order
	stop    chan struct{}        // closed when nobody wants more results
	running sync.WaitGroup
}

type task[T, R any] struct {
	item   T
	result chan<- outcome[R]
}

// outcome is a result, or what came in its place: a panic, from which nobody could
// recover in the goroutine where it was.
type outcome[R any] struct {
	value R
	cause any // of the panic
}

// feed makes tasks of the items.
func (m *mapping[T, R]) feed(items iter.Seq[T]) {
	defer close(m.tasks)
	defer close(m.results)
	defer func() {
		if cause := recover(); cause != nil {
			if result, wanted := m.announce(); wanted {
				result <- outcome[R]{cause: cause}
			}
		}
	}()
	for item := range items {
		result, wanted := m.announce()
		if !wanted {
			return
		}
		// A result that is announced has to come.
		m.tasks <- task[T, R]{item, result}
	}
}

// announce makes the channel of the next result, which takes it without waiting.
func (m *mapping[T, R]) announce() (result chan outcome[R], wanted bool) {
	result = make(chan outcome[R], 1)
	select {
	case m.results <- result:
		return result, true
	case <-m.stop:
		return nil, false
	}
}

func (m *mapping[T, R]) serve() {
	for t := range m.tasks {
		t.result <- m.do(t.item)
	}
}

func (m *mapping[T, R]) do(item T) (o outcome[R]) {
	defer func() { o.cause = recover() }()
	return outcome[R]{value: m.work(item)}
}
