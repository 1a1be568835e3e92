package repair

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rowsOf makes rows of words such as "3b": the seq 3 with the value b; "3bcd" is a
// packed row of the seqs 3, 4 and 5, and in capitals something was said.
func rowsOf(words string) []row {
	var rows []row
	for word := range strings.FieldsSeq(words) {
		digits := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
		seq, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			panic(err)
		}
		r := row{seq: seq, weight: plain}
		for _, value := range []byte(word[len(digits):]) {
			r.digests = append(r.digests, digest{value})
			if value < 'a' {
				r.weight = real
			}
		}
		r.events = len(r.digests)
		rows = append(rows, r)
	}
	return rows
}

// values returns the values of the events of a chain.
func values(rows []row, c chain) string {
	var text []byte
	for _, p := range c {
		for m := p.first; m < p.first+p.count; m++ {
			text = append(text, rows[p.row].digests[m][0])
		}
	}
	return string(text)
}

func TestChainsAreTheHistoriesThatRowsCanTell(t *testing.T) {
	tests := []struct {
		name, rows string
		want       []string
	}{
		{"no row", "", nil},
		{"one history", "0a 1b 2cde 5f", []string{"abcdef"}},
		{"no first event", "1a 2b", nil},
		{"a gap ends a history", "0a 1b 3d", []string{"ab"}},
		{"a second copy adds nothing", "0a 1b 2c 1b 2c", []string{"abc"}},
		{"what follows a second copy follows the first", "0a 1b 2c 1b 2c 3d", []string{"abcd"}},
		{"a copy inside a packed row", "0a 1bcd 3d 4e", []string{"abcde"}},
		{"the end of a packed row that overlaps", "0a 1bcd 2cdefg", []string{"abcdefg"}},
		{"two writers", "0a 1b 2c 1x 2y 3z", []string{"abc", "axyz"}},
		{"writers that share an event in the middle", "0a 1b 2c 3d 1x 2c 3y", []string{"abcd", "abcy", "axcy"}},
		{"a stale row in between", "0a 1b 2c 1x 3d", []string{"abcd", "ax"}},
		{"a stale tail", "0a 1b 2c 3d 1x 2y", []string{"abcd", "axy"}},
		{"three writers", "0a 1b 1c 1d", []string{"ab", "ac", "ad"}},
		{"a packed row that is cut", "0abcd 2x 3y", []string{"abcd", "abxy"}},
		{"two beginnings", "0a 1b 0x 1y", []string{"ab", "xy"}},
		{"no way leads back in the file", "1b 0a", []string{"a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows := rowsOf(tt.rows)
			chains, more := newGraph(rows).chains()
			var got []string
			for _, c := range chains {
				got = append(got, values(rows, c))
			}
			if diff := cmp.Diff(tt.want, got); more || diff != "" {
				t.Errorf("too many %v, chains (-want +got):\n%s", more, diff)
			}
		})
	}
}

func TestManyStaleRowsThatSayNothingAreNoHistories(t *testing.T) {
	words := []string{"0" + strings.Repeat("a", 40)}
	for seq := 0; seq < 40; seq += 2 {
		for value := 'b'; value <= 'z'; value++ {
			words = append(words, fmt.Sprintf("%d%c", seq, value))
		}
	}
	rows := rowsOf(strings.Join(append(words, "40a"), " "))
	chains, more := newGraph(rows).chains()
	if more || len(chains) != 1 || chains[0].events() != 41 {
		t.Errorf("too many %v, %d chains", more, len(chains))
	}
}

func TestManyHistoriesAreTooMany(t *testing.T) {
	var words []string
	for i := range 2 * maxChains {
		words = append(words, fmt.Sprintf("%dA", i), fmt.Sprintf("%dB", i))
	}
	if chains, more := newGraph(rowsOf(strings.Join(words, " "))).chains(); !more || chains != nil {
		t.Errorf("%d chains, want too many", len(chains))
	}
}

func TestAChainIsCutInsideAPackedRow(t *testing.T) {
	rows := rowsOf("0a 1bcd 4e")
	chains, _ := newGraph(rows).chains()
	for n, want := range []string{"", "a", "ab", "abc", "abcd", "abcde"} {
		if got := values(rows, chains[0].cut(int64(n))); got != want {
			t.Errorf("the first %d events are %q, want %q", n, got, want)
		}
	}
}
