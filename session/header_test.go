package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/session"
)

const (
	badJSON   = "corrupt session log: header line is not valid JSON"
	badHeader = "corrupt session log: first line is not a session header"
	retired   = "session header uses retired policy baseline fields"
)

// header is a valid header with one member changed, or without it when the
// value is empty.
func header(key, value string) string {
	members := []string{`"type":"session"`, `"version":0`, `"id":"s-1"`, `"createdAt":1`, `"delegationDepth":0`}
	kept := members[:0]
	for _, m := range members {
		if !strings.HasPrefix(m, `"`+key+`":`) {
			kept = append(kept, m)
		}
	}
	if value != "" {
		kept = append(kept, fmt.Sprintf(`"%s":%s`, key, value))
	}
	return "{" + strings.Join(kept, ",") + "}"
}

func TestParseHeaderRefusals(t *testing.T) {
	newer := func(id, version string) string {
		return fmt.Sprintf(`session "%s" uses log format v%s, but this harness reads only v0: `+
			"the log was written by a newer harness — upgrade the harness to open it", id, version)
	}
	older := func(version string) string {
		return fmt.Sprintf(`session "s-1" uses log format v%s, older than the supported v0, `+
			"and this build ships no upgrade path for it", version)
	}
	tests := map[string]struct {
		line, want string // want is "" for a valid header
	}{
		"the members that dsh needs":               {header("", ""), ""},
		"white space and a CR around it":           {" \t" + header("", "") + "\r", ""},
		"no JSON":                                  {"{", badJSON},
		"an empty line":                            {"", badJSON},
		"a byte order mark":                        {"\uFEFF" + header("", ""), badJSON},
		"an array":                                 {"[]", badHeader},
		"null":                                     {"null", badHeader},
		"another type":                             {header("type", `"settings"`), badHeader},
		"no type":                                  {header("type", ""), badHeader},
		"a newer version":                          {header("version", "1"), newer("s-1", "1")},
		"half a version more":                      {header("version", "0.5"), newer("s-1", "0.5")},
		"a version beyond a double":                {header("version", "1e999"), newer("s-1", "Infinity")},
		"an older version":                         {header("version", "-1"), older("-1")},
		"a version of minus zero is 0":             {header("version", "-0"), ""},
		"a version of 0.0 is 0":                    {header("version", "0.0"), ""},
		"a version in quotes":                      {header("version", `"0"`), badHeader},
		"no version":                               {header("version", ""), badHeader},
		"the version comes before the shape":       {`{"version":7}`, newer("undefined", "7")},
		"and before retired members":               {`{"version":7,"id":5,"sandboxMode":null}`, newer("5", "7")},
		"even in an array there is no version":     {`[{"version":7}]`, badHeader},
		"a number as id":                           {header("id", "5"), badHeader},
		"an empty id":                              {header("id", `""`), ""},
		"no id":                                    {header("id", ""), badHeader},
		"a negative time":                          {header("createdAt", "-1"), badHeader},
		"a time of minus zero":                     {header("createdAt", "-0"), badHeader},
		"a time with a fraction":                   {header("createdAt", "1.5"), badHeader},
		"the greatest safe integer as time":        {header("createdAt", "9007199254740991"), ""},
		"one more rounds to no safe integer":       {header("createdAt", "9007199254740993"), badHeader},
		"no depth":                                 {header("delegationDepth", ""), badHeader},
		"a depth of minus zero":                    {header("delegationDepth", "-0"), badHeader},
		"a depth spelled 3e0":                      {header("delegationDepth", "3e0"), ""},
		"the origin of a subagent":                 {header("origin", `"subagent"`), ""},
		"another origin":                           {header("origin", `"fork"`), badHeader},
		"an origin of null":                        {header("origin", "null"), badHeader},
		"an agent preset":                          {header("agentPreset", `""`), ""},
		"an agent preset of null":                  {header("agentPreset", "null"), badHeader},
		"a retired member, whatever its value":     {header("approvalPolicy", "null"), retired},
		"the other retired member":                 {header("sandboxMode", `"read-only"`), retired},
		"unknown members are ignored":              {header("timeZone", "[]"), ""},
		"members that only the build checks":       {header("cwd", "5"), ""},
		"of duplicate members the last one counts": {`{"version":7,` + header("", "")[1:], ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, refusal := session.ParseHeader([]byte(test.line))
			got := ""
			if refusal != nil {
				got = refusal.Text
			}
			if got != test.want {
				t.Errorf("ParseHeader(%q) refuses with %q, want %q", test.line, got, test.want)
			}
		})
	}
}

func TestRefusalClassesOfHeaders(t *testing.T) {
	for line, want := range map[string]session.Class{
		header("version", "1"):     session.ClassUnsupported,
		header("type", "1"):        session.ClassError,
		header("sandboxMode", "1"): session.ClassError,
		"{":                        session.ClassError,
	} {
		if _, refusal := session.ParseHeader([]byte(line)); refusal.Class != want {
			t.Errorf("%s: class %s, want %s", line, refusal.Class, want)
		}
	}
}

func TestParseHeaderKeepsItsOwnCopy(t *testing.T) {
	line := []byte(header("cwd", `"/home/ada"`))
	h, refusal := session.ParseHeader(line)
	if refusal != nil {
		t.Fatal(refusal.Text)
	}
	for i := range line {
		line[i] = 'x'
	}
	if got := h.CWD.Text(); got != "/home/ada" {
		t.Errorf("cwd = %q after the line has gone, want /home/ada", got)
	}
}

func TestParseHeaderReadsWhatItCanOfARefusedHeader(t *testing.T) {
	h, refusal := session.ParseHeader([]byte(`{"version":3,"id":"s-9"}`))
	if refusal == nil || h.ID != "s-9" || h.Version != 3 {
		t.Errorf("header %+v, want id s-9 and version 3", h)
	}
}

func TestCheckBuild(t *testing.T) {
	tests := map[string]struct{ key, value, want string }{
		"no optional member":            {"", "", ""},
		"an absolute directory":         {"cwd", `"/home/ada"`, ""},
		"a relative directory":          {"cwd", `"lantern"`, `session header cwd must be an absolute path, got "lantern"`},
		"an empty directory":            {"cwd", `""`, `session header cwd must be an absolute path, got ""`},
		"a directory of null":           {"cwd", "null", "session header cwd must be a string"},
		"a parent":                      {"parentSession", `"s-0"`, ""},
		"a parent of null":              {"parentSession", "null", "session header parentSession must be a string"},
		"a seed length":                 {"seedLength", "5", ""},
		"a seed length of minus zero":   {"seedLength", "-0", ""},
		"a negative seed length":        {"seedLength", "-5", "session header seedLength must be a non-negative safe integer"},
		"a seed length of null":         {"seedLength", "null", "session header seedLength must be a non-negative safe integer"},
		"a seed length with a fraction": {"seedLength", "0.5", "session header seedLength must be a non-negative safe integer"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h, refusal := session.ParseHeader([]byte(header(test.key, test.value)))
			if refusal != nil {
				t.Fatal(refusal.Text)
			}
			if diff := cmp.Diff(test.want, h.CheckBuild()); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckBuildReportsTheFirstInDshsOrder(t *testing.T) {
	h, _ := session.ParseHeader([]byte(strings.TrimSuffix(header("seedLength", "-1"), "}") + `,"parentSession":1,"cwd":2}`))
	if got := h.CheckBuild(); got != "session header cwd must be a string" {
		t.Errorf("message %q, want the one about cwd", got)
	}
}
