package jsjson

// Cursor stands at a member of an object, or at an element of an array, and moves
// on to the next. It does what [Value.Members] and [Value.Elements] do, faster: no
// member is copied that nobody asks for.
//
//	for c := v.Inside(); c.More(); c.Next() {
type Cursor struct {
	tape    *tape
	text    []byte // where there is no tape
	at, end int    // of the key or element: indices on the tape, or offsets in text
	value   int    // of the value of a member, else at
	object  bool
}

// Inside returns a cursor at the first member of an object or element of an array;
// in any other value there is none.
func (v Value) Inside() Cursor {
	if v.Kind != Object && v.Kind != Array {
		return Cursor{}
	}
	c := Cursor{object: v.Kind == Object}
	if v.onTape() && !v.tape.items[v.item].plain {
		c.tape, c.at, c.end = v.tape, int(v.item)+1, int(v.tape.items[v.item].next)
	} else {
		c.text, c.at, c.end = v.Raw(), nextItem(v.Raw(), 1), len(v.text)
	}
	c.findValue()
	return c
}

// More tells whether the cursor stands at something.
func (c *Cursor) More() bool { return c.value < c.end }

// Next moves on.
func (c *Cursor) Next() {
	if c.tape != nil {
		c.at = int(c.tape.items[c.value].next)
	} else {
		c.at = nextItem(c.text, skipValue(c.text, c.value))
	}
	c.findValue()
}

// findValue finds the value that belongs to a key.
func (c *Cursor) findValue() {
	switch {
	case !c.object || c.at >= c.end:
		c.value = c.at
	case c.tape != nil:
		c.value = c.at + 1
	default:
		c.value = nextItem(c.text, skipString(c.text, c.at))
	}
}

// Key returns the key of the member, a String.
func (c *Cursor) Key() Value { return c.read(c.at) }

// Value returns the value of the member, or the element.
func (c *Cursor) Value() Value { return c.read(c.value) }

// Kind returns the kind of the value.
func (c *Cursor) Kind() Kind {
	if c.tape != nil {
		return c.tape.items[c.value].kind
	}
	return kindOf[c.text[c.value]]
}

func (c *Cursor) read(at int) Value {
	if c.tape != nil {
		return c.tape.value(uint32(at))
	}
	return valueAt(c.text, at)
}

// KeyIs tells whether the key has the characters s, in WTF-8.
func (c *Cursor) KeyIs(s string) bool {
	if c.tape != nil {
		return c.tape.spells(uint32(c.at), s)
	}
	return c.Key().EqualText(s)
}
