package session

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// value returns the value of a JSON text.
func value(t *testing.T, text string) jsjson.Value {
	t.Helper()
	var doc jsjson.Doc
	if err := doc.Parse([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return doc.Root
}

// ids returns the texts of the ids that are pending.
func (p *pendingCalls) ids() (all []string) {
	for call := range p.all() {
		all = append(all, string(call.id.Raw()))
	}
	return all
}

func TestPendingCallsKeepTheOrderOfAMap(t *testing.T) {
	var p pendingCalls
	add := func(ids ...string) {
		for _, id := range ids {
			p.add(value(t, id), value(t, "1"))
		}
	}
	settle := func(id string) {
		call := p.find(value(t, id))
		if call == nil {
			t.Fatalf("%s is not pending", id)
		}
		p.settle(call)
	}
	check := func(when string, want ...string) {
		t.Helper()
		if got := p.ids(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	add(`"a"`, `"b"`, `"c"`, `"\u0062"`, `-0`, `[]`, `[]`)
	check("an equal id takes the place of the first", `"a"`, `"\u0062"`, `"c"`, `-0`, `[]`, `[]`)
	if p.find(value(t, `[]`)) != nil {
		t.Error("an array equals another")
	}
	settle(`"b"`)
	settle(`0`)
	check("settled calls are gone", `"a"`, `"c"`, `[]`, `[]`)
	add(`"b"`)
	check("and come back at the end", `"a"`, `"c"`, `[]`, `[]`, `"b"`)
	p.forget()
	check("the end of a step forgets all")
	if p.find(value(t, `"a"`)) != nil {
		t.Error("a forgotten call is found")
	}
}

func TestAnsweredCallsTakeNoMemory(t *testing.T) {
	var p pendingCalls
	for i := range 10_000 {
		id := value(t, fmt.Sprintf(`"call-%d"`, i))
		p.add(id, value(t, "1"))
		p.settle(p.find(id))
	}
	if len(p.calls) > 0 || len(p.at) > 0 || cap(p.owned) > 1000 {
		t.Errorf("%d calls, %d ids and %d bytes are kept", len(p.calls), len(p.at), cap(p.owned))
	}
}

func TestManyCallsArePendingAsFewAre(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var p pendingCalls
	var want []string
	for range 10_000 {
		id := fmt.Sprintf(`"call-%d"`, random.IntN(3*fewCalls))
		at := slices.Index(want, id)
		switch call := p.find(value(t, id)); {
		case (call != nil) != (at >= 0):
			t.Fatalf("found %v, want it to be %d of %q", call, at, want)
		case random.IntN(200) == 0:
			p.forget()
			want = nil
		case call == nil:
			p.add(value(t, id), value(t, "1"))
			want = append(want, id)
		case random.IntN(3) > 0:
			p.settle(call)
			want = slices.Delete(want, at, at+1)
		}
		if got := p.ids(); !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}
