package repair

import (
	"slices"
	"testing"
)

func FuzzEdits(f *testing.F) {
	for k, d := range editDamages {
		f.Add(apply(healthy(1), k%2 == 1, d, damages[0], 0, 0))
		f.Add(apply(healthy(1), k%2 == 0, d, damages[1+k], k, 0))
	}
	f.Add([]byte(`{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}
{"sourceEventSeqs":[1],"uuid":1,"sourceEventSeqs":[],"type":"user/message","uuid":2,"seq":0,"time":0.5,"data":{"role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":"append","uuid":3}
`))
	opt := everything()
	opt.Allow = slices.DeleteFunc(opt.Allow, func(p Permission) bool { return p == FillGaps }) // a million placeholders take their time
	f.Fuzz(func(t *testing.T, image []byte) {
		if p := planFor(t, image, "", opt); p.Action == Repair {
			checkRepair(t, p, image, "")
		}
	})
}
