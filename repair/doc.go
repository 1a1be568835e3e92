// Package repair brings a damaged log into the state in which dsh opens it as it
// is, and loses nothing on the way that belongs to it.
//
// It turns bits back that spoil the sizes of frames, reads the log in pieces, also
// behind damaged frames and inside damaged lines, and keeps a row of facts for each
// piece, or one for many that go on from each other. From the rows follow the chains
// of events that the log can tell, of which two writers make several; each is read
// in full and scored, and one is chosen. The layout then copies every frame of which
// nothing changes and writes the other lines again. With Options.LikeDsh it does
// dsh's own recovery instead (docs/format.md §5).
//
// A log stays one of its own generation, whose reader judges its histories and its
// repair (docs/generations.md §9). A sound log that only newer versions of dsh refuse
// can be mended for them, in a copy.
//
// A [Plan] says for one log what stays, what leaves, what is written again and
// what is made up, and why, or why nothing may be done. Making it writes nothing.
//
// Publishing a plan never edits the only copy. The repaired log is written in full
// beside the damaged one and verified there, the damaged one is copied to a backup,
// and only then a rename swaps them; [Committer.Apply] names the order. Whatever moment a
// crash or a full disk picks, the path holds the old bytes or the new ones.
//
// A sound log in the wrong place is refused by dsh, too, and can hide all others.
// [PlanMoves] says for the logs of a sessions directory which of them have to move, or
// go because another log holds all that they do, and [Committer.Move] does that. Such
// a log lies at its old place or at the new one at any moment, or in the backup.
//
// Sessions in a database are planned as the logs that their rows would be, and repaired
// on the rows that change, in one transaction: [Committer.ApplyDatabase] names the
// steps. [Committer.ExportLogs] and [Committer.NewStore] carry sessions from a database
// to logs and back.
//
// [Committer.Undo] puts the bytes of a backup back in the same way, and the repaired
// ones after that; [Committer.Backups] and [Committer.Surplus] say which backups there
// are and which could go. [NewMap] and [Plan.Diff] show the damage and the repair
// to people, and [Events] gives the events of a log to whoever compares it with another.
package repair
