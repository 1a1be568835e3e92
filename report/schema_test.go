package report_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/turnlint/turnlint/report"
)

var schemaDir = filepath.FromSlash("../docs/schema")

// schema compiles a schema of docs/schema. Strictly, no member may be left out of
// it; for users it allows more, because later versions may add some.
func schema(t *testing.T, name string, strict bool) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	for _, file := range []string{"report.schema.json", "ndjson.schema.json"} {
		document := jsonFile(t, filepath.Join(schemaDir, file))
		if strict {
			closeObjects(document)
		}
		if err := c.AddResource("file:///"+file, document); err != nil {
			t.Fatal(err)
		}
	}
	return c.MustCompile("file:///" + name)
}

func jsonFile(t *testing.T, path string) any {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	document, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// closeObjects forbids members that a schema does not name.
func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			closeObjects(member)
		}
		if v["properties"] != nil {
			v["additionalProperties"] = false
		}
	case []any:
		for _, element := range v {
			closeObjects(element)
		}
	}
}

func validate(t *testing.T, s *jsonschema.Schema, text string) {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(document); err != nil {
		t.Errorf("%v\n%.500s", err, text)
	}
}

// every is what can be in a report: the corpus, every verdict and kind of place,
// and what configurations, baselines and other versions of dsh add.
func every(t *testing.T) *report.Report {
	t.Helper()
	all := wholeCorpus(t)
	all.Stores = slices.Concat(all.Stores, setAsideStores())
	all.Files = slices.Concat(all.Files, files(), setAside())
	all.Files = append(all.Files, &report.File{Path: "capped.jsonl", Result: result(0), Unprocessed: true})
	return all
}

func TestJSONReportsFollowTheirSchemas(t *testing.T) {
	all := every(t)
	validate(t, schema(t, "report.schema.json", true), written(t, "json", all, options))
	line := schema(t, "ndjson.schema.json", true)
	for text := range strings.Lines(written(t, "ndjson", all, options)) {
		validate(t, line, text)
	}
}

func TestSchemasRefuseOtherDocuments(t *testing.T) {
	tests := []struct {
		name, schema, text string
	}{
		{"a report without files", "report.schema.json", `{"schemaVersion":1,"findings":[]}`},
		{"another version", "report.schema.json", `{"schemaVersion":2,"findings":[],"files":[]}`},
		{"a file without a verdict", "report.schema.json", `{"schemaVersion":1,"findings":[],"files":[{"kind":"file","path":"a"}]}`},
		{"an unknown kind", "ndjson.schema.json", `{"kind":"turn","path":"a"}`},
		{"a finding without a rule", "ndjson.schema.json", `{"kind":"finding","path":"a","message":"b"}`},
		{"an unknown verdict", "ndjson.schema.json", `{"kind":"file","schemaVersion":1,"path":"a","verdict":"fine","error":"b"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			document, err := jsonschema.UnmarshalJSON(strings.NewReader(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if schema(t, tt.schema, false).Validate(document) == nil {
				t.Error("accepted")
			}
		})
	}
}

func TestSARIFFollowsTheOfficialSchema(t *testing.T) {
	c := jsonschema.NewCompiler()
	const name = "sarif-schema-2.1.0.json"
	if err := c.AddResource(name, jsonFile(t, filepath.Join("testdata", name))); err != nil {
		t.Fatal(err)
	}
	s := c.MustCompile(name)
	validate(t, s, written(t, "sarif", every(t), options))
	validate(t, s, written(t, "sarif", &report.Report{}, options))
}
