// Package rules says what is wrong with a session log: it turns the records of
// a log, and what dsh's reader makes of them, into findings.
package rules

import "github.com/turnlint/turnlint/session"

// Rule is one thing that turnlint looks for. Rules are values; [All] lists them.
type Rule struct {
	ID   string // "TL" and three digits, never reused
	Name string // kebab case
	// Summary is one sentence, lower case, without a full stop.
	Summary string

	Class     Class
	Severity  Severity
	Authority Authority
	Reader    Reaction
	Fix       Fix

	// Doc is the rule's page in Markdown: what it means, how it happens, what dsh
	// does, what to do, what turnfix does.
	Doc string

	// Remedy says how to mend a log that newer versions of dsh do not take over, or
	// why it cannot be mended; "" of rules about the log as it is.
	Remedy string
	// refusals are what the words of those versions have in common where the rule is
	// about them.
	refusals []string

	// tail says that dsh tolerates the defect where no turn/end follows in the
	// text that it reads (docs/format.md §3.4). The findings are then milder.
	tail bool

	on phase
	// of are the types of the events that a rule of onEvent is about; of all, and of
	// packed rows, when there are none.
	of    []session.Type
	check func(*pass)

	// What rules about sessions directories have instead: checkDir is asked about
	// every directory, checkStore at the end.
	checkDir, checkStore func(*storePass)
	// checkDatabase is what rules about session databases have instead or as well.
	checkDatabase func(*databasePass)
	// judge is asked about a log whose sessions directory is known, when all else
	// about it is; see [StoreResult.Judge].
	judge func(*judgement)
}

// phase is the moment at which the engine asks a rule. What the rule finds in
// the pass depends on it.
type phase uint8

const (
	onHeader   phase = iota // the first record
	onLine                  // a record that is no event: the pass has no event
	onEvent                 // an event or a packed row
	onDisorder              // an event or a row whose seq is not the one that is due
	onConflict              // an event that does not go with earlier ones: a clash of dialects, a flaw of compaction
	onText                  // a record whose JSON text has features
	onFault                 // a fault of the load: pass.fault
	onBreach                // a broken relation of turns, steps and calls: pass.breach
	onFrame                 // a complete frame that does not decode: pass.frame
	onEnd                   // behind the last record: pass.reading
	numPhases
)
