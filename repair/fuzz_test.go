package repair_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

func FuzzRepair(f *testing.F) {
	for _, seed := range []string{
		text(header, start1, end1, start2, step2) + `{"ty`, text(header, start1, "", end1, start2) + step2,
		text(header, start1) + end1, text(header, start1, start1), "", "\x28\xb5\x2f\xfd", text(header, start1, end1, start2, step2+stepEnd2),
		text(header, start1, end1, start2, step2, start2, end1, stepEnd2), "\xEF\xBB\xBF" + text(header+start1, "null", end1[:40]+end1),
		text(header, start1, closedAt3, strings.Replace(typed2, `\n`, "\n", 2), `{"type":"text-chunks","seq0":3,"time0":1,"data":{"turn":1,"step":1,"index":0,"dt":[1],"texts":["a","b"]}}`),
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
		kept := bytes.Clone(image[:p.Keep])
		if _, err := (&scan.Mended{Src: bytes.NewReader(image), Flips: p.Flips}).ReadAt(kept, 0); err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(got, kept) {
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

func FuzzManifest(f *testing.F) {
	dir := f.TempDir()
	path := filepath.Join(dir, "session.jsonl")
	if err := os.WriteFile(path, []byte(torn), 0o600); err != nil {
		f.Fatal(err)
	}
	c := &repair.Committer{FS: repair.Disk{}, StateDir: filepath.Join(dir, "state"), AssumeStopped: true}
	out, err := c.Apply(f.Context(), path, repair.Options{})
	if err != nil {
		f.Fatal(err)
	}
	valid, err := os.ReadFile(out.Manifest)
	if err != nil {
		f.Fatal(err)
	}
	repaired, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(valid)
	f.Add([]byte(`{"version":2,"path":{"bytes":"AA=="},"before":{"sha256":"","size":-1},"history":[{}]}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, manifest []byte) {
		writeFile(t, path, repaired)
		writeFile(t, out.Manifest, manifest)
		backups(t, c)
		if _, err := c.Undo(t.Context(), out.Manifest); err == nil && string(readFile(t, path)) != torn {
			t.Error("an undo without an error gives other bytes than those before the repair")
		} else if err != nil && !bytes.Equal(readFile(t, path), repaired) {
			t.Error("an undo that is refused changes the log")
		}
	})
}
