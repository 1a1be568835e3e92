package vectortest

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
)

// Op is one step of a recipe. Offsets are in bytes of the image. Lines count from 0
// (the header), end after each line feed and keep it; bytes after the last line feed
// are a line without one.
type Op struct {
	Op    string `json:"op"`
	At    int    `json:"at"`    // cut, splice, xor
	Del   int    `json:"del"`   // splice: bytes to delete
	Mask  byte   `json:"mask"`  // xor
	From  int    `json:"from"`  // crlf: first line
	Line  int    `json:"line"`  // the ops on one line
	A     int    `json:"a"`     // swapLines
	B     int    `json:"b"`     // swapLines
	N     int    `json:"n"`     // keepLines
	Bytes Bytes  `json:"bytes"` // literal, splice, append, insLine, setLine
	Find  Bytes  `json:"find"`  // replaceInLine
	With  Bytes  `json:"with"`  // replaceInLine
}

// Bytes is a byte string written as JSON: a string (its UTF-8), or an object with
// utf8, hex, b64, cat (a concatenation), or rep and n (n copies).
type Bytes []byte

// UnmarshalJSON evaluates the notation.
func (b *Bytes) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		text = slices.Concat([]byte(`{"utf8":`), text, []byte(`}`))
	}
	var form struct {
		UTF8 *string `json:"utf8"`
		Hex  *string `json:"hex"`
		B64  *[]byte `json:"b64"`
		Cat  []Bytes `json:"cat"`
		Rep  *Bytes  `json:"rep"`
		N    uint    `json:"n"`
	}
	if err := decode(text, &form); err != nil {
		return err
	}
	var err error
	switch {
	case form.UTF8 != nil:
		*b = Bytes(*form.UTF8)
	case form.Hex != nil:
		*b, err = hex.DecodeString(*form.Hex)
	case form.B64 != nil:
		*b = *form.B64
	case form.Cat != nil:
		*b = slices.Concat(form.Cat...)
	case form.Rep != nil:
		*b = bytes.Repeat(*form.Rep, int(form.N))
	default:
		err = fmt.Errorf("no byte string: %s", text)
	}
	return err
}

// apply returns the changed image, which may share memory with image and o but
// never alters it.
func (o *Op) apply(image []byte) ([]byte, error) {
	switch o.Op {
	case "literal":
		return o.Bytes, nil
	case "append":
		return slices.Concat(image, o.Bytes), nil
	case "cut":
		return o.replace(image, len(image)-o.At, nil)
	case "splice":
		return o.replace(image, o.Del, o.Bytes)
	case "xor":
		if err := checkIndex("byte", o.At, len(image)); err != nil {
			return nil, err
		}
		return o.replace(image, 1, []byte{image[o.At] ^ o.Mask})
	}
	lines, err := o.applyLines(slices.Collect(bytes.Lines(image)))
	return bytes.Join(lines, nil), err
}

// replace puts with in place of the n bytes at o.At.
func (o *Op) replace(image []byte, n int, with []byte) ([]byte, error) {
	if o.At < 0 || n < 0 || o.At+n > len(image) {
		return nil, fmt.Errorf("%s: no %d bytes at %d in %d", o.Op, n, o.At, len(image))
	}
	return slices.Concat(image[:o.At], with, image[o.At+n:]), nil
}

// applyLines changes lines, but not the bytes of a line.
func (o *Op) applyLines(lines [][]byte) ([][]byte, error) {
	switch o.Op {
	case "crlf":
		for i := o.From; i < len(lines); i++ {
			if body, ok := bytes.CutSuffix(lines[i], []byte("\n")); ok {
				lines[i] = slices.Concat(body, []byte("\r\n"))
			}
		}
		return lines, nil
	case "keepLines":
		if o.N > len(lines) {
			return nil, fmt.Errorf("keepLines: no %d lines in %d", o.N, len(lines))
		}
		return lines[:o.N], nil
	case "insLine":
		if err := checkIndex("line", o.Line, len(lines)+1); err != nil {
			return nil, err
		}
		return slices.Insert(lines, o.Line, []byte(string(o.Bytes)+"\n")), nil
	case "swapLines":
		if err := checkIndex("line", max(o.A, o.B), len(lines)); err != nil {
			return nil, err
		}
		lines[o.A], lines[o.B] = lines[o.B], lines[o.A]
		return lines, nil
	}
	return o.applyLine(lines)
}

// applyLine does the ops that name one existing line.
func (o *Op) applyLine(lines [][]byte) ([][]byte, error) {
	if err := checkIndex("line", o.Line, len(lines)); err != nil {
		return nil, err
	}
	line := lines[o.Line]
	body := bytes.TrimSuffix(line, []byte("\n"))
	switch o.Op {
	case "delLine":
		return slices.Delete(lines, o.Line, o.Line+1), nil
	case "dupLine":
		return slices.Insert(lines, o.Line, line), nil
	case "setLine":
		lines[o.Line] = slices.Concat(o.Bytes, line[len(body):])
	case "joinLine":
		lines[o.Line] = body
	case "replaceInLine":
		if !bytes.Contains(line, o.Find) {
			return nil, fmt.Errorf("replaceInLine: no %q in line %d", o.Find, o.Line)
		}
		lines[o.Line] = bytes.Replace(line, o.Find, o.With, 1)
	default:
		return nil, fmt.Errorf("unknown op %q", o.Op)
	}
	return lines, nil
}

func checkIndex(what string, i, n int) error {
	if i < 0 || i >= n {
		return fmt.Errorf("no %s %d in %d", what, i, n)
	}
	return nil
}
