package columns_test

import (
	"fmt"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/columns"
)

// tables are lines of cells as commands write them.
var tables = []string{
	"",
	"\n",
	"a\tb\nlong\tc\n",
	"log.jsonl\n  verdict\topens\n  load\t2 events\n\n",
	"\n  frame\toffset\tstate\t\n  1\t1000\tcomplete\t\n",
	"file\tnone\nfail-on\terror\tdefault\nTL301 seq-gap\toff\tx:1\nlogs\t\tx:2\twhy\n  TL302\toff\tx:3\n",
	"a\t\tb\n\tlonger\tc\n",
	"a\tb\nno cells\nlonger\tc",
}

func TestTablesOfNarrowCellsAreThoseOfTabwriter(t *testing.T) {
	for _, text := range tables {
		var left, right, wantLeft, wantRight strings.Builder
		flush := func(w interface {
			Write([]byte) (int, error)
			Flush() error
		},
		) {
			fmt.Fprint(w, text)
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		flush(columns.NewTable(&left))
		flush(tabwriter.NewWriter(&wantLeft, 0, 0, 2, ' ', 0))
		flush(columns.NewRightTable(&right))
		flush(tabwriter.NewWriter(&wantRight, 0, 0, 2, ' ', tabwriter.AlignRight))
		if diff := cmp.Diff(wantLeft.String(), left.String()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		if diff := cmp.Diff(wantRight.String(), right.String()); diff != "" {
			t.Errorf("%q at the right (-want +got):\n%s", text, diff)
		}
	}
}

func TestWideCellsTakeTwoColumns(t *testing.T) {
	var b strings.Builder
	w := columns.NewTable(&b)
	fmt.Fprint(w, "回合\t开始\nturn\tx\n结束了\ty\n")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("回合    开始\nturn    x\n结束了  y\n", b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLongTextsAreBroken(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		width      int
		want       []string
	}{
		{"a short one stays", "a b", 3, []string{"a b"}},
		{"at the last blank that fits", "one two three", 7, []string{"one two", "three"}},
		{"at a blank right behind the width", "one two three", 3, []string{"one", "two", "three"}},
		{"a long word stays whole", "  extraordinary", 5, []string{"  extraordinary"}},
		{"between Chinese characters", "日志已损坏", 6, []string{"日志已", "损坏"}},
		{"not before punctuation", "日志已，损坏", 6, []string{"日志", "已，损", "坏"}},
		{"beside a Latin word", "由 dsh 读取", 6, []string{"由 dsh", "读取"}},
	} {
		if diff := cmp.Diff(tt.want, columns.Wrap(tt.text, tt.width, tt.width)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
