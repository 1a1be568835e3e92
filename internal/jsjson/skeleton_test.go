package jsjson_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/jsjson"
)

var (
	turnPath = jsjson.NewPath("data", "turn")
	listPath = jsjson.NewPath("a")
	typePath = jsjson.NewPath("type")
	fits     = jsjson.NewNote()
)

// account tells all that a Doc says of a text.
func account(d *jsjson.Doc, text []byte) string {
	err := d.Parse(text)
	var b strings.Builder
	if err != nil {
		b.WriteString(err.Error())
	}
	fmt.Fprintf(&b, "%v depth %d", features(&d.Features), d.Depth)
	if d.Root.Exists() {
		fmt.Fprintf(&b, " offset %d turn %s type %s %s", d.Offset(d.Root), d.Root.At(turnPath).Raw(), d.Root.At(typePath).Raw(), walk(d.Root))
	}
	return b.String()
}

// checkSame parses texts in turn with and without skeletons, and returns how many
// had one.
func checkSame(t *testing.T, texts [][]byte) (found int) {
	t.Helper()
	quick := jsjson.Doc{Skeletons: jsjson.NewSkeletons("type", "role")}
	for _, text := range texts {
		var slow jsjson.Doc
		want := account(&slow, text)
		if diff := cmp.Diff(want, account(&quick, text)); diff != "" {
			t.Fatalf("%q: (-without skeletons +with)\n%s", text, diff)
		}
		if quick.Root.Skeleton() != nil {
			found++
		}
	}
	return found
}

var alike = []string{
	`{"type":"turn/start","seq":0,"time":1785830400123,"data":{"turn":1}}`,
	`{"type":"turn/start","seq":17,"time":1785830400124,"data":{"turn":999999999999999}}`,
	`{"type":"turn/end","seq":3,"time":1,"data":{"turn":1,"reason":{"kind":"é走"}}}`,
	`{"type":"text","texts":["a","b\n","","走"],"dt":[0,1,22],"seq":[],"none":null,"last":[true,"x",1]}`,
	`{"type":"text","texts":["abcdefghijklmnopqrstuvwxyz"],"dt":[5],"seq":[],"none":null,"last":[true,"y",2]}`,
	`{"role":"user","a":{"b":{"c":[{"text":"one"},{"text":"two","n":-1.5}]}},"\u00e9":"x","é":"y"}`,
	`{"role":"tool","text":"` + strings.Repeat(`long, and with \"escapes\"\n and 走る `, 9) + `","end":false}`,
	`{"turn":1,"data":{"type":{"turn":2},"turn":"x"}}`,
}

func TestTextsOfOneSkeletonAreReadAsIfAlone(t *testing.T) {
	var texts [][]byte
	for range 5 {
		for _, text := range alike {
			texts = append(texts, []byte(text))
		}
	}
	// Two skeletons have two texts each, of which the second teaches; three texts
	// have skeletons that are theirs alone; one has a feature.
	if found := checkSame(t, texts); found != 2*2*4+3*3 {
		t.Errorf("%d of %d texts had a skeleton", found, len(texts))
	}
}

func TestNearlyTheSameTextIsReadAsIfAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	found, total := 0, 0
	for range 200 {
		var texts [][]byte
		for range 300 {
			text := []byte(alike[r.IntN(len(alike))])
			if r.IntN(3) > 0 {
				text = mutateText(r, text)
			}
			texts = append(texts, text)
		}
		found += checkSame(t, texts)
		total += len(texts)
	}
	if found < total/4 || found > total*3/4 {
		t.Errorf("%d of %d texts had a skeleton: the mix proves little", found, total)
	}
}

// mutateText changes one place.
func mutateText(r *rand.Rand, text []byte) []byte {
	at := r.IntN(len(text))
	switch r.IntN(5) {
	case 0:
		return append(text[:at:at], text[at+1:]...)
	case 1:
		return append(text[:at:at], append([]byte(fragments[r.IntN(len(fragments))]), text[at:]...)...)
	case 2:
		return append(text[:at:at], append([]byte{byte(r.IntN(256))}, text[at+1:]...)...)
	case 3: // another scalar in place of one
		digits := []string{"0", "1", "123456789012345", "1234567890123456", "01", "1.5", "-1", "1e3", "true", `"1"`, "[1]"}
		return bytes.Replace(text, []byte(":1"), []byte(":"+digits[r.IntN(len(digits))]), 1)
	}
	return bytes.Replace(text, []byte(`":"`), []byte(`":"`+strings.Repeat(fragments[r.IntN(len(fragments))], r.IntN(40))), 1)
}

func parseAlike(t *testing.T, d *jsjson.Doc, text string) jsjson.Value {
	t.Helper()
	for range 3 {
		if err := d.Parse([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if d.Root.Skeleton() == nil {
		t.Fatalf("%s has no skeleton", text)
	}
	return d.Root
}

func TestFixedValuesAreThoseWithoutHoles(t *testing.T) {
	d := jsjson.Doc{Skeletons: jsjson.NewSkeletons("type")}
	root := parseAlike(t, &d, `{"type":"a","text":"b","n":1,"f":1.5,"t":true,"o":{},"a":[],"l":["x"],"h":{"n":1},"x":{"type":"y"}}`)
	var fixed []string
	for m := range root.Members() {
		if m.Value.Fixed() {
			fixed = append(fixed, m.Key.Text())
		}
	}
	if diff := cmp.Diff([]string{"type", "f", "t", "o", "a", "x"}, fixed); diff != "" {
		t.Errorf("fixed (-want +got):\n%s", diff)
	}
	if root.Fixed() || root.Get("l").Only().Fixed() || parse(t, `{"type":"a"}`).Get("type").Fixed() {
		t.Error("a value with a hole, in a list or without a skeleton is fixed")
	}
}

func TestListsAreAddedUp(t *testing.T) {
	for _, tt := range []struct {
		list string
		n    int
		sum  int64
		ok   bool
	}{
		{"[1,20,300]", 3, 321, true},
		{"[0]", 1, 0, true},
		{"[" + strings.Repeat("900719925474099,", 9) + "900719925474100]", 10, 1<<53 - 1, true},
		{"[" + strings.Repeat("900719925474099,", 9) + "900719925474101]", 10, -1, true},
		{"[" + strings.Repeat("999999999999999,", 20_000) + "0]", 20_001, -1, true},
		{`["1","\n"]`, 2, -1, true},
		{`[1,"1"]`, 2, 0, false},
		{`[1,-1]`, 2, 0, false},
		{`[]`, 0, 0, false},
		{`1`, 0, 0, false},
	} {
		d := jsjson.Doc{Skeletons: jsjson.NewSkeletons()}
		root := parseAlike(t, &d, `{"a":`+tt.list+`,"b":1}`)
		if n, sum, ok := root.ListAt(listPath); ok != tt.ok || ok && (n != tt.n || sum != tt.sum) {
			t.Errorf("%.40s: %d elements, sum %d, %v; want %d, %d, %v", tt.list, n, sum, ok, tt.n, tt.sum, tt.ok)
		}
		if n := root.Get("a").Len(); n != tt.n {
			t.Errorf("%.40s: %d elements, want %d", tt.list, n, tt.n)
		}
	}
	if _, _, ok := parse(t, `{"a":[1]}`).ListAt(listPath); ok {
		t.Error("an array without a skeleton is added up")
	}
}

func TestNotesAreOfASkeleton(t *testing.T) {
	d := jsjson.Doc{Skeletons: jsjson.NewSkeletons("type")}
	first := parseAlike(t, &d, `{"type":"a","n":1}`).Skeleton()
	fits.Set(first, 7)
	if other := parseAlike(t, &d, `{"type":"b","n":1}`).Skeleton(); fits.Of(other) != 0 {
		t.Errorf("another skeleton has note %d", fits.Of(other))
	}
	if same := parseAlike(t, &d, `{"type":"a","n":22}`).Skeleton(); fits.Of(same) != 7 {
		t.Errorf("another text has note %d, want 7", fits.Of(same))
	}
	fits.Set(nil, 1)
	if fits.Of(nil) != 0 {
		t.Error("no skeleton has a note")
	}
	if d.Root.Get("n").Skeleton() != nil {
		t.Error("a value that is no root has a skeleton")
	}
}

// A log whose lines are all of other shapes costs little, and one that changes is
// learnt.
func TestSkeletonsAreFoundBehindTextsWithoutAny(t *testing.T) {
	d := jsjson.Doc{Skeletons: jsjson.NewSkeletons()}
	for range 1000 {
		if err := d.Parse([]byte(`{"a": 1}`)); err != nil || d.Root.Skeleton() != nil {
			t.Fatalf("error %v, skeleton %p", err, d.Root.Skeleton())
		}
	}
	for range 100 {
		if err := d.Parse([]byte(`{"a":1}`)); err != nil {
			t.Fatal(err)
		}
	}
	if d.Root.Skeleton() == nil {
		t.Error("there is no skeleton after 100 texts alike")
	}
}

// Either of the branches fits a short string, which the second compares.
func TestABranchThatFitsMoreDoesNotHideAnother(t *testing.T) {
	d := jsjson.Doc{Skeletons: jsjson.NewSkeletons("kind")}
	parseAlike(t, &d, `{"kind":"`+strings.Repeat("prose ", 9)+`","n":1}`)
	parseAlike(t, &d, `{"kind":"user","m":1}`)
	parseAlike(t, &d, `{"kind":"`+strings.Repeat("prose ", 9)+`","n":1}`)
	parseAlike(t, &d, `{"kind":"user","m":1}`)
}

// Texts that are all of other shapes are forgotten, and learnt again.
func TestSkeletonsAreForgotten(t *testing.T) {
	d := jsjson.Doc{Skeletons: jsjson.NewSkeletons("type")}
	for i := range 1000 {
		parseAlike(t, &d, `{"type":"`+strings.Repeat("x", i%30)+string(rune('a'+i/30%26))+`","n":`+strings.Repeat("1", 1+i%9)+`}`)
	}
}

func TestTextsWithASkeletonCostNoAllocation(t *testing.T) {
	d := jsjson.Doc{Skeletons: jsjson.NewSkeletons("type")}
	var texts [][]byte
	for _, text := range alike {
		if !strings.Contains(text, `\u`) {
			parseAlike(t, &d, text)
			texts = append(texts, []byte(text))
		}
	}
	if allocs := testing.AllocsPerRun(100, func() {
		for _, text := range texts {
			if d.Parse(text) != nil || d.Root.Skeleton() == nil {
				t.Fatal("no skeleton")
			}
		}
	}); allocs != 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}
