package scan

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// Stage is one of the passes that dsh makes over the events that the scan
// accepted. The first pass that fails, at its first event, is what dsh reports
// (docs/format.md §4.6).
type Stage uint8

// The passes in their order.
const (
	RetiredDelta    Stage = iota // retired type request/header-delta
	RetiredMode                  // retired type mode/set
	RetiredFallback              // retired reason of a request/header
	Normalise                    // legacy shapes, message shapes
	UnknownType                  // a type that is neither known nor ignorable
	Closing                      // the pass that finds the closers, and their own check
	HeaderFields                 // fields of the header that only the constructor checks
	Build                        // envelope, request header, surface
	passed
)

// Fault is a reason for which dsh refuses a log after a clean scan.
type Fault struct {
	Stage  Stage
	Reason Reason
	// Name of the JavaScript error: Error or TypeError.
	Name string
	// Text is dsh's message, before it is wrapped or located.
	Text string
	// Legacy says that the event has a shape of an earlier writer that no
	// migration takes, so that the log is old rather than damaged.
	Legacy bool
}

// loader runs all passes at once over the stream of events. It finds the faults
// of every event, of which dsh reports one.
type loader struct {
	id    string // of the session, as messages print it
	hdr   *session.Header
	count int64 // events so far
	first *Fault
	now   []Fault // of the last event
	// normal is the last event in today's shape, nil when it has a fault in
	// Normalise or is a row.
	normal *session.Event

	norm    normaliser
	closers session.Closers
	surface surface
	digest  *digest
}

func newLoader(digests bool) *loader {
	l := &loader{}
	if digests {
		l.digest = newDigest()
		l.norm.ids = new(messageIDs)
	}
	return l
}

func (l *loader) header(h *session.Header) {
	l.hdr = h
	l.id = jsjson.ToValidUTF8(h.ID)
	l.norm.session = h.ID
}

func (l *loader) fault(f Fault) {
	l.now = append(l.now, f)
	if l.first == nil || f.Stage < l.first.Stage {
		l.first = &f
	}
}

// add takes a record that the scan accepted.
func (l *loader) add(r *Record) {
	l.now, l.normal = l.now[:0], nil
	if r.Kind == Row {
		l.count += int64(r.Row.Count)
		l.closers.Chunks(&r.Row)
		l.digest.add(r)
		return
	}
	l.event(&r.Event)
	l.count++
}

// plain is noted of the skeleton of events whose type and members say that only the
// pass that finds the closers has to look at them.
var plain = jsjson.NewNote()

func (l *loader) event(e *session.Event) {
	if plain.Of(e.Skeleton()) > 0 {
		l.normal = e
		l.close(e)
		l.digest.addEvent(e)
		return
	}
	l.any(e)
	if len(l.now) == 0 && isPlain(e) {
		plain.Set(e.Skeleton(), 1)
	}
}

// isPlain reports whether the faults of an event, and what is kept of it, depend on its
// members alone and not on what strings and numbers they hold.
func isPlain(e *session.Event) bool {
	switch e.Kind {
	case session.Unknown, session.TurnStart, session.TurnEnd, session.RequestHeader:
		return false
	}
	return !e.Kind.Surface() && !e.Message().ID.Exists()
}

// any takes an event of which nothing is known.
func (l *loader) any(e *session.Event) {
	l.retired(e)
	normal, fault := l.norm.event(e, l.count)
	if fault.Text != "" {
		l.fault(fault)
		l.closers.Event(e)
		return
	}
	l.normal = normal
	if normal.Kind == session.Unknown && normal.Ignorable.Kind != jsjson.True {
		l.fault(Fault{Stage: UnknownType, Reason: ReasonUnknownType, Text: unknownType(l.id, normal, l.count)})
	}
	l.close(normal)
	if reason, message := l.build(normal); message != "" {
		l.fault(Fault{Stage: Build, Reason: reason, Name: "Error", Text: message})
	}
	l.digest.addEvent(normal)
}

// close takes an event for the closers.
func (l *loader) close(e *session.Event) {
	if crash := l.closers.Event(e); crash != "" {
		l.fault(Fault{Stage: Closing, Reason: ReasonCrash, Name: "TypeError", Text: crash})
	}
}

// retired looks for vocabulary that dsh has given up (docs/format.md §4.1).
func (l *loader) retired(e *session.Event) {
	found := func(s Stage, what string) {
		l.fault(Fault{
			Stage: s, Reason: ReasonRetired, Name: "Error", Legacy: true,
			Text: fmt.Sprintf("session \"%s\" contains unsupported legacy %s at seq %d", l.id, what, l.count),
		})
	}
	switch {
	case e.Kind == session.RequestHeader:
		if e.Data.Kind == jsjson.Null || !e.Data.Exists() {
			l.fault(Fault{
				Stage: RetiredFallback, Reason: ReasonCrash, Name: "TypeError",
				Text: fmt.Sprintf("Cannot read properties of %s (reading 'reason')", e.Data.JSString()),
			})
		} else if e.Field("reason").EqualText("fallback") {
			found(RetiredFallback, `request/header reason "fallback"`)
		}
	case e.Kind != session.Unknown:
	case e.Type.EqualText("request/header-delta"):
		found(RetiredDelta, "request/header-delta event")
	case e.Type.EqualText("mode/set"):
		found(RetiredMode, "mode/set event")
	}
}

// finish closes the log and returns the closers. The faults of the end stay in
// l.now.
func (l *loader) finish() (closers [][]byte) {
	l.now = l.now[:0]
	if message := l.closers.Refused(); message != "" {
		l.fault(Fault{Stage: Closing, Reason: ReasonCloser, Name: "Error", Text: message})
	}
	if message := l.hdr.CheckBuild(); message != "" {
		l.fault(Fault{Stage: HeaderFields, Reason: ReasonHeader, Name: "Error", Text: jsjson.ToValidUTF8(message)})
	}
	if l.first != nil {
		return nil
	}
	return l.closers.Append(nil)
}

// result returns what the load gives. path is that of the log, "" for none.
func (l *loader) result(path string) (res LoadResult, closers [][]byte) {
	closers = l.finish()
	res.Faults = l.now
	if l.first != nil {
		res.Refusal = l.refusal(path)
		return res, nil
	}
	for _, text := range closers {
		l.digest.addText(text)
	}
	res.Events = l.count + int64(len(closers))
	res.Digest = l.digest.sum()
	return res, closers
}

// refusal is what dsh prints of the first fault.
func (l *loader) refusal(path string) *session.Refusal {
	if l.first.Stage == UnknownType {
		return locate(&session.Refusal{Class: session.ClassUnsupported, Text: l.first.Text}, path)
	}
	return &session.Refusal{
		Class: session.ClassCorruption,
		Text:  fmt.Sprintf("stored session \"%s\" failed validation: %s: %s", l.id, l.first.Name, l.first.Text),
	}
}
