package repair

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/scan"
)

// rewrittenEvents returns the digests of the events that the plan edits, and checks
// that nothing but the members it names differs.
func rewrittenEvents(t failer, p *Plan, image []byte) map[digest]bool {
	t.Helper()
	rewritten := make(map[digest]bool)
	text := p.openText(bytes.NewReader(image))
	defer text.close()
	for _, part := range p.Parts {
		for _, s := range part.Lines {
			if len(s.Edits) == 0 {
				continue
			}
			record, err := text.record(&s)
			if err != nil {
				t.Fatalf("%v", err)
			}
			record = bytes.Clone(record)
			after := appendEdited(nil, record, s.Edits)
			old, repaired := parsed(t, record), parsed(t, after)
			for _, e := range s.Edits {
				path := strings.Split(e.Member, ".")
				old, repaired = without(old, path), without(repaired, path)
			}
			if diff := cmp.Diff(old, repaired); diff != "" {
				t.Errorf("I3: an edit changes what it does not name (-old +repaired):\n%s", diff)
			}
			one := &source{src: bytes.NewReader(append(after, '\n')), size: int64(len(after)) + 1, encoding: scan.Plain}
			for _, d := range digests(one) {
				rewritten[d] = true
			}
		}
	}
	return rewritten
}

func parsed(t failer, text []byte) (v any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// without takes the member at a path out of a value, of each element of an array.
func without(v any, path []string) any {
	switch v := v.(type) {
	case map[string]any:
		if len(path) == 1 {
			delete(v, path[0])
		} else {
			v[path[0]] = without(v[path[0]], path[1:])
		}
	case []any:
		for i := range v {
			v[i] = without(v[i], path)
		}
	}
	return v
}
