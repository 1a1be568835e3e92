package report

import (
	"math"
	"strconv"

	"github.com/turnlint/turnlint/internal/columns"
)

// The drawings of a page are 960 units wide. What they show lies between chartLeft
// and chartRight; the names of its rows are left of it.
const (
	chartLeft  = px(64)
	chartRight = px(952)
)

// px is a length or position in a drawing.
type px float64

// String returns it with at most one decimal.
func (x px) String() string {
	return strconv.FormatFloat(math.Round(float64(x)*10)/10, 'f', -1, 64)
}

// scale maps values [from, to] to the width of a drawing.
type scale struct{ from, to float64 }

func (s scale) at(v float64) px {
	if s.to <= s.from {
		return chartLeft
	}
	share := min(1, max(0, (v-s.from)/(s.to-s.from)))
	return chartLeft + px(share)*(chartRight-chartLeft)
}

// bar is a rectangle in a row.
type bar struct {
	X, W   px
	Y      px
	Class  string
	Label  string // "" where there is no room for it
	Tip    string
	states int // how many things it stands for
}

// Mid is where the label stands.
func (b bar) Mid() px { return b.X + b.W/2 }

// TextY is the base line of the label of a bar with a Y.
func (b bar) TextY() px { return b.Y + 16 }

// Plate is the width of a label's background.
func (b bar) PlateW() px { return textWidth(b.Label) + 8 }

// PlateX is where a label's background starts.
func (b bar) PlateX() px { return b.Mid() - b.PlateW()/2 }

// fit drops the label where it is wider than the bar.
func (b *bar) fit() {
	if textWidth(b.Label)+10 > b.W {
		b.Label = ""
	}
}

// textWidth returns about how wide a text is.
func textWidth(s string) px { return px(columns.Width(s)) * 7 }

// tick is a mark on an axis.
type tick struct {
	X, Y   px
	Label  string
	Anchor string // of the label: start, middle or end
}

// TextY is the base line of the label.
func (t tick) TextY() px { return t.Y + 18 }

// anchorAt keeps a text at x within the drawing.
func anchorAt(x px) string {
	switch {
	case x < chartLeft+60:
		return "start"
	case x > chartRight-60:
		return "end"
	}
	return "middle"
}

// sideAt puts a long text on the side of x where there is more room.
func sideAt(x px) string {
	if x > (chartLeft+chartRight)/2 {
		return "end"
	}
	return "start"
}

// thin leaves out ticks whose labels would run into those before them; the first
// and the last one stay.
func thin(ticks []tick) []tick {
	const gap = 14
	var kept []tick
	for i, t := range ticks {
		last := i == len(ticks)-1
		for len(kept) > 0 && labelStart(t)-gap < labelEnd(kept[len(kept)-1]) {
			if !last || len(kept) == 1 {
				t.Label = ""
				break
			}
			kept = kept[:len(kept)-1]
		}
		if t.Label != "" {
			kept = append(kept, t)
		}
	}
	return kept
}

func labelStart(t tick) px {
	w := textWidth(t.Label)
	return map[string]px{"start": t.X, "middle": t.X - w/2, "end": t.X - w}[t.Anchor]
}

func labelEnd(t tick) px { return labelStart(t) + textWidth(t.Label) }

// legendItem explains a pattern.
type legendItem struct{ Class, Name, Meaning string }

// wholeTicks returns round values within [from, to], about n of them, with both
// ends.
func wholeTicks(from, to float64, n int) []float64 {
	if to <= from {
		return []float64{from}
	}
	step := math.Pow(10, math.Floor(math.Log10((to-from)/float64(n))))
	for _, factor := range []float64{1, 2, 5, 10} {
		if (to-from)/(step*factor) <= float64(n) {
			step *= factor
			break
		}
	}
	step = max(1, step)
	values := []float64{from}
	for v := math.Ceil(from/step) * step; v <= to-step/2; v += step {
		if v > from {
			values = append(values, v)
		}
	}
	return append(values, to)
}
