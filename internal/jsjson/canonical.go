package jsjson

import (
	"math"
	"slices"
	"sync"
)

// AppendCanonical appends JSON.stringify(JSON.parse(v)): no whitespace, numbers
// as ECMA-262 spells them (overflow as null, -0 as 0), object members in
// JavaScript's own order with duplicates collapsed, minimal escapes. It appends
// nothing for an absent value.
func AppendCanonical(dst []byte, v Value) []byte {
	if v.Kind == Absent {
		return dst
	}
	d := docs.Get().(*Doc)
	defer d.release()
	if err := d.Parse(v.Raw()); err != nil || d.Features.Canonical() {
		return append(dst, v.Raw()...)
	}
	return write(dst, v.Raw(), false)
}

// node is a value or a key in a tree: where its text starts, and the index of
// the first node that is not inside it. Nodes stand in text order, so the node
// after a container's is its first child; an object's children are key, value,
// key, value and so on.
type node struct{ start, next int }

// writer writes the canonical text of a validated one, or its normal form.
type writer struct {
	text    []byte
	nodes   []node
	open    []int  // build: the nodes of the open containers
	work    []task // write: what is left to do, the next last
	entries []entry
	normal  bool // keys sorted by text, and infinities kept apart from null
}

// task is a node index or nothing, times numActions, plus an action.
type task int

const (
	writeValue task = iota
	writeKey
	closeArray
	closeObject
	numActions
)

var writers = sync.Pool{New: func() any { return new(writer) }}

// write appends the canonical text of text, or its normal form.
func write(dst, text []byte, normal bool) []byte {
	w := writers.Get().(*writer)
	defer writers.Put(w)
	w.text, w.normal = text, normal
	w.build()
	w.work = append(w.work[:0], writeValue)
	start := len(dst)
	for len(w.work) > 0 {
		last := len(w.work) - 1
		t := w.work[last]
		w.work = w.work[:last]
		dst = w.do(dst, start, t)
	}
	w.text = nil
	return dst
}

// build finds the nodes of w.text in one pass, so that deep nesting costs linear
// time.
func (w *writer) build() {
	w.nodes, w.open = w.nodes[:0], w.open[:0]
	for pos := 0; pos < len(w.text); {
		n := len(w.nodes)
		switch w.text[pos] {
		case ' ', '\t', '\n', '\r', ',', ':':
			pos++
		case '{', '[':
			w.nodes = append(w.nodes, node{start: pos})
			w.open = append(w.open, n)
			pos++
		case '}', ']':
			last := len(w.open) - 1
			w.nodes[w.open[last]].next = n
			w.open = w.open[:last]
			pos++
		default:
			w.nodes = append(w.nodes, node{start: pos, next: n + 1})
			pos = skipValue(w.text, pos)
		}
	}
}

// do carries out one task. The text written for this value begins at dst[start].
func (w *writer) do(dst []byte, start int, t task) []byte {
	switch t % numActions {
	case closeArray:
		return append(dst, ']')
	case closeObject:
		return append(dst, '}')
	}
	if needsComma(dst[start:]) {
		dst = append(dst, ',')
	}
	n := int(t / numActions)
	if t%numActions == writeKey {
		return append(w.scalar(dst, n), ':')
	}
	switch w.text[w.nodes[n].start] {
	case '[':
		w.pushElements(n)
		return append(dst, '[')
	case '{':
		w.pushMembers(n)
		return append(dst, '{')
	}
	return w.scalar(dst, n)
}

// needsComma tells whether something complete precedes what is to be written;
// no complete value ends in an opening bracket or a colon.
func needsComma(written []byte) bool {
	if len(written) == 0 {
		return false
	}
	switch written[len(written)-1] {
	case '[', '{', ':':
		return false
	}
	return true
}

func (w *writer) pushElements(array int) {
	w.work = append(w.work, closeArray)
	from := len(w.work)
	for n := array + 1; n < w.nodes[array].next; n = w.nodes[n].next {
		w.work = append(w.work, task(n)*numActions+writeValue)
	}
	slices.Reverse(w.work[from:])
}

func (w *writer) pushMembers(object int) {
	entries := w.entries[:0]
	for n := object + 1; n < w.nodes[object].next; {
		value := w.nodes[n].next
		entries = append(entries, entry{text: keyText(w.raw(n)), place: n, key: n, value: value})
		n = w.nodes[value].next
	}
	w.entries = entries
	entries = sortByKey(entries)
	if !w.normal {
		sortByOwnOrder(entries)
	}
	w.work = append(w.work, closeObject)
	for i := len(entries) - 1; i >= 0; i-- {
		w.work = append(w.work, task(entries[i].value)*numActions+writeValue, task(entries[i].key)*numActions+writeKey)
	}
	clear(w.entries) // the pool must not keep the text
}

// raw returns the text of a scalar node.
func (w *writer) raw(n int) []byte {
	pos := w.nodes[n].start
	return w.text[pos:skipValue(w.text, pos)]
}

func (w *writer) scalar(dst []byte, n int) []byte {
	raw := w.raw(n)
	v := NewValue(kindOf[raw[0]], raw)
	switch v.Kind {
	case String:
		return appendRequoted(dst, v)
	case Number:
		f := v.Float()
		if w.normal && math.IsInf(f, 0) {
			return appendJSNumber(dst, f)
		}
		return AppendNumber(dst, f)
	}
	return append(dst, v.Raw()...)
}

// appendRequoted appends a string as JSON.stringify writes it.
func appendRequoted(dst []byte, v Value) []byte {
	if isPlain(v.body()) {
		return append(dst, v.Raw()...)
	}
	return AppendQuoted(dst, v.Text())
}
