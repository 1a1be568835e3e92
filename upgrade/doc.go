// Package upgrade predicts what the migration of a newer harness makes of an
// older log: the events of the new generation, or the refusals.
//
// A migration is a chain. A decoder turns the rows of the stored log into events;
// an edge for each generation on the way takes them to the next one; the target
// checks what comes out. Events go through the whole chain one at a time, so that
// the first event that any edge refuses decides, whatever that edge. The rules of
// the target come last (docs/generations.md §4.5).
//
// The events are those of dsh to the byte. So are the texts of the refusals; of an
// event with several faults dsh names one, and which one it is has been found out
// by experiment, not for all combinations.
package upgrade
