// Package repair brings a log that a crash left behind into the state in which
// dsh opens it as it is: it trims a torn tail, keeps the complete events in it and
// closes the open turn (docs/format.md §5). It works in three parts.
//
// A [Plan] says for one log what stays, what leaves, what is written again and
// what is made up, and why, or why nothing may be done. Making it writes nothing.
//
// Publishing a plan never edits the only copy. The repaired log is written in full
// beside the damaged one and verified there, the damaged one is copied to a backup,
// and only then a rename swaps them; [Apply] names the order. Whatever moment a
// crash or a full disk picks, the path holds the old bytes or the new ones.
//
// [Undo] puts the bytes of a backup back in the same way.
package repair
