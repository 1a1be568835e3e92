package upgrade

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/session"
)

func TestTheLogOfASubAgentTellsItsDescription(t *testing.T) {
	const (
		header2 = `{"type":"session","version":2,"id":"s","createdAt":1,"isSeeded":false,"delegationDepth":0}`
		old     = `{"mode":"one-shot","version":2,"provider":"p"}`
	)
	descriptor := eventRow("subagent/descriptor", old)
	tests := []struct {
		name       string
		generation int64
		log        string
		want       Child
	}{
		{"it has one", 0, oldLog(header0, turnStart, descriptor, turnEnd), Child{Descriptors: 1, Descriptor: []byte(old)}},
		{"it has one of an old version in a later format", 2, oldLog(header2, descriptor), Child{Descriptors: 1, Descriptor: []byte(old)}},
		{"it has none", 0, oldLog(header0), Child{}},
		{"it has two", 0, oldLog(header0, descriptor, descriptor), Child{Descriptors: 2, Descriptor: []byte(old)}},
		{"the second one stands behind a bad row", 0, oldLog(header0, descriptor) + "{\n" + oldLog("", descriptor), Child{Descriptors: 1, Descriptor: []byte(old)}},
		{"it cannot be read", 0, oldLog(header0, descriptor) + oldLog("", turnEnd), Child{Fault: "corrupt session log: "}},
		{"it is of another format than its name says", 4, oldLog(header2), Child{Fault: `session "s" uses log format v2, older than`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := &session.Header{ID: "s", CreatedAt: 7}
			got, err := ReadChild(strings.NewReader(tt.log), int64(len(tt.log)), session.LogName{Generation: tt.generation}, h)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(got.Fault, tt.want.Fault) || (got.Fault == "") != (tt.want.Fault == "") {
				t.Errorf("fault %q, want one like %q", got.Fault, tt.want.Fault)
			}
			tt.want.ID, tt.want.CreatedAt, tt.want.Fault = "s", 7, got.Fault
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
