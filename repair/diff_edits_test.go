package repair

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
		for _, e := range edits(a, b) {
			switch {
			case e.n <= 0:
				t.Fatalf("a run of %d events", e.n)
			case e.op == opInsert:
				got = append(got, b[len(got):len(got)+e.n]...)
				continue
			case e.op == opKeep:
				got = append(got, a[i:i+e.n]...)
			}
			i += e.n
		}
		if i != len(a) || !slices.Equal(got, b) {
			t.Fatalf("they give %v and use %d of %d events", got, i, len(a))
		}
	})
}

func TestEditsFindRunsThatLeaveAndCome(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       []edit
	}{
		{"nothing at all", "", "", nil},
		{"the same", "abc", "abc", []edit{{opKeep, 3}}},
		{"all is new", "", "ab", []edit{{opInsert, 2}}},
		{"all leaves", "ab", "", []edit{{opDelete, 2}}},
		{"a run leaves", "abcdef", "abef", []edit{{opKeep, 2}, {opDelete, 2}, {opKeep, 2}}},
		{"a second copy leaves", "abcbcd", "abcd", []edit{{opKeep, 3}, {opDelete, 2}, {opKeep, 1}}},
		{"the end is replaced", "abcd", "abx", []edit{{opKeep, 2}, {opDelete, 2}, {opInsert, 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := edits(digestsOf(tt.a), digestsOf(tt.b))
			if d := cmp.Diff(tt.want, got, cmp.AllowUnexported(edit{})); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestHunksHaveThreeEventsOfContext(t *testing.T) {
	tests := []struct {
		name string
		all  []edit
		want []hunk
	}{
		{"no change", []edit{{opKeep, 9}}, nil},
		{
			"a change in the middle",
			[]edit{{opKeep, 9}, {opDelete, 1}, {opKeep, 9}},
			[]hunk{{6, 6, []edit{{opKeep, 3}, {opDelete, 1}, {opKeep, 3}}}},
		},
		{
			"two changes close together",
			[]edit{{opDelete, 1}, {opKeep, 6}, {opInsert, 2}},
			[]hunk{{0, 0, []edit{{opDelete, 1}, {opKeep, 6}, {opInsert, 2}}}},
		},
		{
			"two changes far from each other",
			[]edit{{opDelete, 1}, {opKeep, 7}, {opInsert, 2}, {opKeep, 1}},
			[]hunk{{0, 0, []edit{{opDelete, 1}, {opKeep, 3}}}, {5, 4, []edit{{opKeep, 3}, {opInsert, 2}, {opKeep, 1}}}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, hunksOf(tt.all), cmp.AllowUnexported(hunk{}, edit{})); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
