package diff

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// digestsOf makes a digest of each letter.
func digestsOf(letters string) (all []digest) {
	for i := range letters {
		all = append(all, digest{letters[i]})
	}
	return all
}

func TestEditsTurnOneRowOfEventsIntoTheOther(t *testing.T) {
	events := rapid.SliceOfN(rapid.ByteRange('a', 'f'), 0, 20)
	rapid.Check(t, func(t *rapid.T) {
		a, b := digestsOf(string(events.Draw(t, "a"))), digestsOf(string(events.Draw(t, "b")))
		var got []digest
		i := 0
		for _, e := range Runs(a, b) {
			switch {
			case e.N <= 0:
				t.Fatalf("a run of %d events", e.N)
			case e.Op == Insert:
				got = append(got, b[len(got):len(got)+e.N]...)
				continue
			case e.Op == Keep:
				got = append(got, a[i:i+e.N]...)
			}
			i += e.N
		}
		if i != len(a) || !slices.Equal(got, b) {
			t.Fatalf("they give %v and use %d of %d events", got, i, len(a))
		}
	})
}

func TestEditsFindRunsThatLeaveAndCome(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       []Run
	}{
		{"nothing at all", "", "", nil},
		{"the same", "abc", "abc", []Run{{Keep, 3}}},
		{"all is new", "", "ab", []Run{{Insert, 2}}},
		{"all leaves", "ab", "", []Run{{Delete, 2}}},
		{"a run leaves", "abcdef", "abef", []Run{{Keep, 2}, {Delete, 2}, {Keep, 2}}},
		{"a second copy leaves", "abcbcd", "abcd", []Run{{Keep, 3}, {Delete, 2}, {Keep, 1}}},
		{"the end is replaced", "abcd", "abx", []Run{{Keep, 2}, {Delete, 2}, {Insert, 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Runs(digestsOf(tt.a), digestsOf(tt.b))
			if d := cmp.Diff(tt.want, got, cmp.AllowUnexported(Run{})); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestHunksHaveThreeEventsOfContext(t *testing.T) {
	tests := []struct {
		name string
		all  []Run
		want []hunk
	}{
		{"no change", []Run{{Keep, 9}}, nil},
		{
			"a change in the middle",
			[]Run{{Keep, 9}, {Delete, 1}, {Keep, 9}},
			[]hunk{{6, 6, []Run{{Keep, 3}, {Delete, 1}, {Keep, 3}}}},
		},
		{
			"two changes close together",
			[]Run{{Delete, 1}, {Keep, 6}, {Insert, 2}},
			[]hunk{{0, 0, []Run{{Delete, 1}, {Keep, 6}, {Insert, 2}}}},
		},
		{
			"two changes far from each other",
			[]Run{{Delete, 1}, {Keep, 7}, {Insert, 2}, {Keep, 1}},
			[]hunk{{0, 0, []Run{{Delete, 1}, {Keep, 3}}}, {5, 4, []Run{{Keep, 3}, {Insert, 2}, {Keep, 1}}}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, hunksOf(tt.all), cmp.AllowUnexported(hunk{}, Run{})); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
