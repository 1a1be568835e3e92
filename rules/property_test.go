package rules_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

func checkText(t *rapid.T, lines []string) *rules.Result {
	text := strings.Join(lines, "")
	r, err := rules.Check(strings.NewReader(text), int64(len(text)), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLegalLogsOfEveryDialectHaveNoFinding(t *testing.T) {
	for _, d := range allDialects {
		t.Run(d.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				lines := legalLog(t, d)
				r := checkText(t, lines)
				found := r.Findings
				if !d.opens { // dsh refuses the header, and that is all
					if len(found) == 0 || found[0].Place.Line != 1 {
						t.Fatalf("the header is accepted")
					}
					found = found[1:]
				} else if r.Reading.Verdict != scan.Opens {
					t.Fatalf("verdict %s: %v", r.Reading.Verdict, r.Reading.Refusal())
				}
				if len(found) > 0 {
					t.Fatalf("%s\n%s", listing(r), strings.Join(lines, ""))
				}
			})
		})
	}
}

func TestLegalLogsAreLegalAsProjections(t *testing.T) {
	for _, d := range allDialects {
		if !d.opens {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				lines := legalLog(t, d)
				for i := range lines[1:] {
					lines[i+1] = positionMembers.ReplaceAllString(lines[i+1], "")
				}
				if r := checkText(t, lines); !r.Projection || len(r.Findings) > 0 {
					t.Fatalf("projection %t\n%s\n%s", r.Projection, listing(r), strings.Join(lines, ""))
				}
			})
		})
	}
}

var positionMembers = regexp.MustCompile(`"(seq|time)0?":\d+,`)

// TestLogGoesThroughAllDialects resumes a log again and again, each time with a
// later build, so that one file has the events of several dialects.
func TestLogGoesThroughAllDialects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := &author{T: t, dialect: allDialects[3], time: allDialects[3].start}
		a.lines = []string{`{"type":"session","id":"s",` + today + "}\n"}
		for _, d := range allDialects[3:] {
			a.dialect, a.time = d, d.start
			for range a.upTo("turns", 0, 2) {
				a.wholeTurn()
				a.between()
			}
		}
		if r := checkText(t, a.lines); r.Reading.Verdict != scan.Opens || len(r.Findings) > 0 {
			t.Fatalf("verdict %s\n%s\n%s", r.Reading.Verdict, listing(r), strings.Join(a.lines, ""))
		}
	})
}

// illegal is an edit that breaks one rule at the line on which it is made.
type illegal struct {
	name string
	rule *rules.Rule
	// on is what the line to edit contains, and before what the next one does.
	on, before string
	// edit returns what stands in place of the line.
	edit func(line string) string
	// after is how many lines behind the edited one the finding is.
	after int
	// renumber says that the seqs are made to fit again.
	renumber bool
}

// substitute is an edit that replaces a text in the line.
func substitute(old, with string) func(string) string {
	return func(line string) string { return strings.Replace(line, old, with, 1) }
}

func drop(string) string { return "" }

var illegalEdits = []illegal{
	{name: "a turn/start is dropped", rule: rules.SeqGap, on: `"turn/start"`, edit: drop},
	{name: "a turn/end is dropped", rule: rules.SeqGap, on: `"turn/end"`, before: `"type"`, edit: drop},
	{name: "a turn/end was never written", rule: rules.TurnNested, on: `"turn/end"`, before: `"turn/start"`, edit: drop, renumber: true},
	{name: "a turn ends twice", rule: rules.TurnEndUnmatched, on: `"turn/end"`, edit: func(line string) string { return line + line }, after: 1, renumber: true},
	{name: "an event of the core is outside", rule: rules.EventOutsideTurn, on: `"turn/end"`, edit: func(line string) string { return line + looseTodo }, after: 1, renumber: true},
	{name: "a step/start was never written", rule: rules.EventMisplaced, on: `"step/start"`, edit: drop, renumber: true},
	{name: "a step/end was never written", rule: rules.TurnEndInStep, on: `"step/end"`, before: `"turn/end"`, edit: drop, renumber: true},
	{name: "a step starts inside another", rule: rules.StepOrder, on: `"step/end"`, before: `"step/start"`, edit: drop, renumber: true},
	{name: "a call was never recorded", rule: rules.ResultWithoutCall, on: `"tool/call"`, edit: drop, renumber: true},
	{name: "a call was never answered", rule: rules.CallWithoutResult, on: `"tool/result"`, edit: drop, after: -1, renumber: true},
	{name: "a message has no id", rule: rules.MessageShape, on: `:{"id":"m`, edit: func(line string) string { return messageID.ReplaceAllString(line, "") }},
	{name: "an event is lost", rule: rules.SeqGap, on: `"step/start"`, edit: drop},
	{name: "a line stands twice", rule: rules.SeqRepeat, on: `"seq"`, edit: func(line string) string { return line + line }, after: 1},
	{name: "a turn has another number", rule: rules.TurnNumber, on: `"turn/start"`, edit: substitute(`"turn":`, `"turn":7`), renumber: true},
	{name: "a step has another number", rule: rules.StepOrder, on: `"step/start"`, edit: substitute(`"step":`, `"step":7`)},
	{name: "a type is unknown", rule: rules.UnknownType, on: `"user/message"`, edit: substitute("user/message", "user/massage")},
	{name: "a message lost its surfaceOp", rule: rules.SurfaceMarker, on: `"surfaceOp":"append"`, edit: substitute(`,"surfaceOp":"append"`, "")},
	{name: "a source is in the future", rule: rules.SurfaceSources, on: `"sourceEventSeqs":[`, edit: substitute(`"sourceEventSeqs":[`, `"sourceEventSeqs":[9999,`)},
	{name: "an envelope has another key", rule: rules.Envelope, on: `"step/end"`, edit: substitute(`"data"`, `"x":1,"data"`)},
	{name: "a time is no integer", rule: rules.Envelope, on: `"step/end"`, edit: substitute(`,"data"`, `.5,"data"`)},
	{name: "a seq is text", rule: rules.SeqMissing, on: `"step/end"`, edit: func(line string) string { return seqNumber.ReplaceAllString(line, `"seq":"$1"`) }},
	{name: "a number is -0", rule: rules.NegativeZero, on: `"step/end"`, edit: substitute(`}}`, `,"x":-0}}`)},
	{name: "a number is beyond doubles", rule: rules.NumberOverflow, on: `"step/end"`, edit: substitute(`}}`, `,"x":1e400}}`)},
	{name: "a number is below doubles", rule: rules.NumberUnderflow, on: `"step/end"`, edit: substitute(`}}`, `,"x":1e-400}}`)},
	{name: "a number loses digits", rule: rules.ImpreciseNumber, on: `"step/end"`, edit: substitute(`}}`, `,"x":9007199254740993}}`)},
	{name: "a key stands twice", rule: rules.DuplicateKey, on: `"step/end"`, edit: substitute(`}}`, `,"step":1}}`)},
	{name: "a surrogate is alone", rule: rules.LoneSurrogate, on: `"text":`, edit: substitute(`"text":"`, `"text":"\ud800`)},
	{name: "bytes are not UTF-8", rule: rules.InvalidUTF8, on: `"text":`, edit: substitute(`"text":"`, "\"text\":\"\xff")},
	{name: "there is a NUL in a line", rule: rules.NulRun, on: `"step/end"`, edit: substitute(`"data"`, "\x00\"data\"")},
	{name: "there is a byte order mark", rule: rules.ByteOrderMark, on: `"step/end"`, edit: func(line string) string { return "\uFEFF" + line }},
	{name: "a line is cut", rule: rules.UndecodableLine, on: `"step/end"`, edit: func(line string) string { return line[:len(line)/2] + "\n" }},
	{name: "two lines are glued", rule: rules.GluedRecords, on: `"step/end"`, edit: substitute("\n", "")},
	{name: "a line is empty", rule: rules.BlankLine, on: `"step/end"`, edit: func(line string) string { return "\n" + line }},
	{name: "a line is null", rule: rules.NullLine, on: `"step/end"`, edit: func(line string) string { return "null\n" + line }},
	{name: "a number is NaN", rule: rules.NonFiniteLiteral, on: `"step/end"`, edit: substitute(`}}`, `,"x":NaN}}`)},
	{name: "a row has a delta too many", rule: rules.MalformedRow, on: `"dt":[1`, edit: substitute(`"dt":[`, `"dt":[1,`)},
	{name: "the reason of a turn is unknown", rule: rules.TurnEndData, on: `"turn/end"`, edit: substitute(`"reason":{"kind"`, `"reason":{"king"`)},
}

var (
	seqNumber = regexp.MustCompile(`"seq":(\d+)`)
	messageID = regexp.MustCompile(`"id":"m\d+",`)
)

// candidates returns the indexes of the lines that can be edited.
func (e *illegal) candidates(lines []string) (at []int) {
	for i, line := range lines[1:] {
		next := ""
		if i+2 < len(lines) {
			next = lines[i+2]
		}
		if strings.Contains(line, e.on) && strings.Contains(next, e.before) {
			at = append(at, i+1)
		}
	}
	return at
}

// apply edits the line with the given index and returns the number of the line
// where something is to be found.
func (e *illegal) apply(lines []string, at int) (text string, line int) {
	edited := slices.Clone(lines)
	edited[at] = e.edit(lines[at])
	text = strings.Join(edited, "")
	if e.renumber {
		text = renumbered(text)
	}
	return text, at + 1 + e.after
}

// renumbered gives the events of a log the seqs from 0 on again. What they say of
// other seqs stays.
func renumbered(text string) string {
	var all strings.Builder
	seq := 0
	for line := range strings.Lines(text) {
		all.WriteString(lineSeq.ReplaceAllStringFunc(line, func(member string) string {
			key, _, _ := strings.Cut(member, ":")
			return fmt.Sprintf("%s:%d", key, seq)
		}))
		switch _, texts, isRow := strings.Cut(line, `"texts":`); {
		case isRow:
			seq += strings.Count(texts, ",") + 1
		case lineSeq.MatchString(line):
			seq++
		}
	}
	return all.String()
}

var lineSeq = regexp.MustCompile(`"seq0?":\d+`)

func TestOneIllegalEditFiresItsRule(t *testing.T) {
	for _, edit := range illegalEdits {
		t.Run(edit.name, func(t *testing.T) {
			applied := 0
			rapid.Check(t, func(t *rapid.T) {
				lines := legalLog(t, rapid.SampledFrom(allDialects[3:]).Draw(t, "dialect"))
				candidates := edit.candidates(lines)
				if len(candidates) == 0 {
					return
				}
				applied++
				text, line := edit.apply(lines, rapid.SampledFrom(candidates).Draw(t, "line"))
				r := checkText(t, []string{text})
				if !slices.ContainsFunc(r.Findings, func(f rules.Finding) bool { return f.Rule == edit.rule && f.Place.Line == line }) {
					t.Fatalf("want %s in line %d, got\n%s\n%s", edit.rule.Name, line, listing(r), text)
				}
			})
			if applied == 0 {
				t.Error("no log had a line to edit")
			}
		})
	}
}

// TestCutLogsHaveNoErrors cuts legal logs behind any line, as a crash does: dsh
// closes the turn, and nothing else is wrong.
func TestCutLogsHaveNoErrors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := legalLog(t, rapid.SampledFrom(allDialects[3:]).Draw(t, "dialect"))
		cut := lines[:rapid.IntRange(1, len(lines)).Draw(t, "lines")]
		starts, ends := 0, 0
		want := -1 // line of the turn/start that has no end
		for i, line := range cut {
			if strings.Contains(line, `"turn/start"`) {
				starts, want = starts+1, i+1
			}
			if strings.Contains(line, `"turn/end"`) {
				ends++
			}
		}
		r := checkText(t, cut)
		open := slices.ContainsFunc(r.Findings, func(f rules.Finding) bool { return f.Rule == rules.OpenTurn && f.Place.Line == want })
		if count(r.Findings, rules.Error) > 0 || open != (starts > ends) {
			t.Fatalf("%d turns of %d have ended\n%s\n%s", ends, starts, listing(r), strings.Join(cut, ""))
		}
	})
}
