package reference

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// parse reads a JSON text as encoding/json does, but for numbers, which stay texts:
// 1e400 is a number in JavaScript.
func parse(text []byte) (v any, ok bool) {
	if !json.Valid(text) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return v, d.Decode(&v) == nil
}

// number returns the double that a value is, NaN for what is no number.
func number(v any) float64 {
	n, ok := v.(json.Number)
	if !ok {
		return math.NaN()
	}
	f, _ := strconv.ParseFloat(string(n), 64) // out of range, it is an infinity or 0
	return f
}

// safe reports whether a value is a safe integer (docs/format.md, Terms).
func safe(v any) bool { return isSafe(number(v)) }

func isSafe(f float64) bool { return f == math.Trunc(f) && math.Abs(f) <= 1<<53-1 }

// count reports whether a value is a safe integer ≥ 0 and not -0.
func count(v any) bool { f := number(v); return isSafe(f) && f >= 0 && !math.Signbit(f) }

// Header returns dsh's message for a header line without its LF, or the start of it,
// or "" (docs/format.md §2.1, checks at scan).
func Header(line []byte) (refusal string) {
	v, ok := parse(line)
	if !ok {
		return "corrupt session log: header line is not valid JSON"
	}
	h, _ := v.(map[string]any)
	if version := number(h["version"]); !math.IsNaN(version) && version != 0 {
		return "session \""
	}
	_, hasOrigin := h["origin"]
	preset, hasPreset := h["agentPreset"]
	_, isText := h["id"].(string)
	_, presetText := preset.(string)
	if h["type"] != "session" || math.IsNaN(number(h["version"])) || !isText || !count(h["createdAt"]) || !count(h["delegationDepth"]) ||
		hasOrigin && h["origin"] != "subagent" || hasPreset && !presetText {
		return "corrupt session log: first line is not a session header"
	}
	if has(h, "sandboxMode") || has(h, "approvalPolicy") {
		return "session header uses retired policy baseline fields"
	}
	return ""
}

func has(record map[string]any, key string) bool { _, ok := record[key]; return ok }

// isRow reports whether a record has the tag of a packed row (docs/format.md §2.4).
func isRow(record map[string]any) bool {
	switch record["type"] {
	case "text-chunks", "reasoning-chunks", "tool-call-chunks":
		return true
	}
	return false
}

// rowEvents checks the nine rules of docs/format.md §2.4 and returns the number of
// members.
func rowEvents(record map[string]any) (n int64, ok bool) {
	data, isRecord := record["data"].(map[string]any)
	texts := "texts"
	keys := 5
	if record["type"] == "tool-call-chunks" {
		texts = "args"
		keys = 6
		if _, ok := data["id"].(string); !ok {
			return 0, false
		}
		if name, there := data["name"]; there {
			if _, ok := name.(string); !ok {
				return 0, false
			}
			keys = 7
		}
	}
	members, isList := data[texts].([]any)
	deltas, haveDeltas := data["dt"].([]any)
	switch {
	case len(record) != 4, !has(record, "seq0"), !has(record, "time0"), !isRecord, len(data) != keys:
		return 0, false
	case !safe(record["seq0"]), number(record["seq0"]) < 0, !safe(record["time0"]):
		return 0, false
	case math.IsNaN(number(data["turn"])), math.IsNaN(number(data["step"])), math.IsNaN(number(data["index"])):
		return 0, false
	case !isList, len(members) == 0, !haveDeltas, len(deltas) != len(members)-1:
		return 0, false
	case !isSafe(number(record["seq0"]) + float64(len(members)) - 1):
		return 0, false
	}
	for _, m := range members {
		if _, ok := m.(string); !ok {
			return 0, false
		}
	}
	time := number(record["time0"])
	for _, d := range deltas {
		if time += number(d); !safe(d) || !isSafe(time) {
			return 0, false
		}
	}
	return int64(len(members)), true
}

// Kind names what a line behind the header holds (docs/format.md §3.3): undecodable,
// null, event for any record, row or scalar.
func Kind(line []byte) string {
	v, ok := parse(line)
	record, isRecord := v.(map[string]any)
	switch {
	case !ok:
		return "undecodable"
	case v == nil:
		return "null"
	case !isRecord:
		return "scalar"
	case !isRow(record):
		return "event"
	}
	if _, ok := rowEvents(record); !ok {
		return "undecodable"
	}
	return "row"
}

// Members returns the number of members of a line that is a row.
func Members(line []byte) int64 {
	v, _ := parse(line)
	record, _ := v.(map[string]any)
	n, _ := rowEvents(record)
	return n
}
