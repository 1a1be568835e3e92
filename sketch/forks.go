package sketch

import (
	"bytes"

	"github.com/turnlint/turnlint/picture"
)

// forked reports whether there is more to the branches than one row of seqs.
func forked(p *picture.Picture) bool {
	return len(p.Branches) > 1 || len(p.Branches) == 1 && len(p.Branches[0].Gaps) > 0
}

// maxForkWidth bounds the drawing of the branches: they are few and short.
const maxForkWidth = 100

// forks draws each branch as a line from its first to its last seq, which hangs on
// the branch that it goes on from, and describes it.
func (d *drawing) forks() {
	all := d.p.Branches
	if len(all) == 1 {
		d.title("seqs: from 0 to %v, with gaps", d.lastSeq())
	} else {
		d.title("branches: %v, over seqs from 0 to %v", len(all)+d.p.MoreBranches, d.lastSeq())
	}
	grid := d.grid()
	for i := range all {
		d.printf("  %s %s\n", d.paint.bold.Sprint(picture.BranchName(i)), bytes.TrimRight(grid[i], " "))
	}
	rows := make([][]string, 0, len(all))
	for i := range all {
		rows = append(rows, d.branchRow(i, &all[i]))
	}
	d.table(rows)
	for i := range all {
		for _, g := range all[i].Gaps[:min(len(all[i].Gaps), maxGapLines)] {
			d.say("%v misses seq %v", picture.BranchName(i), span(g.From, g.To-1))
		}
		if more := len(all[i].Gaps) - maxGapLines; more > 0 {
			d.say("%v misses seqs in %v more places", picture.BranchName(i), more)
		}
	}
	switch more := d.p.MoreBranches; {
	case more == 1:
		d.say("1 further branch not shown")
	case more > 1:
		d.say("%d further branches not shown", more)
	}
}

// maxGapLines bounds the gaps of a branch that are listed.
const maxGapLines = 5

func (d *drawing) lastSeq() (last int64) {
	for i := range d.p.Branches {
		last = max(last, d.p.Branches[i].To-1)
	}
	return last
}

// grid draws the branches, one a row.
func (d *drawing) grid() [][]byte {
	width := min(d.width, maxForkWidth) - 4
	last := d.lastSeq()
	column := func(seq int64) int {
		if last == 0 {
			return 1
		}
		return 1 + int(float64(seq)/float64(last)*float64(width-2))
	}
	grid := make([][]byte, len(d.p.Branches))
	for i := range grid {
		b := &d.p.Branches[i]
		row := bytes.Repeat([]byte(" "), width)
		grid[i] = row
		from, to := column(b.From), column(b.To-1)
		fill(row[from:to+1], '-')
		for _, g := range b.Gaps {
			fill(row[column(g.From):column(g.To-1)+1], '.')
		}
		row[from], row[to] = 'o', 'o'
		if b.Parent < 0 {
			continue
		}
		row[from-1] = '\\'
		for above := b.Parent + 1; above < i; above++ {
			if grid[above][from-1] == ' ' {
				grid[above][from-1] = '|'
			}
		}
	}
	return grid
}

func fill(cells []byte, mark byte) {
	for i := range cells {
		cells[i] = mark
	}
}

func (d *drawing) branchRow(i int, b *picture.Branch) []string {
	from := d.Text(b.Writer.String())
	if b.Parent >= 0 {
		from = d.Textf("%v, after seq %v of %v", from, b.From-1, picture.BranchName(b.Parent))
	}
	return []string{
		picture.BranchName(i), d.Textf("seq %v", span(b.From, b.To-1)), d.Textf(d.p.Unit()+" %v", span(b.Line, b.LastLine)),
		d.Count(b.Events, "event"), d.Count(b.Messages, "message"), from,
	}
}
