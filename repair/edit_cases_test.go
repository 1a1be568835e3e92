package repair_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/repair"
)

// editCases are the permissions with which single members of a case are mended.
var editCases = map[string]repair.Permission{
	"unknown-required-event":  "mark-ignorable=acme/audit",
	"user-message-without-id": "mint-id=user/message",
	"empty-tool-call-id":      "mint-call-id",
	"forward-source-refs":     "drop-references=assistant/message",
	"extra-envelope-key":      "move-member=step/end:uuid",
	"malformed-chunk-row":     "pad-times=text-chunks",
	"fractional-time":         "round-time=assistant/chunk",
}

func TestMembersAreEditedByNameOnly(t *testing.T) {
	passed := 0
	for _, c := range vectortest.Cases(t) {
		permission, ok := editCases[c.Expect.Kind]
		if !ok {
			continue
		}
		passed++
		t.Run(c.Name, func(t *testing.T) {
			p, _ := planCase(t, &c, repair.Options{AllowLoss: 1000, Allow: []repair.Permission{"mint-id=tool/result"}})
			if p.Action != repair.Refuse && p.Level != repair.Lossy {
				t.Errorf("%s, %s with other permissions", p.Action, p.Level)
			}
			p, _ = planCase(t, &c, repair.Options{})
			edited := int64(len(c.Expect.Repair.Edits))
			if p.Action != repair.Refuse || p.Level != repair.Assisted || !strings.Contains(p.Next, "--allow "+string(permission)+" ") {
				t.Errorf("%s, %s; %s", p.Action, p.Level, p.Next)
			}
			p, image := planCase(t, &c, repair.Options{Allow: []repair.Permission{permission}})
			if p.Action != repair.Repair || p.Level != repair.Assisted || p.Ledger.Kept != int64(*c.Expect.Repair.KeptEvents) {
				t.Fatalf("%s, %s, %d events: %s", p.Action, p.Level, p.Ledger.Kept, p.Reason)
			}
			if len(p.Rewrites) != 1 || p.Rewrites[0].Allow != permission || p.Ledger.Rewritten < edited {
				t.Errorf("%+v, %d events are rewritten, want %d", p.Rewrites, p.Ledger.Rewritten, edited)
			}
			got := write(t, p, image)
			if c.Expect.Repair.FinalEvents != nil {
				checkEvents(t, got, *c.Expect.Repair.FinalEvents, c.Expect.Repair.EventsSHA256)
			}
			if repaired, ok := c.Repaired(t); ok {
				if diff := cmp.Diff(strings.Split(string(repaired), "\n"), strings.Split(logicalView(t, got), "\n")); diff != "" {
					t.Errorf("repaired log (-want +got):\n%s", diff)
				}
			}
			checkSecond(t, got, c.Log)
		})
	}
	if passed != len(editCases) {
		t.Errorf("%d cases, want %d", passed, len(editCases))
	}
}
