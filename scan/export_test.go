package scan

import "github.com/turnlint/turnlint/session"

// StoredRefusal returns the refusal of the check that follows a restore.
func (n *Native) StoredRefusal() *session.Refusal { return n.stored.refusal("") }

// Closers returns the events that would close the accepted ones, whether or not
// dsh opens the log, or the message with which the search for them fails.
func (n *Native) Closers() (texts [][]byte, crash string) {
	return n.closers.Append(nil), n.crash
}
