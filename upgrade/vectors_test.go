package upgrade

import (
	"testing"

	"github.com/turnlint/turnlint/internal/vectortest"
)

func TestMigrationsOfOldLogsToV2AgreeWithTheReference(t *testing.T) {
	checked := 0
	for _, u := range vectortest.LoadUpgrade(t) {
		want, stated := vectortest.Column[vectortest.Migration](t, u.Expect, "to_v2")
		if !stated {
			continue
		}
		checked++
		t.Run(u.ID, func(t *testing.T) {
			got := migrate(t, u.Image(t), u.Encoding, u.SourceVersion, 2, Options{})
			compare(t, got, &want)
		})
	}
	if checked < 1000 {
		t.Errorf("only %d logs", checked)
	}
}

// What an option to find all refusals finds first must be what is found without it.
func TestTheFirstOfAllRefusalsIsTheOnlyOneWithoutTheOption(t *testing.T) {
	for _, u := range vectortest.LoadUpgrade(t) {
		image := u.Image(t)
		one := migrate(t, image, u.Encoding, u.SourceVersion, Latest, Options{})
		all := migrate(t, image, u.Encoding, u.SourceVersion, Latest, Options{All: true})
		checkFirst(t, u.ID, one, all)
	}
}

func checkFirst(t *testing.T, id string, one, all *Result) {
	t.Helper()
	first, same := one.Refusal(), all.Refusal()
	switch {
	case (first == nil) != (same == nil):
		t.Errorf("%s: refused %v, with all refusals %v", id, first, same)
	case first != nil && *first != *same:
		t.Errorf("%s: first refusal %+v, with all %+v", id, *first, *same)
	case first == nil && one.Digest != all.Digest:
		t.Errorf("%s: another log with all refusals", id)
	}
}
