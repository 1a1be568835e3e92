package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/turnlint/turnlint/internal/lang"
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
	Rows                    *rowsView
}

type fact struct{ Name, Value string }

// readerView is what a further version of dsh makes of the log.
type readerView struct{ Name, Verdict, Message string }

func (pg *page) newLogView(id string, f *File) *logView {
	v := &logView{ID: id, Path: shown(f.Path), Tone: toneOf(f)}
	if f.Result == nil {
		v.Word, v.Verdict, v.Story = pg.Text("not readable"), pg.Text("It could not be read"), []string{pg.sentence(shown(pg.Text(f.Problem)))}
		return v
	}
	r := f.Result
	v.Word, v.Verdict = pg.Text(verdictWord(f)), pg.sentence(verdictInWords(pg.Printer, reader(f), r))
	if f.Aside.Excluded != "" {
		v.Story = append(v.Story, pg.Textf("Excluded by the configuration: %v", shown(f.Aside.Excluded)))
	}
	if refusal := r.Reading.Refusal(); refusal != nil && !r.Projection && !r.StoreRefuses {
		v.Message = shown(strings.TrimSpace(refusal.Text))
	}
	v.Readers = pg.otherReaders(f)
	v.Next = nextCommand(f)
	v.Facts = pg.facts(r, f.Picture)
	places := pg.newPlacesView(id, f)
	v.Findings = pg.newFindingsView(id, f.Result.Findings, f.Known, f.Path, places)
	if p := f.Picture; p != nil {
		v.Story = append(v.Story, pg.story(r, p)...)
		v.Map = pg.newMapView(id, p)
		v.Timeline = pg.newTurnsView(id, r, p)
		v.Forks = pg.newForksView(id, p)
		v.Parts, v.Rows = pg.newPartsView(p), pg.newRowsView(p)
	}
	if len(places.List) > 0 {
		v.Places = places
	}
	return v
}

func (pg *page) otherReaders(f *File) (all []readerView) {
	for _, other := range f.Readings[min(1, len(f.Readings)):] {
		r := *f.Result
		r.Reading, r.StoreRefuses = other.Reading, other.StoreRefuses
		name := "dsh " + other.Version.Name
		v := readerView{Name: name, Verdict: verdictInWords(pg.Printer, name, &r)}
		if refusal := other.Refusal(); refusal != nil && !other.StoreRefuses {
			v.Message = shown(strings.TrimSpace(refusal.Text))
		}
		all = append(all, v)
	}
	return all
}

// sentence returns an English text with a capital letter at its start, unless that is the name
// of dsh; others as they are.
func (pg *page) sentence(text string) string {
	if text == "" || pg.Name() != lang.English || strings.HasPrefix(text, "dsh") {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func (pg *page) facts(r *rules.Result, p *picture.Picture) (all []fact) {
	if h := r.Reading.Header; h != nil && h.ID != "" {
		all = append(all, fact{pg.Text("session"), shown(h.ID)})
		if h.CreatedAt > 0 { // older reports do not say it
			all = append(all, fact{pg.Text("created"), timeText(h.CreatedAt)})
		}
	}
	events, turns := r.Events, r.Turns
	if p != nil {
		events, turns = p.Events, turnCount(p)
	}
	file := pg.Textf("%v of plain text", pg.counted(r.Container.Size, "byte"))
	switch r.Container.Encoding {
	case scan.Zstd:
		file = pg.Textf("%v of zstd", pg.counted(r.Container.Size, "byte"))
	case scan.SQLite:
		file = pg.Textf("rows of a database, %v as a log", pg.counted(r.Container.Size, "byte"))
	}
	all = append(all, fact{pg.Text("on disk"), pg.Textf("%v in %v", pg.counted(events, "event"), pg.counted(turns, "turn"))}, fact{pg.Text("file"), file})
	if r.Dialect != "" && r.Events > 0 {
		all = append(all, fact{pg.Text("dialect"), r.Dialect})
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
func (pg *page) newFindingsView(id string, fresh, known []rules.Finding, path string, places *placesView) *findingsView {
	if len(fresh)+len(known) == 0 {
		return nil
	}
	v := &findingsView{ID: id + "-findings", Caption: pg.severities(Count(fresh))}
	if len(known) > 0 {
		v.Caption = pg.Textf("%v; %v known", v.Caption, pg.counted(int64(len(known)), "finding"))
	}
	for i, f := range slices.Concat(fresh, known) {
		row := pg.newFindingView(&f, path)
		if row.ordinal = i; i >= len(fresh) {
			row.Message = pg.Textf("known: %v", row.Message)
		}
		pg.link(places, &row, &f)
		v.Rows = append(v.Rows, row)
	}
	if more := len(v.Rows) - maxTableRows; more > 0 {
		v.More = pg.Textf("%v not shown here; the other formats have them", pg.counted(int64(more), "less severe finding"))
		slices.SortStableFunc(v.Rows, func(a, b findingView) int { return cmp.Compare(b.severity, a.severity) })
		v.Rows = v.Rows[:maxTableRows]
		slices.SortFunc(v.Rows, func(a, b findingView) int { return cmp.Compare(a.ordinal, b.ordinal) })
	}
	return v
}

func (pg *page) severities(c Counts) string {
	return pg.Textf("%v, %v, %v", pg.counted(int64(c.Errors), "error"), pg.counted(int64(c.Warnings), "warning"), pg.counted(int64(c.Notes), "note"))
}

func (pg *page) newFindingView(f *rules.Finding, path string) findingView {
	v := findingView{
		Severity: pg.Text(f.Severity.String()), Tone: [...]tone{rules.Note: toneOdd, rules.Warning: toneMend, rules.Error: toneBad}[f.Severity],
		Message: shown(pg.Text(f.Message) + consequences(pg.Printer, f)), Where: pg.where(f), Reader: pg.Text(string(f.Reader)), Fix: pg.Text(fixWords[f.Rule.Fix]),
		Rule: f.Rule.ID, Name: f.Rule.Name, severity: int(f.Severity),
	}
	if f.Path != "" && f.Path != path {
		v.Where = append([]string{shown(f.Path)}, v.Where...)
	}
	for i := range f.Related[:min(len(f.Related), maxRelatedShown)] {
		r := &f.Related[i]
		v.Related = append(v.Related, shown(pg.Textf("%v: %v", pg.placeText(r.Place), pg.Text(r.Message))))
	}
	for i := range f.Others[:min(len(f.Others), maxRelatedShown)] {
		v.Related = append(v.Related, shown(f.Others[i].Path)+": "+shown(pg.Text(f.Others[i].Message)))
	}
	return v
}

var fixWords = map[rules.Fix]string{
	rules.Safe: "repairs it", rules.Assisted: "repairs it, if allowed", rules.Lossy: "repairs it, maybe at a loss", rules.NoFix: "leaves it",
}

// where says where a finding is, one thing a line.
func (pg *page) where(f *rules.Finding) (all []string) {
	p := f.Place
	switch {
	case p.Table != "":
		all = append(all, pg.Textf("table %v", p.Table))
	case p.Line > 0:
		all = append(all, pg.Textf("line %v", number(p.Line)))
	}
	if p.Frame > 0 {
		all = append(all, pg.Textf("frame %v", number(p.Frame)))
	}
	if f.Seq != nil {
		all = append(all, pg.Textf("seq %v", *f.Seq))
	}
	if f.Turn != nil {
		all = append(all, pg.Textf("turn %v", *f.Turn))
	}
	if p.FileOff > 0 && p.Table == "" {
		all = append(all, pg.Textf("byte %v", number(p.FileOff)))
	}
	return all
}

func (pg *page) placeText(p scan.Place) string {
	switch {
	case p.Table != "":
		return rowPlace(p)
	case p.Line > 0:
		return pg.Textf("line %v", number(p.Line))
	}
	return pg.Textf("byte %v", number(p.FileOff))
}

// partsView is the table of the frames, or of the runs of lines.
type partsView struct {
	Summary, Caption, Label, Unit string
	Rows                          []partRow
	More                          string
}

type partRow struct{ Units, Off, Len, Text, Events, State, Cause string }

func (pg *page) newPartsView(p *picture.Picture) *partsView {
	if len(p.Parts) == 0 {
		return nil
	}
	v := &partsView{
		Unit: pg.Text("frame"), Summary: pg.Text("Frames"), Label: pg.Text("Table of frames"),
		Caption: pg.Text("The frames of the file, and what lies between them"),
	}
	if p.Encoding == scan.Plain {
		v.Unit, v.Summary, v.Label = pg.Text("line"), pg.Text("Lines"), pg.Text("Table of lines")
		v.Caption = pg.Text("The lines of the file, by their state")
	}
	for i := range p.Parts {
		part := &p.Parts[i]
		if i >= maxTableRows {
			v.More = pg.Textf("%v not shown", pg.counted(int64(len(p.Parts)-i), "further row"))
			break
		}
		v.Rows = append(v.Rows, partRow{
			Units: unitsOf(part), Off: number(part.FileOff), Len: number(part.Len), Text: number(part.TextLen),
			Events: number(part.Events), State: pg.Text(stateWords[part.State].Name), Cause: part.CauseInWords(pg.Printer),
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
func (pg *page) newStoreView(id string, s *Store) *logView {
	v := &logView{
		ID: id, Path: shown(s.Path), Tone: toneGood, Word: pg.Text("sessions directory"), Verdict: pg.Text("dsh lists the sessions of this store"),
		Findings: pg.newFindingsView(id, s.Findings, s.Known, "", &placesView{}),
	}
	if s.Database {
		v.Word = pg.Text("session database")
	}
	switch {
	case s.New:
		v.Verdict = pg.Text("an empty database, of which dsh makes a new store")
	case s.Unprocessed:
		v.Tone, v.Verdict = toneBad, pg.Text("dsh opens no session of this database, and none was looked at")
	case !s.Lists:
		v.Tone, v.Verdict = toneBad, pg.Text("dsh cannot list any session of this store")
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
func (pg *page) durationText(ms int64) string {
	sign := ""
	if ms < 0 {
		sign, ms = "−", -ms
	}
	const second, minute, hour, day = 1000, 60_000, 3_600_000, 86_400_000
	switch {
	case ms < second:
		return sign + pg.Textf("%v ms", ms)
	case ms < minute:
		return sign + pg.Textf("%v s", fmt.Sprintf("%.1f", float64(ms)/second))
	case ms < hour:
		return sign + pg.Textf("%v min %v s", ms/minute, ms%minute/second)
	case ms < day:
		return sign + pg.Textf("%v h %v min", ms/hour, ms%hour/minute)
	}
	return sign + pg.Textf("%v d %v h", number(ms/day), ms%day/hour)
}
