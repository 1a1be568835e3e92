// Package session is the vocabulary of a dsh session log, format v0: the
// header, the event envelope, packed chunk rows, message shapes, the closers of
// an interrupted turn and the names of logs on disk. It does no I/O.
//
// Values are views: a [Header], [Event] or [Chunks] keeps slices of the line it
// was read from and is valid for as long as those bytes are.
package session

// Version is the only format version that this package describes
// (docs/format.md §2.1).
const Version = 0
