package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/session"
)

// laterHeader is a valid header of a format from v2 on with one member changed,
// or without it when the value is empty.
func laterHeader(generation int64, key, value string) string {
	members := []string{
		`"type":"session"`, fmt.Sprintf(`"version":%d`, generation), `"id":"s-1"`, `"createdAt":1`, `"isSeeded":false`, `"delegationDepth":0`,
	}
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

func TestHeadersOfLaterFormats(t *testing.T) {
	older := `session "s-1" uses log format v%s, older than the supported v4, and this build ships no upgrade path for it`
	newer := `session "s-1" uses log format v%s, but this harness reads only v4: the log was written by a newer harness — upgrade the harness to open it`
	tests := map[string]struct {
		line string
		// own is what a dsh of the format says, migrated one that migrates the log.
		own, migrated string
	}{
		"the members that dsh needs":      {laterHeader(4, "", ""), "", ""},
		"a working directory":             {laterHeader(4, "cwd", `"/home/ada"`), "", ""},
		"a seeded log":                    {laterHeader(4, "isSeeded", "true"), "", ""},
		"no JSON":                         {"{", badJSON, badJSON},
		"an array":                        {"[]", "corrupt session log: first line is not a JSON object", "corrupt session log: first line is not a JSON object"},
		"the header of an earlier format": {laterHeader(3, "", ""), fmt.Sprintf(older, "3"), "resolved JSONL source filename identifies v4, but its header identifies v3"},
		"the header of a later format":    {laterHeader(5, "", ""), fmt.Sprintf(newer, "5"), "resolved JSONL source filename identifies v4, but its header identifies v5"},
		"half a version":                  {laterHeader(4, "version", "4.5"), fmt.Sprintf(newer, "4.5"), "corrupt session log: header version is not a non-negative safe integer"},
		"a version in quotes":             {laterHeader(4, "version", `"4"`), badHeader, "corrupt session log: header version is not a non-negative safe integer"},
		"a retired member":                {laterHeader(4, "sandboxMode", `"x"`), retired, "released v2 physical header has unexpected field sandboxMode"},
		"no isSeeded":                     {laterHeader(4, "isSeeded", ""), badHeader, "released v2 physical header lacks isSeeded"},
		"isSeeded as a number":            {laterHeader(4, "isSeeded", "1"), badHeader, "released v2 header isSeeded must be boolean"},
		"a seedLength":                    {laterHeader(4, "seedLength", "0"), badHeader, "released v2 physical header has unexpected field seedLength"},
		"a member that is none":           {laterHeader(4, "zz", "1"), badHeader, "released v2 physical header has unexpected field zz"},
		"another type":                    {laterHeader(4, "type", `"settings"`), badHeader, "expected released v2 physical Session header"},
		"an id that is a number":          {laterHeader(4, "id", "5"), badHeader, "released v2 header id must be a string"},
		"a negative time":                 {laterHeader(4, "createdAt", "-1"), badHeader, "released v2 header createdAt must be a non-negative safe integer"},
		"a time of minus zero":            {laterHeader(4, "createdAt", "-0"), badHeader, "released v2 physical header is not lossless JSON"},
		"a relative working directory":    {laterHeader(4, "cwd", `"ada"`), badHeader, "format v2 header cwd must be absolute"},
		"another origin":                  {laterHeader(4, "origin", `"automation"`), badHeader, `released v2 header origin must be "subagent"`},
		"a preset that is a number":       {laterHeader(4, "agentPreset", "5"), badHeader, "released v2 header agentPreset must be a string"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h, refusal := session.ParseGeneration([]byte(test.line), 4)
			wantRefusal(t, "own", refusal, test.own)
			if test.own == "" && (h.ID != "s-1" || h.Version != 4 || h.CreatedAt != 1 || h.Seeded != strings.Contains(test.line, "true")) {
				t.Errorf("header %+v", h)
			}
			_, refusal = session.ParseMigrated([]byte(test.line), 4)
			wantRefusal(t, "migrated", refusal, test.migrated)
		})
	}
}

func wantRefusal(t *testing.T, what string, got *session.Refusal, want string) {
	t.Helper()
	switch {
	case got == nil && want != "":
		t.Errorf("%s: no refusal, want %q", what, want)
	case got != nil && got.Text != want:
		t.Errorf("%s: refusal %q, want %q", what, got.Text, want)
	}
}

func TestHeaderFaultsNameTheCodecThatFindsThem(t *testing.T) {
	tests := map[string]struct {
		line       string
		generation int64
		want       string
	}{
		"v0 has no isSeeded":            {laterHeader(0, "", ""), 0, `released v0 physical header has unexpected member "isSeeded"`},
		"v1 neither":                    {laterHeader(1, "", ""), 1, `released v1 physical header has unexpected member "isSeeded"`},
		"v0 lacks an id":                {header("id", ""), 0, `released v0 physical header lacks required member "id"`},
		"v0 has a seedLength":           {header("seedLength", "3"), 0, ""},
		"v0 has a bad one":              {header("seedLength", "-3"), 0, "released v0 header seedLength must be a non-negative safe integer"},
		"v3 looks for lost zeros first": {laterHeader(3, "createdAt", "-0"), 3, "format v3 physical header is not lossless JSON"},
		"v3 leaves the rest to v2":      {laterHeader(3, "id", ""), 3, "released v2 physical header lacks id"},
	}
	for name, test := range tests {
		if got := session.HeaderFault(parse(t, test.line), test.generation); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestForksMayAddToTheHeader(t *testing.T) {
	line := laterHeader(6, "origin", `"automation"`)
	h, refusal := session.ParseGeneration([]byte(line), 6)
	if refusal != nil {
		t.Fatalf("refused: %s", refusal.Text)
	}
	const want = `session "s-1" uses log format v6, but this harness reads only v4: the log was written by a newer harness — upgrade the harness to open it`
	if got := h.Foreign(); got.Text != want || got.Class != session.ClassUnsupported {
		t.Errorf("dsh says %s: %s, want %s", got.Class, got.Text, want)
	}
	if _, refusal := session.ParseGeneration([]byte(laterHeader(6, "id", "5")), 6); refusal == nil {
		t.Error("a header without an id is taken")
	}
}

func TestListingOfHeaders(t *testing.T) {
	mismatch := func(version int64) string {
		return fmt.Sprintf("session generation filename identifies v4, but its header identifies v%d", version)
	}
	tests := map[string]struct {
		line    string
		status  session.HeaderStatus
		version int64
		reason  string
		blocks  string
	}{
		"its own format":            {laterHeader(4, "", ""), session.HeaderCurrent, 4, "", ""},
		"an earlier one":            {laterHeader(2, "", ""), session.HeaderMigrates, 2, "", mismatch(2)},
		"the first one":             {header("", ""), session.HeaderMigrates, 0, "", mismatch(0)},
		"a later one":               {laterHeader(5, "", ""), session.HeaderUnsupported, 5, "stored Session uses newer format v5; this build writes v4", mismatch(5)},
		"a bad header":              {laterHeader(4, "id", ""), session.HeaderMalformed, 4, "released v2 physical header lacks id", ""},
		"a bad one of another time": {laterHeader(0, "", ""), session.HeaderMalformed, 0, `released v0 physical header has unexpected member "isSeeded"`, mismatch(0)},
		"no version":                {laterHeader(4, "version", ""), session.HeaderMalformed, -1, "Session format version must be a non-negative safe integer", ""},
		"no object":                 {"null", session.HeaderMalformed, -1, "Session header must be a JSON object", ""},
		"no JSON":                   {"", session.HeaderUnparsable, -1, "", ""},
		"a retired member":          {laterHeader(4, "approvalPolicy", "null"), session.HeaderMalformed, 4, "released v2 physical header has unexpected field approvalPolicy", retired},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := session.ListGeneration([]byte(test.line), 4, 4)
			if got.Status != test.status || got.Version != test.version || got.Reason != test.reason {
				t.Errorf("%s v%d %q, want %s v%d %q", got.Status, got.Version, got.Reason, test.status, test.version, test.reason)
			}
			wantRefusal(t, "listing", got.Refusal, test.blocks)
		})
	}
}
