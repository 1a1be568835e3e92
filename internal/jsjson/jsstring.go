package jsjson

import "math"

// JSString returns String(v) as a template literal inserts it (ECMA-262
// §7.1.17), in WTF-8: "undefined" for an absent value, arrays as their elements
// joined with commas, objects as "[object Object]".
func (v Value) JSString() string {
	switch v.Kind {
	case Absent:
		return "undefined"
	case Array:
		return string(appendJoined(nil, v.Raw()))
	}
	return string(appendPrimitive(nil, v))
}

// appendJoined appends the elements of an array joined with commas. A nested
// array is joined in the same way, so that only commas and elements are left; a
// null element is empty.
func appendJoined(dst, array []byte) []byte {
	for pos := 0; pos < len(array); {
		switch array[pos] {
		case ',':
			dst = append(dst, ',')
			pos++
		case '[', ']', ' ', '\t', '\n', '\r':
			pos++
		default:
			element := valueAt(array, pos)
			if element.Kind != Null {
				dst = appendPrimitive(dst, element)
			}
			pos += len(element.Raw())
		}
	}
	return dst
}

// appendPrimitive appends String(v) of any value but an array or an absent one.
func appendPrimitive(dst []byte, v Value) []byte {
	switch v.Kind {
	case String:
		return v.AppendText(dst)
	case Number:
		return appendJSNumber(dst, v.Float())
	case Object:
		return append(dst, "[object Object]"...)
	}
	return append(dst, v.Raw()...)
}

// appendJSNumber appends String(f), which unlike JSON has infinities.
func appendJSNumber(dst []byte, f float64) []byte {
	switch {
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	return AppendNumber(dst, f)
}

// Stringify returns what a template literal shows of JSON.stringify(v): the canonical
// text, and "undefined" if v is absent.
func (v Value) Stringify() string {
	if !v.Exists() {
		return "undefined"
	}
	return string(AppendCanonical(nil, v))
}
