package report

import (
	"strings"

	"github.com/turnlint/turnlint/picture"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// story tells in some sentences what there is to see of a log.
func (pg *page) story(r *rules.Result, p *picture.Picture) []string {
	var told []string
	add := func(text string) {
		if text != "" {
			told = append(told, text)
		}
	}
	add(pg.stopStory(p))
	add(pg.forkStory(p))
	if r.Reading.Verdict != scan.Unreadable {
		add(pg.damageStory(p))
	}
	add(pg.missingStory(p))
	add(pg.closersStory(p))
	if len(told) == 0 && r.Reading.Verdict == scan.Opens {
		whole := "All of the file reads: %v in %v, in order from the first to the last."
		if p.Encoding == scan.SQLite {
			whole = "All of the session reads: %v in %v, in order from the first to the last."
		}
		add(pg.Textf(whole, pg.counted(p.Events, "event"), pg.counted(r.Turns, "turn")))
	}
	return told
}

// stopStory says where dsh stops and what it does then.
func (pg *page) stopStory(p *picture.Picture) string {
	s := p.Stop
	switch {
	case s == nil:
		return ""
	case s.Refuses && s.FileOff == 0 && s.Line == 0:
		return ""
	case s.Refuses:
		return pg.Textf("dsh stops at %v and does not open the log. It leaves the file as it is.%v", pg.stopText(p), pg.behindStory(p))
	case s.Dropped > 0:
		return pg.Textf("dsh would take %v, and all behind it, for the torn end of a crash, and cut it off: %v with %v that can be read.",
			pg.stopText(p), pg.counted(p.Size-s.FileOff, "byte"), pg.counted(s.Dropped, "complete event"))
	case s.Recovered > 0:
		return pg.Textf("The file ends in the middle of %v, as after a crash. dsh keeps the %v that can be read of it, and cuts off the rest.",
			pg.stopText(p), pg.counted(s.Recovered, "event"))
	}
	return pg.Textf("The file ends in the middle of a write, as after a crash: dsh cuts it at %v, and nothing complete goes.", pg.stopText(p))
}

// stopText names the place where dsh stops.
func (pg *page) stopText(p *picture.Picture) string {
	s := p.Stop
	of := pg.Textf("byte %v of %v", number(s.FileOff), number(p.Size))
	switch {
	case s.Line > 0 && s.Frame > 0:
		return pg.Textf("line %v (in frame %v)", number(s.Line), number(s.Frame))
	case s.Line > 0:
		return pg.Textf("line %v (%v)", number(s.Line), of)
	case s.Frame > 0:
		return pg.Textf("frame %v (%v)", number(s.Frame), of)
	}
	return of
}

// behindStory counts the events in sound parts behind the stop.
func (pg *page) behindStory(p *picture.Picture) string {
	n := int64(0)
	for i := range p.Parts {
		if part := &p.Parts[i]; part.FileOff > p.Stop.FileOff && (part.State == picture.Good || part.State == picture.Hidden) {
			n += part.Events
		}
	}
	if n == 0 || len(p.Branches) > 1 { // of branches, nothing is lost
		return ""
	}
	return pg.Textf(" %v behind that place can still be read.", pg.sentence(pg.counted(n, "event")))
}

func (pg *page) forkStory(p *picture.Picture) string {
	if len(p.Branches) < 2 {
		return ""
	}
	if n := len(p.Branches) + p.MoreBranches; n > 2 {
		return pg.Textf("The same seqs were written more than once: the log tells %v histories, which leave each other at seq %v first.", n, p.Branches[1].From)
	}
	a, b := &p.Branches[0], &p.Branches[1]
	same := pg.seqs(b.From, min(a.To, b.To))
	switch b.Writer {
	case picture.SecondWriter:
		return pg.Textf("Two writers went on from the same place: %v each occur twice, with different events. Both branches are on disk.", same)
	case picture.Repeater:
		return pg.Textf("%v were written twice.", pg.sentence(same))
	}
	return pg.Textf("%v were written twice. What came second: %v.", pg.sentence(same), pg.Text(b.Writer.String()))
}

// seqs names the events [from, to).
func (pg *page) seqs(from, to int64) string {
	if to == from+1 {
		return pg.Textf("seq %v", from)
	}
	return pg.Textf("seq %v–%v", from, to-1)
}

// damageStory says what bytes are damaged, and where a bit turned over.
func (pg *page) damageStory(p *picture.Picture) string {
	var bad []string
	for i := range p.Parts {
		part := &p.Parts[i]
		if part.State != picture.Damaged && part.State != picture.Foreign {
			continue
		}
		name := pg.Textf("%v at byte %v", pg.counted(part.Len, "byte"), number(part.FileOff))
		if part.First > 0 {
			name = pg.unitText(p, part)
		}
		bad = append(bad, pg.withCause(name, part))
	}
	if flips := pg.flipStory(p); flips != "" {
		return flips
	}
	const few = 3
	switch {
	case len(bad) == 0 || p.Stop == nil:
		return ""
	case len(bad) > few:
		return pg.Textf("%v are damaged: %v, and so on.", pg.counted(int64(len(bad)), "place"), strings.Join(bad[:few], pg.Text(", ")))
	}
	return pg.Textf("Damaged: %v.", strings.Join(bad, pg.Text(", ")))
}

// flipStory says which bits turned over.
func (pg *page) flipStory(p *picture.Picture) string {
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
		return pg.Textf("One bit has turned over, in byte %v. Turned back, it makes the frame whole again.", at[0])
	}
	return pg.Textf("%v bits have turned over, in the bytes %v. Turned back, they make the frames whole again.", len(at), strings.Join(at, pg.Text(", ")))
}

func (pg *page) missingStory(p *picture.Picture) string {
	var gaps []string
	n := int64(0)
	for i := range p.Branches {
		for _, g := range p.Branches[i].Gaps {
			n += g.To - g.From
			gaps = append(gaps, pg.seqs(g.From, g.To))
		}
	}
	const few = 3
	switch {
	case n == 0:
		return ""
	case len(gaps) > few:
		return pg.Textf("Of the sequence, %v are missing, in %v gaps.", pg.counted(n, "event"), len(gaps))
	case n == 1:
		return pg.Textf("Of the sequence, 1 event is missing: %v.", gaps[0])
	}
	return pg.Textf("Of the sequence, %v are missing: %v.", pg.counted(n, "event"), strings.Join(gaps, pg.Text(", ")))
}

func (pg *page) closersStory(p *picture.Picture) string {
	if len(p.Closers) == 0 {
		return ""
	}
	types := make([]string, len(p.Closers))
	for i, c := range p.Closers {
		types[i] = c.Type
	}
	return pg.Textf("The last turn is still open: dsh closes it on load with %v (%v).", pg.counted(int64(len(p.Closers)), "event"), shown(strings.Join(types, ", ")))
}
