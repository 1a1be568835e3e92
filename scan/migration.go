package scan

import "github.com/turnlint/turnlint/session"

// MigrationRefusal returns why a dsh that migrates the log in the container
// refuses to read it, or nil. rows is the refusal of the header or of a row, nil
// for none, and frame the number of the frame in which that row ends. header
// reports whether there was a first line, and complete whether the text of the
// complete frames ends with one.
func (c *Container) MigrationRefusal(rows *session.Refusal, frame int, header, complete bool) *session.Refusal {
	o := outcome{fatal: rows, fatalFrame: frame, committed: c.CompleteLen}
	if header {
		o.header = &session.Header{}
	}
	if !complete {
		o.committed = -1
	}
	return o.refusal(c)
}
