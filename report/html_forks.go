package report

import (
	"fmt"
	"strings"

	"github.com/turnlint/turnlint/picture"
	"github.com/turnlint/turnlint/scan"
)

// forksView is the branches of a log as a diagram and as a table.
type forksView struct {
	Units                    string // what its records are called: lines or rows
	ID, Note, Desc           string
	Height, AxisY, AxisTextY px
	Earlier                  bool // the diagram does not start with the first event
	EarlierY                 px
	Overlaps                 []box
	Lanes                    []laneView
	Stop                     *stopView
	Ticks                    []tick
	Rows                     []branchRow
	More                     string
}

// X0 is the left end of the axis.
func (*forksView) X0() px { return chartLeft }

// X1 is the right end of the axis.
func (*forksView) X1() px { return chartRight }

type box struct {
	X, Y, W, H px
	Label      string
}

// Mid is where the label stands.
func (b box) Mid() px { return b.X + b.W/2 }

// LabelY is the base line of the label.
func (b box) LabelY() px { return b.Y + 46 }

// laneView is a branch: a line with its turns on it.
type laneView struct {
	Name, Label, From string // From is the path that leads from the parent to it
	X, X2, Y          px
	LabelX            px
	Anchor            string
	Turns             []bar
	Gaps              []box
}

// NameY is the base line of the name.
func (l laneView) NameY() px { return l.Y + 5 }

// LabelY is the base line of the label.
func (l laneView) LabelY() px { return l.Y - 17 }

type stopView struct {
	X, Y   px
	Label  string
	Anchor string
}

// TextY is the base line of the label.
func (s stopView) TextY() px { return s.Y + 48 }

type branchRow struct {
	Name, Writer, Parent, Seqs, Lines, Events, Messages, Start, End string
}

const (
	forkTop    = px(34) // the line of the first branch
	forkHeight = px(76) // from one line to the next
)

// newForksView returns nil for a log without forks.
func (pg *page) newForksView(id string, p *picture.Picture) *forksView {
	if len(p.Branches) < 2 {
		return nil
	}
	v := &forksView{ID: id + "-branches", Units: pg.Text(p.Unit() + "s")}
	v.Note = pg.Text("Every event has a seq, which no other one may have. Here, some were written more than once: the branches are the histories that they belong to. turnfix plan says which can be kept.")
	seq := forkScale(p)
	v.Earlier = seq.from > 0
	lanes := min(len(p.Branches), maxLanes)
	v.AxisY = forkTop + px(lanes-1)*forkHeight + 46
	v.AxisTextY, v.EarlierY, v.Height = v.AxisY+18, forkTop+5, v.AxisY+26
	for i := range lanes {
		v.Lanes = append(v.Lanes, pg.newLane(p, i, seq))
		if o, ok := pg.overlap(p, i, seq); ok {
			v.Overlaps = append(v.Overlaps, o)
		}
	}
	v.Stop = pg.newForkStop(p, lanes, seq)
	for _, at := range wholeTicks(seq.from, seq.to, 8) {
		x := seq.at(at)
		v.Ticks = append(v.Ticks, tick{X: x, Y: v.AxisY, Label: number(int64(at)), Anchor: anchorAt(x)})
	}
	v.Ticks = thin(v.Ticks)
	var told []string
	for i := range p.Branches {
		row := pg.newBranchRow(p, i)
		v.Rows = append(v.Rows, row)
		told = append(told, pg.Textf("%v, %v, seq %v, %v", row.Name, row.Writer, row.Seqs, pg.units(p, row.Lines)))
	}
	v.Desc = pg.Textf("%v.", strings.Join(told, pg.Text("; ")))
	if hidden := len(p.Branches) - lanes + p.MoreBranches; hidden > 0 {
		v.More = pg.branchesLeft(hidden)
	}
	return v
}

// units names the records with the given numbers.
func (pg *page) units(p *picture.Picture, numbers string) string {
	return pg.Textf(p.Unit()+"s %v", numbers)
}

// branchesLeft says that so many branches are not drawn.
func (pg *page) branchesLeft(n int) string {
	if n == 1 {
		return pg.Text("1 further branch not drawn")
	}
	return pg.Textf("%d further branches not drawn", n)
}

// forkScale shows the part of the log in which the branches are, and some of what
// is before it.
func forkScale(p *picture.Picture) scale {
	from, to := p.Branches[1].From, p.Branches[0].To
	for i := range p.Branches {
		if i > 0 {
			from = min(from, p.Branches[i].From)
		}
		to = max(to, p.Branches[i].To)
	}
	before := max(4, (to-from)/2)
	return scale{float64(max(0, from-before)), float64(to)}
}

func (pg *page) newLane(p *picture.Picture, i int, seq scale) laneView {
	b := &p.Branches[i]
	l := laneView{
		Name: picture.BranchName(i), X: seq.at(float64(b.From)), X2: seq.at(float64(b.To)), Y: laneY(i),
		Label: pg.Textf("seq %v–%v, %v", b.From, b.To-1, pg.units(p, lineRange(b))),
	}
	if b.Parent >= 0 && b.Parent < maxLanes && i > 0 {
		l.From = fmt.Sprintf("M%v %vC%v %v %v %v %v %v", l.X, laneY(b.Parent), l.X-26, laneY(b.Parent)+20, l.X-26, l.Y-20, l.X, l.Y)
	}
	l.Anchor, l.LabelX = "start", l.X+4
	who := pg.Textf("%v: %v", l.Label, pg.Text(b.Writer.String()))
	switch {
	case l.LabelX+textWidth(who) <= chartRight:
		l.Label = who
	case l.LabelX+textWidth(l.Label) > chartRight:
		l.Anchor, l.LabelX = "end", chartRight
	}
	for _, g := range b.Gaps {
		if float64(g.To) > seq.from {
			x := seq.at(float64(g.From))
			l.Gaps = append(l.Gaps, box{X: x, Y: l.Y, W: max(3, seq.at(float64(g.To))-x)})
		}
	}
	for j := range p.Turns {
		if t := &p.Turns[j]; t.Branch == i && float64(t.EndSeq) >= seq.from {
			l.Turns = append(l.Turns, pg.forkTurn(t, l.Y, seq))
		}
	}
	return l
}

func laneY(i int) px { return forkTop + px(i)*forkHeight }

func (pg *page) forkTurn(t *picture.Turn, y px, seq scale) bar {
	b := bar{X: seq.at(float64(t.Seq)) + 1, Y: y - 11, Class: turnClass(t), Label: pg.Textf("turn %v", turnName(t)), Tip: pg.turnText(t)}
	b.W = max(2, seq.at(float64(t.EndSeq+1))-b.X-1)
	if textWidth(b.Label)+10 > b.W {
		b.Label = turnName(t)
	}
	b.fit()
	return b
}

// overlap returns the seqs that a branch has in common with its parent.
func (pg *page) overlap(p *picture.Picture, i int, seq scale) (box, bool) {
	b := &p.Branches[i]
	if b.Parent < 0 || b.Parent >= maxLanes {
		return box{}, false
	}
	parent := &p.Branches[b.Parent]
	x, y, end := seq.at(float64(b.From)), laneY(b.Parent)-16, min(b.To, parent.To)
	o := box{X: x, Y: y, W: seq.at(float64(end)) - x, H: laneY(i) + 16 - y, Label: pg.Textf("written twice: %v", pg.seqs(b.From, end))}
	if textWidth(o.Label) > o.W || i != b.Parent+1 {
		o.Label = ""
	}
	return o, true
}

// newForkStop marks the branch with which dsh stops.
func (pg *page) newForkStop(p *picture.Picture, lanes int, seq scale) *stopView {
	if p.Stop == nil || p.Stop.Line == 0 {
		return nil
	}
	for i := range lanes {
		b := &p.Branches[i]
		if i == 0 || b.Line != p.Stop.Line {
			continue
		}
		x := seq.at(float64(b.From))
		label := pg.Textf(stopText(p), number(b.Line), p.Branches[max(0, b.Parent)].To, b.From)
		return &stopView{X: x, Y: laneY(i) - 14, Label: label, Anchor: sideAt(x)}
	}
	return nil
}

// stopText says where dsh stops.
func stopText(p *picture.Picture) string {
	if p.Encoding == scan.SQLite {
		return "dsh stops here, at row %v: it expects seq %v and finds %v"
	}
	return "dsh stops here, at line %v: it expects seq %v and finds %v"
}

func (pg *page) newBranchRow(p *picture.Picture, i int) branchRow {
	b := &p.Branches[i]
	row := branchRow{
		Name: picture.BranchName(i), Writer: pg.Text(b.Writer.String()), Parent: "–", Seqs: fmt.Sprintf("%d–%d", b.From, b.To-1), Lines: lineRange(b),
		Events: number(b.Events), Messages: number(b.Messages), Start: timeText(b.Start), End: timeText(b.End),
	}
	if b.Parent >= 0 {
		row.Parent = pg.Textf("%v, seq %v", picture.BranchName(b.Parent), b.From-1)
	}
	return row
}

func lineRange(b *picture.Branch) string {
	if b.Line == b.LastLine {
		return number(b.Line)
	}
	return number(b.Line) + "–" + number(b.LastLine)
}
