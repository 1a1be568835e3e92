package report

import (
	"fmt"
	"strings"

	"github.com/turnlint/turnlint/picture"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// story tells in some sentences what there is to see of a log.
func story(r *rules.Result, p *picture.Picture) []string {
	var told []string
	add := func(text string) {
		if text != "" {
			told = append(told, text)
		}
	}
	add(stopStory(p))
	add(forkStory(p))
	if r.Reading.Verdict != scan.Unreadable {
		add(damageStory(p))
	}
	add(missingStory(p))
	add(closersStory(p))
	if len(told) == 0 && r.Reading.Verdict == scan.Opens {
		add(fmt.Sprintf("All of the file reads: %s in %s, in order from the first to the last.",
			counted(p.Events, "event"), counted(r.Turns, "turn")))
	}
	return told
}

// stopStory says where dsh stops and what it does then.
func stopStory(p *picture.Picture) string {
	s := p.Stop
	switch {
	case s == nil:
		return ""
	case s.Refuses && s.FileOff == 0 && s.Line == 0:
		return ""
	case s.Refuses:
		return fmt.Sprintf("dsh stops at %s and does not open the log. It leaves the file as it is.%s", stopText(p), behindStory(p))
	case s.Dropped > 0:
		return fmt.Sprintf("dsh would take %s, and all behind it, for the torn end of a crash, and cut it off: %s with %s that can be read.",
			stopText(p), counted(p.Size-s.FileOff, "byte"), counted(s.Dropped, "complete event"))
	case s.Recovered > 0:
		return fmt.Sprintf("The file ends in the middle of %s, as after a crash. dsh keeps the %s that can be read of it, and cuts off the rest.",
			stopText(p), counted(s.Recovered, "event"))
	}
	return fmt.Sprintf("The file ends in the middle of a write, as after a crash: dsh cuts it at %s, and nothing complete goes.", stopText(p))
}

// stopText names the place where dsh stops.
func stopText(p *picture.Picture) string {
	s := p.Stop
	of := fmt.Sprintf("byte %s of %s", number(s.FileOff), number(p.Size))
	switch {
	case s.Line > 0 && s.Frame > 0:
		return fmt.Sprintf("line %s (in frame %s)", number(s.Line), number(s.Frame))
	case s.Line > 0:
		return fmt.Sprintf("line %s (%s)", number(s.Line), of)
	case s.Frame > 0:
		return fmt.Sprintf("frame %s (%s)", number(s.Frame), of)
	}
	return of
}

// behindStory counts the events in sound parts behind the stop.
func behindStory(p *picture.Picture) string {
	n := int64(0)
	for i := range p.Parts {
		if part := &p.Parts[i]; part.FileOff > p.Stop.FileOff && (part.State == picture.Good || part.State == picture.Hidden) {
			n += part.Events
		}
	}
	if n == 0 || len(p.Branches) > 1 { // of branches, nothing is lost
		return ""
	}
	return fmt.Sprintf(" %s behind that place can still be read.", sentence(counted(n, "event")))
}

func forkStory(p *picture.Picture) string {
	if len(p.Branches) < 2 {
		return ""
	}
	if n := len(p.Branches) + p.MoreBranches; n > 2 {
		return fmt.Sprintf("The same seqs were written more than once: the log tells %d histories, which leave each other at seq %d first.", n, p.Branches[1].From)
	}
	a, b := &p.Branches[0], &p.Branches[1]
	same := seqs(b.From, min(a.To, b.To))
	switch b.Writer {
	case picture.SecondWriter:
		return fmt.Sprintf("Two writers went on from the same place: %s each occur twice, with different events. Both branches are on disk.", same)
	case picture.Repeater:
		return fmt.Sprintf("%s were written twice.", sentence(same))
	}
	return fmt.Sprintf("%s were written twice. What came second: %s.", sentence(same), b.Writer.String())
}

// seqs names the events [from, to).
func seqs(from, to int64) string {
	if to == from+1 {
		return fmt.Sprintf("seq %d", from)
	}
	return fmt.Sprintf("seq %d–%d", from, to-1)
}

// damageStory says what bytes are damaged, and where a bit turned over.
func damageStory(p *picture.Picture) string {
	var bad []string
	for i := range p.Parts {
		part := &p.Parts[i]
		if part.State != picture.Damaged && part.State != picture.Foreign {
			continue
		}
		name := fmt.Sprintf("%s at byte %s", counted(part.Len, "byte"), number(part.FileOff))
		if part.First > 0 {
			name = unitText(p, part)
		}
		if part.Cause != "" {
			name += " (" + part.Cause + ")"
		}
		bad = append(bad, name)
	}
	if flips := flipStory(p); flips != "" {
		return flips
	}
	const few = 3
	switch {
	case len(bad) == 0 || p.Stop == nil:
		return ""
	case len(bad) > few:
		return fmt.Sprintf("%s are damaged: %s, and so on.", counted(len(bad), "place"), strings.Join(bad[:few], ", "))
	}
	return fmt.Sprintf("Damaged: %s.", strings.Join(bad, ", "))
}

// flipStory says which bits turned over.
func flipStory(p *picture.Picture) string {
	var at []string
	for i := range p.Places {
		if flip := p.Places[i].Flip; flip != nil {
			at = append(at, number(flip.FileOff))
		}
	}
	switch len(at) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("One bit has turned over, in byte %s. Turned back, it makes the frame whole again.", at[0])
	}
	return fmt.Sprintf("%d bits have turned over, in the bytes %s. Turned back, they make the frames whole again.", len(at), strings.Join(at, ", "))
}

func missingStory(p *picture.Picture) string {
	var gaps []string
	n := int64(0)
	for i := range p.Branches {
		for _, g := range p.Branches[i].Gaps {
			n += g.To - g.From
			gaps = append(gaps, seqs(g.From, g.To))
		}
	}
	const few = 3
	switch {
	case n == 0:
		return ""
	case len(gaps) > few:
		return fmt.Sprintf("Of the sequence, %s are missing, in %d gaps.", counted(n, "event"), len(gaps))
	case n == 1:
		return fmt.Sprintf("Of the sequence, 1 event is missing: %s.", gaps[0])
	}
	return fmt.Sprintf("Of the sequence, %s are missing: %s.", counted(n, "event"), strings.Join(gaps, ", "))
}

func closersStory(p *picture.Picture) string {
	if len(p.Closers) == 0 {
		return ""
	}
	types := make([]string, len(p.Closers))
	for i, c := range p.Closers {
		types[i] = c.Type
	}
	return fmt.Sprintf("The last turn is still open: dsh closes it on load with %s (%s).", counted(len(p.Closers), "event"), shown(strings.Join(types, ", ")))
}
