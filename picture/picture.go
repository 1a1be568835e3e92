// Package picture makes a picture of a log as data: what lies where in its file,
// its turns, its branches, and the bytes around each damaged place. It says what is
// on disk, behind damage too, beside what dsh makes of it. Reports draw it.
package picture

import (
	"io"

	"github.com/tidwall/gjson"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// The bounds of a picture, whatever the log holds. Neighbours that are alike are
// joined to stay below the first two.
const (
	maxParts    = 1000
	maxTurns    = 400
	maxBranches = 24
	maxPlaces   = 20
)

// Options of a [Picture].
type Options struct {
	// MaxLine caps the bytes of one line; 0 means scan.DefaultMaxLine.
	MaxLine int64
	// ShowText leaves in what the log says: bodies of messages, and all text around
	// damaged places. Without it only the structure of the text is shown.
	ShowText bool
}

// Picture is what there is to see of a log.
type Picture struct {
	Size     int64 // bytes of the file
	Encoding scan.Encoding
	Parts    []Part   // of the whole file, in order
	Rows     []RowRun // of a session in a database, which has no parts, by seq
	Turns    []Turn   // in the order of the file, at most maxTurns
	Branches []Branch // by their first record; one where there is no fork
	// MoreBranches counts those that are not among Branches.
	MoreBranches int
	Places       []Place // in the order of the findings
	MorePlaces   int     // damaged places that are not among Places
	Stop         *Stop   // nil where dsh reads all of the file
	Closers      []Closer
	Events       int64 // complete ones on disk, wherever they can be read
	Loose        int64 // those of them that are in no turn
	TextShown    bool  // as in [Options]
}

// Closer is an event that dsh would append to close the last turn
// (docs/format.md §4.4).
type Closer struct {
	Seq  int64
	Type string
}

// Stop is where dsh ends reading a log before its end.
type Stop struct {
	// FileOff is a byte offset in the file: of the line in a plain log, of the frame
	// in a zstd log.
	FileOff int64
	Line    int // of a line at fault, from 1; 0 for none
	Frame   int // from 1; 0 in a plain log
	// Refuses says that dsh does not open the log. Otherwise it cuts the file at
	// FileOff.
	Refuses bool
	// Dropped are the complete events behind FileOff that go with the cut, and
	// Recovered those that dsh writes again.
	Dropped, Recovered int64
}

// Draw makes the picture of the log in the first size bytes of src, of which a
// check gave result. It reads the log once more, and its memory does not grow with
// it. An error means that src could not be read.
func Draw(src io.ReaderAt, size int64, result *rules.Result, opt Options) (*Picture, error) {
	p := &painter{
		src: src, size: size, result: result, opt: opt,
		parts: newParts(src, size, result), branches: newBranches(result),
	}
	p.turns = newTurns(opt.ShowText, p.branches)
	if err := p.places.choose(src, size, result, opt.ShowText); err != nil {
		return nil, err
	}
	if err := p.read(); err != nil {
		return nil, err
	}
	return p.picture()
}

// DrawSession makes the picture of a session in a database, of which a check gave
// result: its rows, turns and branches. It has no file of its own to show the bytes of.
// An error means that the rows of r could not be read.
func DrawSession(r *scan.Reader, result *rules.Result, opt Options) (*Picture, error) {
	pic := &Picture{Encoding: scan.SQLite, Closers: closers(result.Reading), TextShown: opt.ShowText}
	branches := newBranches(result)
	turns := newTurns(opt.ShowText, branches)
	rows := newRowRuns(result)
	for record := range r.Records() {
		if record.Kind != scan.Header {
			rows.take(record)
		}
		if record.Kind == scan.Event || record.Kind == scan.Row {
			pic.Events += record.Events()
			turns.take(record, branches.take(record))
		}
	}
	pic.Turns, pic.Branches, pic.MoreBranches = turns.end(), branches.end(), branches.more
	pic.Loose, pic.Rows = turns.loose, rows.list.items
	return pic, r.Err()
}

// Unit returns what the picture counts its records by: lines of a file or rows of a
// database, the header being the first of either.
func (p *Picture) Unit() string {
	if p.Encoding == scan.SQLite {
		return "row"
	}
	return "line"
}

// painter draws one picture.
type painter struct {
	src    io.ReaderAt
	size   int64
	result *rules.Result
	opt    Options

	parts    *parts
	turns    *turns
	branches *branches
	places   places
	events   int64
}

// read takes the records of the log, also those that dsh does not reach.
func (p *painter) read() error {
	r, err := scan.NewReader(p.src, p.size, scan.Options{
		Encoding: p.result.Container.Encoding, MaxLine: p.opt.MaxLine, Salvage: true, Frame: p.parts.frame,
	})
	if err != nil {
		return err
	}
	for record := range r.Records() {
		p.take(record)
	}
	return r.Err()
}

func (p *painter) take(r *scan.Record) {
	if r.Kind == scan.Header && r.Terminated && !r.Doc.Get("type").EqualText("session") {
		if r.Reparse(r.Text); !r.IsEvent() { // else the header is missing, and an event is in its place
			r.Kind = scan.Header
		}
	}
	p.parts.record(r)
	p.places.record(r)
	if r.Kind != scan.Event && r.Kind != scan.Row {
		return
	}
	p.events += r.Events()
	missing := p.branches.take(r)
	p.turns.take(r, missing)
}

func (p *painter) picture() (*Picture, error) {
	places, err := p.places.end(p.src)
	if err != nil {
		return nil, err
	}
	pic := &Picture{
		Size: p.size, Encoding: p.result.Container.Encoding, Parts: p.parts.end(),
		Turns: p.turns.end(), Branches: p.branches.end(), MoreBranches: p.branches.more,
		Places: places, MorePlaces: p.places.more,
		Stop: p.stop(), Closers: closers(p.result.Reading), Events: p.events, Loose: p.turns.loose, TextShown: p.opt.ShowText,
	}
	return pic, nil
}

func closers(r *scan.Reading) (all []Closer) {
	for _, text := range r.Closers {
		event := gjson.ParseBytes(text)
		all = append(all, Closer{event.Get("seq").Int(), event.Get("type").String()})
	}
	return all
}

// stop finds where dsh stops. A projection is not for dsh to read.
func (p *painter) stop() *Stop {
	reading, c := p.result.Reading, p.result.Container
	if p.result.Projection || reading.Unread {
		return nil
	}
	if reading.Refusal() != nil {
		return p.refusal()
	}
	if !reading.Scan.Torn {
		return nil
	}
	s := &Stop{FileOff: reading.Scan.Committed, Dropped: reading.Dropped + p.parts.hidden, Recovered: reading.Scan.Recovered}
	if c.Torn != nil {
		s.Frame = c.Torn.Number
	}
	return s
}

// refusal finds where dsh refuses the log. It walks the structure of a zstd log
// before it looks at anything else (docs/format.md §1.4).
func (p *painter) refusal() *Stop {
	s := &Stop{Refuses: true}
	if fault := p.result.Container.Fault; fault != nil {
		s.FileOff, s.Frame = fault.FileOff, fault.Number
		return s
	}
	for i := range p.result.Findings {
		if f := &p.result.Findings[i]; f.Reader == rules.Refuses {
			place := refusedAt(f)
			s.FileOff, s.Line, s.Frame = place.FileOff, place.Line, place.Frame
			break
		}
	}
	return s
}

// refusedAt returns the place with which dsh refuses a log for a finding. Of events
// that are stale it takes the first ones, and stumbles over what follows.
func refusedAt(f *rules.Finding) scan.Place {
	if (f.Rule == rules.RepairClosers || f.Rule == rules.StaleEndSeed) && len(f.Related) > 0 && f.Related[0].Place.Line > f.Place.Line {
		return f.Related[0].Place
	}
	return f.Place
}
