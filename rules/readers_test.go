package rules_test

import (
	"testing"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// TestNewerVersionsRefuseExactlyWhatTheirVerdictSays cuts logs at every third byte.
func TestNewerVersionsRefuseExactlyWhatTheirVerdictSays(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	for _, name := range []string{"v0-turn", "v2", "v3"} {
		image := base(name)
		for cut := 0; cut <= len(image); cut += 3 {
			result := inspect(t, image[:cut], rules.Options{Readers: scan.GenerationReaders()})
			for _, r := range result.Readings {
				if refused := r.Refusal() != nil; r.Verdict != scan.Unreadable && refused != (r.Verdict >= scan.Incompatible) {
					t.Errorf("%s cut at %d: dsh %s: verdict %s, refusal %v", name, cut, r.Version.ShortName(), r.Verdict, r.Refusal())
				}
			}
		}
	}
}

func TestTheVersionOfTheLogItselfIsNotAskedTwice(t *testing.T) {
	result := inspect(t, base("v3"), rules.Options{Readers: scan.GenerationReaders()})
	for _, r := range result.Readings {
		if own := r.Version.Generation == 3; own != (r.Reading == result.Reading) {
			t.Errorf("dsh %s: the reading is that of the log itself: %t", r.Version.ShortName(), !own)
		}
	}
}

func TestNoVersionIsAskedByDefault(t *testing.T) {
	refused := refusalTable()[0]
	result := inspect(t, refused.image(), rules.Options{})
	if len(result.Readings) > 0 || len(result.Findings) > 0 {
		t.Errorf("%d readings, and\n%s", len(result.Readings), listing(result))
	}
}

// A line that nobody reads may hold anything.
func TestALineThatIsNotReadLeavesEveryVerdictOpen(t *testing.T) {
	result := inspect(t, base("v0-turn"), rules.Options{MaxLine: 200, Readers: scan.GenerationReaders()})
	for _, r := range result.Readings {
		if r.Verdict != scan.Unreadable || !r.Unread {
			t.Errorf("dsh %s: verdict %s", r.Version.ShortName(), r.Verdict)
		}
	}
}
