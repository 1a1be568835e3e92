package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/scan"
)

// The bounds of a page, so that a browser opens it at once whatever it reports on.
const (
	maxSectionBytes = 3 << 20 // of all logs that are drawn; the others have a row in the index
	maxIndexRows    = 5000
	maxTableRows    = 400 // of one table of one log
	maxShown        = 300 // characters of one text of a log
)

//go:embed html
var htmlFiles embed.FS

var (
	htmlTemplates = template.Must(template.New("").Funcs(template.FuncMap{"t": fmt.Sprint}).ParseFS(htmlFiles, "html/*.html"))
	htmlStyle     = template.CSS(mustRead("html/style.css"))
)

func mustRead(name string) string {
	text, err := htmlFiles.ReadFile(name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}

// page is what all sections of a page share: its language, and the templates in it.
type page struct {
	*lang.Printer
	templates *template.Template
}

func newPage(l *lang.Printer) *page {
	templates := template.Must(htmlTemplates.Clone()) // an error would be that they have been executed
	return &page{l, templates.Funcs(template.FuncMap{"t": l.Text})}
}

// htmlWriter collects the sections of a page, and writes it at the end: the index,
// which comes first, needs all of them.
type htmlWriter struct {
	*page
	w        io.Writer
	opt      Options
	total    totals
	aside    asides
	index    []htmlRow
	unlisted int // logs that have no row
	sections []template.HTML
	size     int // bytes of sections
	undrawn  int // logs with findings that have no section
}

// htmlRow is a log or store in the index.
type htmlRow struct {
	Path, Verdict           string
	Tone                    tone
	Anchor                  string // of its section, "" without one
	Events, Turns           string
	Errors, Warnings, Notes int
}

// NewHTML returns a Writer of one HTML page that needs nothing beside it: the
// verdict of each log in words, a map of its file, its turns and branches, the
// findings, and the bytes around damaged places. What [File.Picture] does not have
// is left out.
func NewHTML(w io.Writer, opt Options) Writer {
	return &htmlWriter{page: newPage(opt.Lang), w: w, opt: opt}
}

// File implements [Writer].
func (h *htmlWriter) File(f *File) error {
	h.total.add(f)
	h.aside.addFile(f)
	row := htmlRow{Path: shown(f.Path), Tone: toneOf(f), Verdict: h.Text("not readable")}
	if r := f.Result; r != nil {
		c := f.Counts()
		row.Verdict, row.Events, row.Turns = h.Text(verdictWord(f)), number(r.Events), number(r.Turns)
		row.Errors, row.Warnings, row.Notes = c.Errors, c.Warnings, c.Notes
	}
	id := h.nextID()
	return h.add(row, id, f.Result != nil && clean(f), "log", func() any { return h.newLogView(id, f) })
}

// Store implements [Writer].
func (h *htmlWriter) Store(s *Store) error {
	h.total.addStore(s)
	h.aside.add(&s.Aside)
	c := s.Counts()
	row := htmlRow{
		Path: shown(s.Path), Tone: toneGood, Verdict: h.Text("sessions directory"),
		Errors: c.Errors, Warnings: c.Warnings, Notes: c.Notes,
	}
	if s.Database {
		row.Verdict = h.Text("session database")
	}
	if !s.Lists {
		row.Tone, row.Verdict = toneBad, h.Text("cannot be listed")
	}
	id := h.nextID()
	return h.add(row, id, s.Lists && len(s.Findings)+len(s.Known) == 0, "store", func() any { return h.newStoreView(id, s) })
}

func (h *htmlWriter) nextID() string { return fmt.Sprintf("log-%d", len(h.sections)+1) }

// add adds a row to the index and, while there is room, a section to the page.
// There is less room for what is fine.
func (h *htmlWriter) add(row htmlRow, id string, fine bool, template string, view func() any) error {
	room := maxSectionBytes
	if fine {
		room /= 4
	}
	if h.size < room {
		section, err := h.render(template, view())
		if err != nil {
			return err
		}
		row.Anchor = id
		h.size += len(section)
		h.sections = append(h.sections, section)
	} else if !fine {
		h.undrawn++
	}
	if len(h.index) == maxIndexRows {
		h.unlisted++
		return nil
	}
	h.index = append(h.index, row)
	return nil
}

func (pg *page) render(name string, view any) (template.HTML, error) {
	var b bytes.Buffer
	err := pg.templates.ExecuteTemplate(&b, name, view)
	return template.HTML(b.String()), err
}

// htmlPage is what the template of the page shows.
type htmlPage struct {
	Lang           string
	Title, Heading string
	CSS            template.CSS
	Totals         []string
	IndexCaption   string
	Index          []htmlRow
	IndexNotes     []string
	Sections       []template.HTML
}

// Close implements [Writer].
func (h *htmlWriter) Close() error {
	p := &htmlPage{Lang: htmlLang(h.Printer), Title: h.Text("turnlint report"), Heading: h.Text("turnlint report"), CSS: htmlStyle, Sections: h.sections}
	if len(h.index) == 1 {
		p.Title = h.Textf("%v: %v", h.index[0].Verdict, h.index[0].Path)
	} else {
		p.Totals = []string{h.total.text(h.Printer)}
		p.Index, p.IndexCaption = h.index, h.Text("Every log and what becomes of it")
	}
	p.Totals = append(p.Totals, h.aside.lines(h.opt)...)
	if h.unlisted > 0 {
		p.IndexNotes = append(p.IndexNotes, h.Textf("%v not listed", h.counted(int64(h.unlisted), "further log")))
	}
	if h.undrawn > 0 {
		p.IndexNotes = append(p.IndexNotes, h.Textf(
			"%v with findings not shown in detail, because the page is long enough: turnlint inspect --format html shows them one by one",
			h.counted(int64(h.undrawn), "log")))
	}
	return h.templates.ExecuteTemplate(h.w, "page", p)
}

// htmlLang returns the tag of a language (RFC 5646), which says the script where there are several.
func htmlLang(l *lang.Printer) string {
	if l.Name() == lang.Chinese {
		return "zh-Hans"
	}
	return l.Name()
}

// tone is how good or bad something is. The words beside it say the same.
type tone string

const (
	toneGood tone = "good"
	toneMend tone = "mend"
	toneBad  tone = "bad"
	toneOdd  tone = "odd"
)

func toneOf(f *File) tone {
	switch r := f.Result; {
	case r == nil:
		return toneOdd
	case r.StoreRefuses:
		return toneBad
	case r.Projection:
		return toneOdd
	default:
		return [...]tone{
			scan.Opens: toneGood, scan.Recovers: toneMend, scan.Loses: toneBad,
			scan.Incompatible: toneOdd, scan.Damaged: toneBad, scan.Unreadable: toneOdd,
		}[r.Reading.Verdict]
	}
}

// verdictWord returns the verdict in one word.
func verdictWord(f *File) string {
	switch r := f.Result; {
	case r.StoreRefuses:
		return "refused"
	case r.Projection:
		return "projection"
	default:
		return r.Reading.Verdict.String()
	}
}

// shown returns a text of a log or a name as it may stand on a page: in one line,
// control characters and changes of direction escaped, and not too long.
func shown(s string) string {
	if len(s) > maxShown*4 {
		s = s[:maxShown*4] // escaping costs time, and the rest is not shown
	}
	s = escape.Line(s)
	runes := 0
	for i := range s {
		if runes == maxShown {
			return s[:i] + "…"
		}
		runes++
	}
	return s
}

// number returns a number with a comma before each group of three digits.
func number[N int | int64](n N) string {
	digits := fmt.Sprint(n)
	var b strings.Builder
	for i, d := range digits {
		if left := len(digits) - i; i > 0 && left%3 == 0 && digits[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// counted returns a number, with commas, and its noun: "1 event", "1,200 events".
func (pg *page) counted(n int64, noun string) string {
	if n == 1 {
		return pg.Text("1 " + noun)
	}
	return pg.Text(number(n) + " " + noun + "s")
}
