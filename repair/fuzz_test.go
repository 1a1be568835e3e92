package repair_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/turnlint/turnlint/repair"
)

func FuzzRepair(f *testing.F) {
	for _, seed := range []string{
		text(header, start1, end1, start2, step2) + `{"ty`, text(header, start1, "", end1, start2) + step2,
		text(header, start1) + end1, text(header, start1, start1), "", "\x28\xb5\x2f\xfd", text(header, start1, end1, start2, step2+stepEnd2),
	} {
		f.Add([]byte(seed), false, int64(0))
		f.Add([]byte(seed), true, int64(0))
		f.Add([]byte(seed), false, int64(9))
	}
	f.Fuzz(func(t *testing.T, image []byte, like bool, loss int64) {
		p := plan(t, image, repair.Options{LikeDsh: like, AllowLoss: loss})
		if p.Action == repair.Refuse {
			return
		}
		got := write(t, p, image)
		if !bytes.HasPrefix(got, image[:p.Keep]) {
			t.Error("the kept bytes changed")
		}
		if again := plan(t, got, repair.Options{}); again.Action != repair.Nothing {
			t.Errorf("a second repair: %s: %s", again.Action, again.Reason)
		}
	})
}

func FuzzPlan(f *testing.F) {
	image := []byte(text(header, start1, end1, start2) + "{")
	valid, err := json.Marshal(&repair.Plan{Version: repair.PlanVersion, Keep: 3, Leaves: []repair.Leave{{FileOff: -1}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(valid)
	f.Add([]byte(`{"closers":[null,{}],"again":[{"plainOff":9223372036854775807,"len":1}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var forged repair.Plan
		if json.Unmarshal(text, &forged) != nil {
			return
		}
		if p := plan(t, image, repair.Options{}); p.SameAs(&forged) && forged.SHA256 != sha(image) {
			t.Error("a plan for other bytes counts as that of the log")
		}
	})
}
