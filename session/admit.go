package session

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// RowFault is why the readers of a generation do not admit a row, whatever its
// place in the log (docs/generations.md §2.3).
type RowFault struct {
	Text string // of dsh
	// Unsupported says that dsh counts the log as intact, but not of this generation.
	Unsupported bool
	// Retired says that the row is as earlier generations had it.
	Retired bool
}

// Admit returns why the readers of a generation do not admit the row of an event,
// or nil. Formats v0 to v2 have no such check. seq is the number that dsh puts
// into its texts.
func Admit(e *Event, generation int64) *RowFault {
	switch generation {
	case 3:
		return admitV3(e)
	case 4:
		return admitV4(e, true)
	}
	return nil
}

// AdmitStored is [Admit] for events that are not read from a log of their own
// generation: a migration looks at them, or has made them. It lets pass what is
// marked ignorable, and messages from nobody.
func AdmitStored(e *Event, generation int64) *RowFault {
	switch {
	case generation == 3:
		return admitV3(e)
	case generation == 4 && e.Ignorable.Kind != jsjson.True:
		return admitV4(e, false)
	}
	return nil
}

// malformed returns the fault of a row that no generation has written.
func malformed(format string, args ...any) *RowFault {
	return &RowFault{Text: fmt.Sprintf(format, args...)}
}

// gone returns the fault of a row of an earlier generation.
func gone(format string, args ...any) *RowFault {
	return &RowFault{Text: fmt.Sprintf(format, args...), Retired: true}
}

// dispatchGone reports whether a row is one of the dispatches that v3 renamed.
// Like all unknown types they may be ignorable.
func dispatchGone(e *Event) bool {
	t := AnyTypeOf(e.Type)
	return (t == CodeDispatch || t == CodeDispatchStart) && e.Ignorable.Kind != jsjson.True
}

// printed returns a value as dsh puts it into its texts.
func printed(v jsjson.Value) string { return jsjson.ToValidUTF8(v.JSString()) }

// natural returns what dsh says of a value that has to be a number from 1, given
// its name, or "".
func natural(v jsjson.Value, name, positive string) string {
	n, ok := v.SafeInt()
	switch {
	case !ok || n < 0:
		return name + " must be a non-negative safe integer"
	case n == 0:
		return positive + " must be positive"
	}
	return ""
}
