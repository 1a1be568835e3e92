package rules

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// EventReference reports that an event refers to another that is not there or
// not of the right type.
var EventReference = &Rule{
	ID:        "TL706",
	Name:      "event-reference",
	Summary:   "an event refers to events that are not what they must be",
	Class:     Advice,
	Severity:  Warning,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("event-reference"),
	on:        onEvent,
	of:        []session.Type{session.CommandDone, session.SessionTitle, session.SessionTitleRequest, session.CompactionSummary, session.CompactionPrune},
	check:     checkEventReference,
}

func checkEventReference(p *pass) {
	if !p.judgesBrackets() || p.projection != nil { // whose references are to the session that it was made of
		return
	}
	flaw := ""
	switch e := p.event; e.Kind {
	case session.CommandDone:
		flaw = p.sourceFlaw()
	case session.SessionTitle:
		flaw = p.messagesFlaw("messageSeqs")
		byUser := e.Field("source").Get("kind").EqualText("user")
		if seqs := e.Field("messageSeqs"); flaw == "" && seqs.Kind == jsjson.Array && byUser != (seqs.Len() == 0) {
			flaw = "messageSeqs is to be empty for a title of the user, and only then"
		}
	case session.SessionTitleRequest:
		flaw = p.messagesFlaw("messageSeqs")
	case session.CompactionSummary, session.CompactionPrune:
		if flaw = p.messagesFlaw("shadowedSeqs"); flaw == "" {
			flaw = rangeFlaw(e)
		}
	}
	if flaw != "" {
		p.report("%s: %s", p.event.Kind, flaw)
	}
}

// sourceFlaw checks the event that a command made.
func (p *pass) sourceFlaw() string {
	source, ok := p.event.Field("sourceEventSeq").SafeInt()
	if !ok {
		return ""
	}
	if own, _ := p.record.Seq(); source >= own {
		return fmt.Sprintf("sourceEventSeq %d is no earlier event", source)
	}
	if !p.event.Field("kind").EqualText("success") {
		return fmt.Sprintf("sourceEventSeq %d of a command that failed", source)
	}
	return ""
}

// messagesFlaw checks seqs that are to be those of earlier messages.
func (p *pass) messagesFlaw(key string) string {
	own, _ := p.record.Seq()
	for v := range p.event.Field(key).Elements() {
		seq, ok := v.SafeInt()
		if !ok {
			continue
		}
		if seq >= own || seq < 0 {
			return fmt.Sprintf("%s names %d, which is no earlier event", key, seq)
		}
		if p.types.isOther(seq) {
			return fmt.Sprintf("%s names %d, which is no message", key, seq)
		}
	}
	return ""
}

// rangeFlaw checks that the range of a compaction is that of its seqs.
func rangeFlaw(e *session.Event) string {
	var first, last jsjson.Value
	for v := range e.Field("shadowedSeqs").Elements() {
		if !first.Exists() {
			first = v
		}
		last = v
	}
	span := e.Field("shadowedRange")
	if first.Exists() && !(jsjson.StrictEqual(first, span.Get("start")) && jsjson.StrictEqual(last, span.Get("end"))) {
		return "shadowedRange is not from the first to the last of shadowedSeqs"
	}
	return ""
}

// recentTypes tells which of the last events are no messages, by seq.
type recentTypes struct {
	others [maxTypes / 64]uint64 // a bit for each event before run
	from   int64                 // the first that is known
	run    int64                 // the first of those up to next that are alike
	next   int64
	other  bool // those from run on are no messages
}

// maxTypes is how many events back a reference can be followed. Titles name the
// first messages of a log, so that this is generous.
const maxTypes = 1 << 16

// add takes so many events of a type from seq on. A break of the sequence makes
// everything before it unknown.
func (t *recentTypes) add(seq, count int64, kind session.Type) {
	// An unknown type may have been a message of an earlier build.
	other := kind != session.Unknown && !kind.Surface()
	if seq != t.next {
		t.from, t.run, t.next = seq, seq, seq
	}
	if other != t.other {
		t.settle()
		t.other = other
	}
	t.next += count
}

// settle sets the bits of the events from run on.
func (t *recentTypes) settle() {
	for s := max(t.run, t.next-maxTypes); s < t.next; {
		bit := s % 64
		n := min(64-bit, t.next-s)
		events := (uint64(1)<<n - 1) << bit
		word := &t.others[s%maxTypes/64]
		if *word &^= events; t.other {
			*word |= events
		}
		s += n
	}
	t.run = t.next
}

// isOther reports whether the event seq is known to be no message.
func (t *recentTypes) isOther(seq int64) bool {
	switch {
	case seq < max(t.from, t.next-maxTypes) || seq >= t.next:
		return false
	case seq >= t.run:
		return t.other
	}
	return t.others[seq%maxTypes/64]>>(seq%64)&1 == 1
}
