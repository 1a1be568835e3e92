// Package bombs runs the programs on inputs that are small and mean much: frames that
// decode to gigabytes, a million frames, lines without end. Its tests state how much
// memory and time they may take. The sizes are those of a quick run; make soak asks for
// the real ones.
package bombs
