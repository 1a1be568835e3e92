package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/turnlint/turnlint/internal/jsjson"
)

const (
	// maxFindings bounds the findings of one rule in one log, so that a log made
	// for it cannot fill the memory. One more says how many are left out.
	maxFindings = 100
	// maxMessage bounds the bytes of a message: longer ones hold a name or a value
	// that nobody wants to read to its end.
	maxMessage = 160
	// maxRelated bounds the related places of one finding.
	maxRelated = 20
)

// entry is a finding and the last frame that it depends on: if that frame turns
// out not to decode, the finding was made from bytes that mean nothing.
type entry struct {
	Finding
	lastFrame int
}

// collector gathers the findings of one log.
type collector struct {
	entries []*entry
	tallies map[*Rule]*tally
	marked  int   // entries before the current frame
	ignored entry // takes what a rule does to a finding over the limit
}

// tally counts the findings of one rule.
type tally struct {
	kept  int
	first *entry
	rest  *entry // the first finding over the limit
	more  int    // findings over the limit
}

// add keeps a finding, unless its rule has too many already. The result may be
// changed until the end of the log.
func (c *collector) add(f Finding, lastFrame int) *Finding {
	f.Message = oneLine(f.Message)
	t := c.tallies[f.Rule]
	if t == nil {
		t = &tally{}
		c.tallies[f.Rule] = t
	}
	if t.kept == maxFindings {
		if t.more++; t.rest == nil {
			t.rest = &entry{f, lastFrame}
		}
		c.ignored = entry{}
		return &c.ignored.Finding
	}
	e := &entry{f, lastFrame}
	if t.kept++; t.first == nil {
		t.first = e
	}
	c.entries = append(c.entries, e)
	return &e.Finding
}

// move gives a finding to another rule, whose limit holds for it from now on.
func (c *collector) move(f *Finding, rule *Rule) *Finding {
	i := slices.IndexFunc(c.entries, func(e *entry) bool { return &e.Finding == f })
	if i < 0 {
		return f // over the limit, and counted
	}
	e := c.entries[i]
	c.entries = slices.Delete(c.entries, i, i+1)
	if i < c.marked {
		c.marked--
	}
	c.release(e)
	e.Rule, e.Class, e.Severity, e.Reader = rule, rule.Class, rule.Severity, rule.Reader
	return c.add(e.Finding, e.lastFrame)
}

// release takes a finding off the count of its rule.
func (c *collector) release(e *entry) {
	t := c.tallies[e.Rule]
	if t.kept--; t.first == e {
		t.first = nil
	}
}

// mark notes that findings from the text of a new frame may follow.
func (c *collector) mark() { c.marked = len(c.entries) }

// dropFrame forgets the findings from the text of the frame that mark began.
func (c *collector) dropFrame(number int) {
	kept := c.entries[:c.marked]
	for _, e := range c.entries[c.marked:] {
		if e.lastFrame != number {
			kept = append(kept, e)
			continue
		}
		c.release(e)
	}
	c.entries = kept
	for _, t := range c.tallies {
		if t.rest != nil && t.rest.lastFrame == number {
			t.rest, t.more = nil, 0
		}
	}
}

// first returns the first finding of a rule, or nil.
func (c *collector) first(rule *Rule) *Finding {
	if t := c.tallies[rule]; t != nil && t.first != nil {
		return &t.first.Finding
	}
	return nil
}

// keep drops the findings of all other rules.
func (c *collector) keep(only ...*Rule) {
	c.entries = slices.DeleteFunc(c.entries, func(e *entry) bool { return !slices.Contains(only, e.Rule) })
}

// all returns the findings, with those that are not listed summed up at the end.
func (c *collector) all() []Finding {
	for _, t := range c.tallies {
		if t.rest != nil {
			t.rest.Message = fmt.Sprintf("%d more of these from here on are not listed", t.more)
			t.rest.Related, t.rest.Others = nil, nil
			c.entries = append(c.entries, t.rest)
		}
	}
	findings := make([]Finding, len(c.entries))
	for i, e := range c.entries {
		findings[i] = e.Finding
	}
	return findings
}

// sorted returns the findings by place, then by rule.
func (c *collector) sorted() []Finding {
	findings := c.all()
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Place.PlainOff, b.Place.PlainOff),
			cmp.Compare(a.Place.FileOff, b.Place.FileOff),
			cmp.Compare(a.Place.Line, b.Place.Line),
			cmp.Compare(a.Rule.ID, b.Rule.ID))
	})
	return findings
}

// relate adds a place that explains the finding.
func (f *Finding) relate(r Related) {
	if len(f.Related) < maxRelated {
		r.Message = oneLine(r.Message)
		f.Related = append(f.Related, r)
	}
}

// relateFile adds another file that explains the finding.
func (f *Finding) relateFile(path, message string) {
	if len(f.Others) < maxRelated {
		f.Others = append(f.Others, Other{path, oneLine(message)})
	}
}

// oneLine escapes what could disturb a terminal or a parser, and cuts what is
// too long.
func oneLine(s string) string {
	s = jsjson.ToValidUTF8(s)
	if strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		quoted := strconv.Quote(s)
		s = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(quoted[1 : len(quoted)-1])
	}
	if len(s) <= maxMessage {
		return s
	}
	cut := maxMessage - len("…")
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// atLine reports whether there is an error about a line.
func (c *collector) atLine(line int) bool {
	return slices.ContainsFunc(c.entries, func(e *entry) bool { return e.Place.Line == line && e.Severity == Error })
}
