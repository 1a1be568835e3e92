package repair

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/internal/lang/langtest"
)

func TestTheCatalogueHasAllThatRepairSays(t *testing.T) {
	source := langtest.Source{
		Dir: ".", Not: []string{"Appendf", "Contains", "does"},
		Others: []string{
			"takes from %q the first", // see TestTheCatalogueHasWhatEachPermissionDoes
			"--allow %s takes from %q the first %s",
			"its id or cwd %s", // in quotes, where else words of dsh stand
			"complete event",   // counted
			// These are read by programs, and name what ids are made from.
			"-- does not decode: %q\n", "turnfix branch %d of %s", "turnfix store %s", "turnfix incarnation %s",
		},
	}
	source.Check(t)
}

func TestTheCatalogueHasTheWordsOfStates(t *testing.T) {
	p := chinese(t)
	var all []string
	for _, name := range statusNames {
		all = append(all, name)
	}
	for _, action := range []Action{Nothing, Repair, Refuse} {
		all = append(all, string(action))
	}
	for _, level := range []Level{Safe, Assisted, Choice, Lossy} {
		all = append(all, string(level))
	}
	for _, kind := range []MoveKind{ToPlace, Quarantine, Adopt, Rehead} {
		all = append(all, string(kind))
	}
	for _, state := range []BackupState{BackupCurrent, BackupUndone, BackupStale, BackupPartial} {
		all = append(all, string(state))
	}
	for _, word := range all {
		p.Text(word)
	}
}

func TestTheCatalogueHasWhatEachPermissionDoes(t *testing.T) {
	p := chinese(t)
	for _, m := range remedies {
		p.Text("--allow " + string(m.permission(m.wants)) + " " + m.does + " 2 events")
	}
	p.Text(`--allow splice-prefix takes from "/a/session.jsonl" the first 2 events`)
}

func TestChoicesAreTranslatedOneByOne(t *testing.T) {
	got := chinese(t).Text("--allow mint-id=user/message gives a message id to 1 event, --allow pad-times=text-chunks adds missing times of 0 ms to 3 events; or " +
		"do not open it in dsh, which would drop them for good; --allow-loss 3 moves them to lost+found, and --allow fill-gaps keeps those behind a gap")
	want := "--allow mint-id=user/message 会为 1 个事件补上消息 id，--allow pad-times=text-chunks 会为 3 个事件补上缺少的时间（0 毫秒）；或者 " +
		"不要用 dsh 打开，否则它们会被永久丢弃；--allow-loss 3 会把它们移入 lost+found，--allow fill-gaps 则保留缺口之后的那些"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// chinese returns a printer that fails the test for what it does not have.
func chinese(t *testing.T) *lang.Printer {
	t.Helper()
	p, err := lang.For(lang.Chinese)
	if err != nil {
		t.Fatal(err)
	}
	p.Missing = func(text string) { t.Errorf("%q is not in the catalogue", text) }
	return p
}
