// Package session is the vocabulary of a dsh session log: the header, the event
// envelope, packed chunk rows, message shapes, the closers of an interrupted turn
// and the names of logs on disk. It does no I/O.
//
// Values are views: a [Header], [Event] or [Chunks] keeps slices of the line it
// was read from and is valid for as long as those bytes are.
package session

// Version is the format version of logs as dsh 0.1.1-rc.2 writes them
// (docs/format.md §2.1).
const Version = 0

// Newest is the newest format version whose reader is known. Later numbers were
// given by forks, each with a meaning of its own (docs/generations.md §1.3).
const Newest = 4
