package sketch

import (
	"math"
	"strings"

	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/picture"
	"github.com/turnlint/turnlint/scan"
)

// stateMarks stand for the states on the map.
var stateMarks = [picture.NumStates]byte{
	picture.Good: '=', picture.Header: 'h', picture.Faulty: '!', picture.Torn: '~',
	picture.Damaged: 'X', picture.Hidden: '?', picture.Foreign: '#',
}

var stateWords = [picture.NumStates]string{
	picture.Good: "good", picture.Header: "header", picture.Faulty: "sound, but wrong where it stands",
	picture.Torn: "torn by a crash", picture.Damaged: "damaged", picture.Hidden: "behind damage that dsh does not pass",
	picture.Foreign: "no part of a log",
}

// maxRuns is the number of lines on what lies where in the file.
const maxRuns = 20

// fileMap draws the file to scale, one column for equally many bytes, and lists what
// lies where.
func (d *drawing) fileMap() {
	d.title("file: %v, to scale", d.Count(d.p.Size, "byte"))
	n := d.width - 4
	var strip strings.Builder
	for _, state := range d.states(n) {
		strip.WriteString(d.paint.states[state].Sprint(string(stateMarks[state])))
	}
	d.printf("  [%s]\n", strip.String())
	if stop := d.p.Stop; stop != nil {
		d.stop(stop, n)
	}
	d.runs()
}

// states returns the worst state in each of n columns.
func (d *drawing) states(n int) []picture.State {
	all := make([]picture.State, n)
	for i := range all {
		all[i] = picture.Good
	}
	if len(d.p.Parts) > 0 && d.p.Parts[0].State == picture.Header {
		all[0] = picture.Header // though it may be too small for a column of its own
	}
	for _, part := range d.p.Parts {
		first := d.column(part.FileOff, n)
		behind := int(math.Ceil(float64(part.FileOff+part.Len) / float64(d.p.Size) * float64(n)))
		for i := first; i < min(n, max(behind, first+1)); i++ {
			if part.State > all[i] {
				all[i] = part.State
			}
		}
	}
	return all
}

func (d *drawing) column(off int64, n int) int {
	return int(min(float64(n-1), float64(off)/float64(d.p.Size)*float64(n)))
}

// stop marks where dsh ends reading.
func (d *drawing) stop(s *picture.Stop, cells int) {
	what := d.Textf("dsh cuts the file at byte %v", s.FileOff)
	if s.Refuses {
		what = d.Textf("dsh refuses the log at byte %v", s.FileOff)
	}
	if s.Dropped > 0 {
		what = d.Textf("%v, drops %v", what, d.Count(s.Dropped, "complete event"))
	}
	if s.Recovered > 0 {
		what = d.Textf("%v, writes %v again", what, d.Count(s.Recovered, "event"))
	}
	at := d.column(s.FileOff, cells) + 3
	if at+2+columns.Width(what) <= d.width {
		d.printf("%*s^ %s\n", at, "", what)
		return
	}
	d.printf("%*s^\n", at, "")
	d.indented("  ", columns.Right(what, min(at-1, d.width-2)))
}

// runs lists neighbouring parts in the same state as one.
func (d *drawing) runs() {
	var rows [][]string
	parts := d.p.Parts
	for i := 0; i < len(parts); {
		run := parts[i]
		for i++; i < len(parts) && parts[i].State == run.State && parts[i].Cause == run.Cause; i++ {
			run.Last = max(run.Last, parts[i].Last)
			run.Len = parts[i].FileOff + parts[i].Len - run.FileOff
			run.Events += parts[i].Events
		}
		rows = append(rows, d.run(&run))
	}
	d.table(elided(rows, maxRuns, func(left int) string { return d.Textf("… %v more", left) }))
}

func (d *drawing) run(part *picture.Part) []string {
	return []string{
		d.Textf("byte %v", span(part.FileOff, part.FileOff+max(1, part.Len)-1)), d.unit(part), d.partWords(part),
	}
}

// partWords says what a part is, behind its mark.
func (d *drawing) partWords(part *picture.Part) string {
	what := d.Text(stateWords[part.State])
	if part.Cause != "" {
		what = d.Textf("%v: %v", what, line(part.CauseInWords(d.Printer)))
	}
	if part.Events > 0 {
		what = d.Textf("%v, %v", what, d.Count(part.Events, "event"))
	}
	return string(stateMarks[part.State]) + " " + what
}

// unit names the frames or lines of a part.
func (d *drawing) unit(part *picture.Part) string {
	zstd, none := d.p.Encoding == scan.Zstd, part.First == 0
	switch {
	case zstd && none:
		return d.Text("no frame")
	case none:
		return d.Text("no line")
	case zstd:
		return d.Textf("frame %v", span(part.First, part.Last))
	}
	return d.Textf("line %v", span(part.First, part.Last))
}
