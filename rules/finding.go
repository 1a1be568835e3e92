package rules

import (
	"fmt"

	"github.com/turnlint/turnlint/scan"
)

// Severity says how much a finding matters to the exit code.
type Severity uint8

// The severities, from least to most.
const (
	Note Severity = iota
	Warning
	Error
)

var severityNames = [...]string{Note: "note", Warning: "warning", Error: "error"}

// String returns note, warning or error.
func (s Severity) String() string { return severityNames[s] }

// ParseSeverity is the inverse of [Severity.String].
func ParseSeverity(name string) (Severity, error) {
	for s, n := range severityNames {
		if n == name {
			return Severity(s), nil
		}
	}
	return 0, fmt.Errorf("unknown severity %q: want error, warning or note", name)
}

// Class separates what is broken from what is only refused or unwise.
type Class string

// The classes (docs/format.md §8).
const (
	Damaged      Class = "damaged"
	Incompatible Class = "incompatible"
	Advice       Class = "advice"
)

// Authority is who says that something is wrong.
type Authority string

// The authorities (docs/format.md §6.1).
const (
	Enclosure  Authority = "turn-enclosure" // the rule that every event lies inside a turn
	Invariants Authority = "dev-invariants" // relations that dsh checks in development
	Load       Authority = "load"           // validation when a log is loaded
	Surface    Authority = "surface"        // the fold of the model's history
	Box        Authority = "container"      // file, frames, lines
	Lossless   Authority = "lossless-json"  // payloads that JSON holds exactly
	Layout     Authority = "store-layout"   // where a log lies
	Upgrade    Authority = "upgrade"        // what a newer dsh takes over (docs/generations.md §4)
)

// Reaction is what dsh 0.1.1-rc.2 does about it on load.
type Reaction string

// The reactions.
const (
	Refuses Reaction = "refuses"
	Drops   Reaction = "drops"
	Repairs Reaction = "repairs"
	Accepts Reaction = "accepts"
)

// Fix is what turnfix can do about it.
type Fix string

// The levels of repair.
const (
	Safe     Fix = "safe"     // no real event is dropped, none invented beyond dsh's closers
	Assisted Fix = "assisted" // on request, by name
	Lossy    Fix = "lossy"    // events go, and the user says how many may
	NoFix    Fix = "none"
)

// Finding is one thing that is wrong with a log, at one place.
type Finding struct {
	Rule *Rule
	// Path is the file or directory that a finding about a sessions directory is
	// about; "" for the log that was checked.
	Path  string
	Place scan.Place // Line 0 means that the finding is about the file
	// Seq and Turn are those of the event, nil where there is none.
	Seq, Turn *int64
	// Class, Severity and Reader are the rule's, unless the circumstances of the
	// finding make them differ.
	Class    Class
	Severity Severity
	Reader   Reaction
	// Dialect is the rule set that makes it a finding, "" for those that do not depend on one.
	Dialect string
	// Message says what is wrong, with values but without bodies of messages. It
	// is one line of valid UTF-8 with control characters escaped.
	Message string
	// Related are other places that explain the finding, such as the start of the
	// turn that was never closed.
	Related []Related
	// Others are the other files that explain a finding about a sessions directory.
	Others []Other
	// Answers are what newer versions of dsh say that do not take the log over, or not
	// all of it, for this; none of a finding about the log as it is.
	Answers []Answer
	// Consequences counts further breaches of the same cause that are not
	// reported on their own.
	Consequences int
}

// Related is a place that helps to understand a finding.
type Related struct {
	Place   scan.Place
	Message string
}

// Answer is what versions of dsh say of a log.
type Answer struct {
	Versions []string // by the shorter one of their names
	Text     string   // as dsh prints it, without the path of the log; "" when it says nothing
}

// Other is a file or directory that helps to understand a finding.
type Other struct {
	Path    string
	Message string
}
