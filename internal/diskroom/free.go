// Package diskroom says how much room there is on a disk.
package diskroom

// Free returns the bytes that this user may still write in a directory, and -1 on
// a system that does not say.
func Free(dir string) (int64, error) { return free(dir) }
