package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/upgrade"
)

// readerAnswers returns what an inspection in JSON says of the readers, and the
// result of the check behind it.
func readerAnswers(t *testing.T, image []byte, encoding string, generation int, children []upgrade.Child) (map[string]json.RawMessage, *rules.Result) {
	t.Helper()
	e, err := scan.ParseEncoding(encoding)
	if err != nil {
		t.Fatal(err)
	}
	name := session.LogName{Generation: int64(generation), Zstd: e == scan.Zstd}.String()
	result, err := rules.Check(bytes.NewReader(image), int64(len(image)), rules.Options{
		Path: name, Encoding: e, Digests: true, Readers: scan.GenerationReaders(),
		Children: func(string) []upgrade.Child { return children },
	})
	if err != nil {
		t.Fatal(err)
	}
	var line bytes.Buffer
	if err := encode(&line, newInspectionJSON(&inspection{result: result, readers: result.Readings})); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Generation *int64
		Readers    map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(line.String(), " (raw log: "+name+")", "")), &got); err != nil {
		t.Fatal(err)
	}
	return got.Readers, result
}

// rawLog is what the messages of the vectors have behind them.
var rawLog = regexp.MustCompile(` \(raw log: \$ROOT/.*\)$`)

// answered is what a version of dsh makes of a log.
type answered struct {
	OK         bool
	EventCount int64
	Error      string
	ErrorClass string
}

func compareReader(t *testing.T, version string, readers map[string]json.RawMessage, want *vectortest.Result) {
	t.Helper()
	var got answered
	if err := json.Unmarshal(readers[version], &got); err != nil {
		t.Fatalf("%s: %v", version, err)
	}
	if !want.OK && !got.OK && vectortest.EngineMessage(want.Error) {
		return
	}
	if expect := (answered{want.OK, int64(want.EventCount), want.Error, want.ErrorClass}); got != expect {
		t.Errorf("%s says %+v, want %+v", version, got, expect)
	}
}

// opened returns the answer of a version that migrates a log and checks it then.
func opened(m *vectortest.Migration) *vectortest.Result {
	if m.OK && m.StoredCheck != nil {
		return m.StoredCheck
	}
	return &m.Result
}

// TestReadersOfOldLogsAgreeWithTheVectors compares what an inspection says of the
// versions of dsh with what the reference makes of logs of v0 and v1.
func TestReadersOfOldLogsAgreeWithTheVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	versions := map[string]string{"to_v2": "0.1.3", "to_v3": "0.1.5", "to_v4": "0.1.7"}
	checked := 0
	for _, u := range vectortest.LoadUpgrade(t) {
		t.Run(u.ID, func(t *testing.T) {
			readers, result := readerAnswers(t, u.Image(t), u.Encoding, u.SourceVersion, nil)
			for column, version := range versions {
				if want, stated := vectortest.Column[vectortest.Migration](t, u.Expect, column); stated {
					compareReader(t, version, readers, opened(&want))
					checked++
				}
			}
			if want, stated := vectortest.Column[vectortest.Result](t, u.Expect, "v0_load"); stated && u.SourceVersion == 0 {
				want.Error = rawLog.ReplaceAllString(want.Error, "")
				if !strings.Contains(want.Error, "$ROOT") { // which needs a sessions tree
					compareReader(t, "0.1.1", readers, &want)
				}
			}
			compareVerdicts(t, result, u.Expect)
		})
	}
	if checked < 3000 {
		t.Errorf("only %d answers checked", checked)
	}
}

// compareVerdicts checks that the verdicts of newer versions fit what is found.
func compareVerdicts(t *testing.T, result *rules.Result, expect map[string]json.RawMessage) {
	t.Helper()
	for _, r := range result.Readings {
		refused := r.Refusal() != nil
		if r.Verdict != scan.Unreadable && refused != (r.Verdict >= scan.Incompatible) && !r.Bricks {
			t.Errorf("%s: verdict %s, refusal %v", r.Version.ShortName(), r.Verdict, r.Refusal())
		}
		if r.Version.Generation > result.Reading.Generation && r.Verdict > scan.Recovers && r.Verdict != scan.Unreadable && !slices.ContainsFunc(result.Findings, isError) {
			t.Errorf("%s: verdict %s without an error: %v", r.Version.ShortName(), r.Verdict, r.Refusal())
		}
	}
	strict, stated := vectortest.Column[vectortest.Migration](t, expect, "to_v4_strict")
	ordinary, _ := vectortest.Column[vectortest.Migration](t, expect, "to_v4")
	if last := result.Readings[len(result.Readings)-1]; stated && ordinary.OK && !strict.OK && last.Verdict < scan.Loses {
		t.Errorf("to_v4: verdict %s, although a strict reading says: %s", last.Verdict, strict.Error)
	}
}

// TestReadersOfNativeLogsAgreeWithTheVectors does the same for logs of v2 to v4.
// Their own generation opens a log when the restore and the check of the stored
// events pass.
func TestReadersOfNativeLogsAgreeWithTheVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	versions := map[int]string{2: "0.1.3", 3: "0.1.5", 4: "0.1.7"}
	for _, v := range vectortest.LoadNative(t) {
		children, known := evidence(t, v.Children)
		if !known || strings.HasSuffix(v.ID, "/header/id-empty") {
			continue // no caller has such evidence, and no dsh finds a session without an id
		}
		t.Run(v.ID, func(t *testing.T) {
			readers, result := readerAnswers(t, v.Image(t), v.Encoding, v.Version, children)
			if _, stated := v.Expect["restore"]; stated {
				compareReader(t, versions[v.Version], readers, own(t, &v))
			}
			for to := v.Version + 1; to <= 4; to++ {
				column := map[int]string{3: "to_v3", 4: "to_v4"}[to]
				if want, stated := vectortest.Column[vectortest.Migration](t, v.Expect, column); stated {
					compareReader(t, versions[to], readers, opened(&want))
				}
			}
			for older := range v.Version {
				if version, exists := versions[older]; exists && strings.Contains(string(readers[version]), `"ok":true`) {
					t.Errorf("%s opens it", version)
				}
			}
			compareVerdicts(t, result, v.Expect)
		})
	}
}

// own returns what the generation of a log makes of it.
func own(t *testing.T, v *vectortest.Native) *vectortest.Result {
	t.Helper()
	restore, _ := vectortest.Column[struct {
		Recoverable json.RawMessage `json:"recoverable"`
		Strict      json.RawMessage `json:"strict"`
		Codec       json.RawMessage `json:"codec"`
	}](t, v.Expect, "restore")
	var restored vectortest.Result
	if err := json.Unmarshal(restore.Recoverable, &restored); err != nil {
		t.Fatal(err)
	}
	if stored, stated := vectortest.Column[vectortest.Result](t, v.Expect, "stored"); stated && restored.OK && !stored.OK {
		return &stored
	}
	return &restored
}

// evidence reads what a vector knows about sub-agents.
func evidence(t *testing.T, text json.RawMessage) (children []upgrade.Child, known bool) {
	t.Helper()
	var all []struct {
		ChildID         string          `json:"childId"`
		ChildCreatedAt  json.Number     `json:"childCreatedAt"`
		DescriptorCount int             `json:"descriptorCount"`
		Descriptor      json.RawMessage `json:"descriptor"`
		SourcePath      string          `json:"sourcePath"`
	}
	if text == nil {
		return nil, true
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, false
	}
	for _, e := range all {
		created, err := e.ChildCreatedAt.Int64()
		if err != nil || e.Descriptor == nil {
			return nil, false
		}
		children = append(children, upgrade.Child{
			ID: e.ChildID, CreatedAt: created, Descriptors: e.DescriptorCount, Descriptor: e.Descriptor, Path: e.SourcePath,
		})
	}
	return children, true
}
