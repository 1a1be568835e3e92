package session_test

import (
	"testing"

	"github.com/turnlint/turnlint/session"
)

func TestNamesOfLogsSayGenerationAndEncoding(t *testing.T) {
	tests := []struct {
		name string
		want session.LogName
		ok   bool
	}{
		{"session.jsonl", session.LogName{}, true},
		{"session.jsonl.zstd", session.LogName{Zstd: true}, true},
		{"session.v1.jsonl", session.LogName{Generation: 1}, true},
		{"session.v4.jsonl.zstd", session.LogName{Generation: 4, Zstd: true}, true},
		{"session.v9007199254740991.jsonl", session.LogName{Generation: 1<<53 - 1}, true},
		{name: "session.v9007199254740992.jsonl"},
		{name: "session.v99999999999999999999.jsonl"},
		{name: "session.v0.jsonl"},
		{name: "session.v04.jsonl"},
		{name: "session.v+4.jsonl"},
		{name: "session.v-4.jsonl"},
		{name: "session.v.jsonl"},
		{name: "session.v4.5.jsonl"},
		{name: "session.V4.jsonl"},
		{name: "Session.jsonl"},
		{name: "session.v4.jsonl.zst"},
		{name: "session.v4.jsonl.ZSTD"},
		{name: "session.v4.jsonl.zstd.zstd"},
		{name: "session.v4.jsonl.0a1b2c3d4e5f.tmp"},
		{name: "session.v4"},
		{name: ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := session.ParseLogName(test.name)
			if got != test.want || ok != test.ok {
				t.Errorf("%+v, %t, want %+v, %t", got, ok, test.want, test.ok)
			}
			if ok && got.String() != test.name {
				t.Errorf("the name is %q again", got)
			}
		})
	}
}
