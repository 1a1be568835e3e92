// Package inorder does independent work on all processors and hands over the
// results in the order of the work.
package inorder

import (
	"iter"
	"runtime"
	"sync"
)

// ahead is how many results may wait for each processor, so that one slow item
// does not make the others idle.
const ahead = 8

// Map yields work of every item, in the order of the items. It runs one goroutine
// for each processor and keeps a bounded number of results, however many items
// there are. The items are taken from a goroutine of their own. All of them have
// ended when the sequence has.
func Map[T, R any](items iter.Seq[T], work func(T) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		m := mapping[T, R]{work: work, stop: make(chan struct{})}
		workers := runtime.GOMAXPROCS(0)
		m.tasks = make(chan task[T, R])
		m.results = make(chan chan R, workers*ahead)
		m.running.Go(func() { m.feed(items) })
		for range workers {
			m.running.Go(m.serve)
		}
		defer m.running.Wait()
		defer close(m.stop)
		for result := range m.results {
			if !yield(<-result) {
				return
			}
		}
	}
}

type mapping[T, R any] struct {
	work    func(T) R
	tasks   chan task[T, R]
	results chan chan R   // of the tasks, in their order
	stop    chan struct{} // closed when nobody wants more results
	running sync.WaitGroup
}

type task[T, R any] struct {
	item   T
	result chan<- R // takes one result without waiting
}

// feed makes tasks of the items.
func (m *mapping[T, R]) feed(items iter.Seq[T]) {
	defer close(m.tasks)
	defer close(m.results)
	for item := range items {
		result := make(chan R, 1)
		select {
		case m.results <- result:
		case <-m.stop:
			return
		}
		// A result that is announced has to come.
		m.tasks <- task[T, R]{item, result}
	}
}

func (m *mapping[T, R]) serve() {
	for t := range m.tasks {
		t.result <- m.work(t.item)
	}
}
