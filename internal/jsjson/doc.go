// Package jsjson reads and writes JSON exactly as JavaScript does: what it
// accepts, and the values it sees, are those of JSON.parse over text decoded as
// UTF-8 with replacement; what it writes are the bytes of JSON.stringify
// (ECMA-262, sections 25.5.1 and 25.5.2). docs/format.md §3.6, §3.7 and §6.4
// list the points where other JSON readers differ.
//
// A text is parsed once by [Doc], which validates it, notes the spans of the
// top-level members and collects the [Feature] set: properties that JSON.parse
// lets pass but JSON.stringify cannot have produced, or that other readers take
// differently. A [Value] is a span of validated text; its methods read that
// span without validating again, and decode only what is asked for.
//
// A Doc with [Skeletons] reads texts that differ only in strings and numbers, as the
// lines of a log do, by what they have in common, several times as fast. What it
// says of a text is the same.
//
// Nothing here recurses: a line of ten million '[' costs a byte of stack each.
//
// Strings that leave the package are WTF-8: UTF-8 in which a lone surrogate,
// legal in a JavaScript string, keeps its three-byte encoding (ED A0 80 to
// ED BF BF). A Go comparison of two such strings is JavaScript's ===.
package jsjson
