package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/turnlint/turnlint/picture"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// logView is the section of a log.
type logView struct {
	ID, Path, Word, Verdict string
	Tone                    tone
	Story                   []string
	Message                 string // of dsh
	Readers                 []readerView
	Next                    string
	Facts                   []fact
	Map                     *mapView
	Timeline                *turnsView
	Forks                   *forksView
	Findings                *findingsView
	Places                  *placesView
	Parts                   *partsView
}

type fact struct{ Name, Value string }

// readerView is what a further version of dsh makes of the log.
type readerView struct{ Name, Verdict, Message string }

func newLogView(id string, f *File) *logView {
	v := &logView{ID: id, Path: shown(f.Path), Tone: toneOf(f)}
	if f.Result == nil {
		v.Word, v.Verdict, v.Story = "not readable", "It could not be read", []string{sentence(shown(f.Problem))}
		return v
	}
	r := f.Result
	v.Word, v.Verdict = verdictWord(f), sentence(verdictInWords(reader(f), r))
	if f.Aside.Excluded != "" {
		v.Story = append(v.Story, "Excluded by the configuration: "+shown(f.Aside.Excluded))
	}
	if refusal := r.Reading.Refusal(); refusal != nil && !r.Projection && !r.StoreRefuses {
		v.Message = shown(strings.TrimSpace(refusal.Text))
	}
	v.Readers = otherReaders(f)
	v.Next = nextCommand(f)
	v.Facts = facts(r, f.Picture)
	places := newPlacesView(id, f)
	v.Findings = newFindingsView(id, f.Result.Findings, f.Known, f.Path, places)
	if p := f.Picture; p != nil {
		v.Story = append(v.Story, story(r, p)...)
		v.Map = newMapView(id, p)
		v.Timeline = newTurnsView(id, r, p)
		v.Forks = newForksView(id, p)
		v.Parts = newPartsView(p)
	}
	if len(places.List) > 0 {
		v.Places = places
	}
	return v
}

func otherReaders(f *File) (all []readerView) {
	for _, other := range f.Readings[min(1, len(f.Readings)):] {
		r := *f.Result
		r.Reading, r.StoreRefuses = other.Reading, other.StoreRefuses
		name := "dsh " + other.Version.Name
		v := readerView{Name: name, Verdict: verdictInWords(name, &r)}
		if refusal := other.Refusal(); refusal != nil && !other.StoreRefuses {
			v.Message = shown(strings.TrimSpace(refusal.Text))
		}
		all = append(all, v)
	}
	return all
}

// sentence returns text with a capital letter at its start, unless that is the name
// of dsh.
func sentence(text string) string {
	if text == "" || strings.HasPrefix(text, "dsh") {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func facts(r *rules.Result, p *picture.Picture) (all []fact) {
	if h := r.Reading.Header; h != nil && h.ID != "" {
		all = append(all, fact{"session", shown(h.ID)})
		if h.CreatedAt > 0 { // a report that was read back does not say it
			all = append(all, fact{"created", timeText(h.CreatedAt)})
		}
	}
	events, turns := r.Events, r.Turns
	if p != nil {
		events, turns = p.Events, turnCount(p)
	}
	file := counted(r.Container.Size, "byte") + " of plain text"
	if r.Container.Encoding == scan.Zstd {
		file = counted(r.Container.Size, "byte") + " of zstd"
	}
	all = append(all, fact{"on disk", fmt.Sprintf("%s in %s", counted(events, "event"), counted(turns, "turn"))}, fact{"file", file})
	if r.Dialect != "" && r.Events > 0 {
		all = append(all, fact{"dialect", r.Dialect})
	}
	return all
}

// turnCount returns the number of turns on disk.
func turnCount(p *picture.Picture) (n int64) {
	for i := range p.Turns {
		n += int64(p.Turns[i].Turns)
	}
	return n
}

// findingsView is the table of findings.
type findingsView struct {
	ID, Caption string
	Rows        []findingView
	More        string
}

type findingView struct {
	ID                string // "" where nothing leads to it
	Severity          string
	Tone              tone
	Message           string
	Place             string // id of the bytes around it; "" for none
	Number            int    // of that place
	Related, Where    []string
	Reader, Fix       string
	Rule, Name        string
	severity, ordinal int
}

// maxRelatedShown bounds the related places of one finding on a page.
const maxRelatedShown = 3

// newFindingsView makes the table of new findings and of those that a baseline
// knows, the most severe ones where there are too many. It is nil for none.
func newFindingsView(id string, fresh, known []rules.Finding, path string, places *placesView) *findingsView {
	if len(fresh)+len(known) == 0 {
		return nil
	}
	v := &findingsView{ID: id + "-findings", Caption: severities(Count(fresh))}
	if len(known) > 0 {
		v.Caption += fmt.Sprintf("; %s known", counted(len(known), "finding"))
	}
	for i, f := range slices.Concat(fresh, known) {
		row := newFindingView(&f, path)
		if row.ordinal = i; i >= len(fresh) {
			row.Message = "known: " + row.Message
		}
		places.link(&row, &f)
		v.Rows = append(v.Rows, row)
	}
	if more := len(v.Rows) - maxTableRows; more > 0 {
		v.More = counted(more, "less severe finding") + " not shown here; the other formats have them"
		slices.SortStableFunc(v.Rows, func(a, b findingView) int { return cmp.Compare(b.severity, a.severity) })
		v.Rows = v.Rows[:maxTableRows]
		slices.SortFunc(v.Rows, func(a, b findingView) int { return cmp.Compare(a.ordinal, b.ordinal) })
	}
	return v
}

func severities(c Counts) string {
	return fmt.Sprintf("%s, %s, %s", counted(c.Errors, "error"), counted(c.Warnings, "warning"), counted(c.Notes, "note"))
}

func newFindingView(f *rules.Finding, path string) findingView {
	v := findingView{
		Severity: f.Severity.String(), Tone: [...]tone{rules.Note: toneOdd, rules.Warning: toneMend, rules.Error: toneBad}[f.Severity],
		Message: shown(f.Message + consequences(f)), Where: where(f), Reader: string(f.Reader), Fix: fixWords[f.Rule.Fix],
		Rule: f.Rule.ID, Name: f.Rule.Name, severity: int(f.Severity),
	}
	if f.Path != "" && f.Path != path {
		v.Where = append([]string{shown(f.Path)}, v.Where...)
	}
	for i := range f.Related[:min(len(f.Related), maxRelatedShown)] {
		r := &f.Related[i]
		v.Related = append(v.Related, shown(placeText(r.Place)+": "+r.Message))
	}
	for i := range f.Others[:min(len(f.Others), maxRelatedShown)] {
		v.Related = append(v.Related, shown(f.Others[i].Path)+": "+shown(f.Others[i].Message))
	}
	return v
}

var fixWords = map[rules.Fix]string{
	rules.Safe: "repairs it", rules.Assisted: "repairs it, if allowed", rules.Lossy: "repairs it, maybe at a loss", rules.NoFix: "leaves it",
}

// where says where a finding is, one thing a line.
func where(f *rules.Finding) (all []string) {
	p := f.Place
	if p.Line > 0 {
		all = append(all, "line "+number(p.Line))
	}
	if p.Frame > 0 {
		all = append(all, "frame "+number(p.Frame))
	}
	if f.Seq != nil {
		all = append(all, fmt.Sprint("seq ", *f.Seq))
	}
	if f.Turn != nil {
		all = append(all, fmt.Sprint("turn ", *f.Turn))
	}
	if p.FileOff > 0 {
		all = append(all, "byte "+number(p.FileOff))
	}
	return all
}

func placeText(p scan.Place) string {
	if p.Line > 0 {
		return "line " + number(p.Line)
	}
	return "byte " + number(p.FileOff)
}

// partsView is the table of the frames, or of the runs of lines.
type partsView struct {
	Summary, Caption, Unit string
	Rows                   []partRow
	More                   string
}

type partRow struct{ Units, Off, Len, Text, Events, State, Cause string }

func newPartsView(p *picture.Picture) *partsView {
	v := &partsView{Unit: "frame", Summary: "Frames", Caption: "The frames of the file, and what lies between them"}
	if p.Encoding == scan.Plain {
		v.Unit, v.Summary, v.Caption = "line", "Lines", "The lines of the file, by their state"
	}
	for i := range p.Parts {
		part := &p.Parts[i]
		if i >= maxTableRows {
			v.More = counted(len(p.Parts)-i, "further row") + " not shown"
			break
		}
		v.Rows = append(v.Rows, partRow{
			Units: unitsOf(part), Off: number(part.FileOff), Len: number(part.Len), Text: number(part.TextLen),
			Events: number(part.Events), State: stateWords[part.State].Name, Cause: part.Cause,
		})
	}
	return v
}

// unitsOf returns the numbers of the frames or lines of a part.
func unitsOf(p *picture.Part) string {
	switch {
	case p.First == 0:
		return "–"
	case p.First == p.Last:
		return number(p.First)
	}
	return number(p.First) + "–" + number(p.Last)
}

// newStoreView returns the section of a sessions directory.
func newStoreView(id string, s *Store) *logView {
	v := &logView{
		ID: id, Path: shown(s.Path), Tone: toneGood, Word: "sessions directory", Verdict: "dsh lists the sessions of this store",
		Findings: newFindingsView(id, s.Findings, s.Known, "", &placesView{}),
	}
	if !s.Lists {
		v.Tone, v.Verdict = toneBad, "dsh cannot list any session of this store"
	}
	if s.Refusal != nil {
		v.Message = shown(strings.TrimSpace(s.Refusal.Text))
	}
	if first := worst(s.Findings); first != nil {
		v.Next = "turnlint explain " + first.Rule.ID
	}
	return v
}

// maxDate is the greatest time of a Date in JavaScript, in epoch ms (ECMA-262).
const maxDate = 8_640_000_000_000_000

// timeText returns a time of a log, in epoch ms.
func timeText(ms int64) string {
	if ms < -maxDate || ms > maxDate {
		return fmt.Sprintf("%d ms", ms)
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05.000")
}

// durationText returns a span of time in its greatest units.
func durationText(ms int64) string {
	sign := ""
	if ms < 0 {
		sign, ms = "−", -ms
	}
	const second, minute, hour, day = 1000, 60_000, 3_600_000, 86_400_000
	switch {
	case ms < second:
		return fmt.Sprintf("%s%d ms", sign, ms)
	case ms < minute:
		return fmt.Sprintf("%s%.1f s", sign, float64(ms)/second)
	case ms < hour:
		return fmt.Sprintf("%s%d min %d s", sign, ms/minute, ms%minute/second)
	case ms < day:
		return fmt.Sprintf("%s%d h %d min", sign, ms/hour, ms%hour/minute)
	}
	return fmt.Sprintf("%s%s d %d h", sign, number(ms/day), ms%day/hour)
}
