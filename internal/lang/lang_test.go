package lang

import (
	"errors"
	"testing"

	"golang.org/x/text/language"
)

func TestTheEnvironmentChoosesTheLanguage(t *testing.T) {
	for _, test := range []struct {
		name string
		env  map[string]string
		want string
	}{
		{"nothing is set", nil, English},
		{"Chinese in mainland China", map[string]string{"LANG": "zh_CN.UTF-8"}, Chinese},
		{"only the language", map[string]string{"LANG": "zh"}, Chinese},
		{"with a modifier", map[string]string{"LANG": "zh_CN@pinyin"}, Chinese},
		{"traditional Chinese is nearer to it than to English", map[string]string{"LANG": "zh_TW.UTF-8"}, Chinese},
		{"the messages in English", map[string]string{"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, English},
		{"everything in Chinese", map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "zh_CN.GB18030"}, Chinese},
		{"the locale of programs", map[string]string{"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, English},
		{"POSIX with an encoding", map[string]string{"LANG": "C.UTF-8"}, English},
		{"a language that is not there", map[string]string{"LANG": "de_DE.UTF-8"}, English},
		{"no locale at all", map[string]string{"LANG": "!"}, English},
	} {
		if got := FromEnv(func(name string) string { return test.env[name] }); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// printer has a catalogue made of pairs of messages.
func printer(t *testing.T, pairs ...string) *Printer {
	t.Helper()
	texts := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		texts[pairs[i]] = pairs[i+1]
	}
	p, err := newPrinter("zh", language.SimplifiedChinese, texts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestValuesGoIntoTheTranslation(t *testing.T) {
	p := printer(t,
		"damaged", "已损坏",
		"%d events", "%d 个事件",
		"%d event", "%d 个事件",
		"seq %d, expected %d: %m missing", "seq %d，应为 %d：缺少 %m",
		"%s is not %s", "不是 %[2]s，而是 %[1]s",
		"%w needs %d %w", "%[1]w 需要 %[2]d 个事件",
		"%m; or %m", "%m；或者 %m",
		"id %q is used twice", "id %q 被使用了两次",
		"%s says: %s", "%s 说：%s",
		"100%% of %d", "%d 的 100%%",
		"the turn is %m", "回合%m",
		"byte %d", "第 %d 字节",
		"byte %s", "未知字节 %s",
	)
	for english, want := range map[string]string{
		"damaged":                                 "已损坏",
		"seq 23, expected 17: 6 events missing":   "seq 23，应为 17：缺少 6 个事件",
		"seq 1,234, expected -1: 1 event missing": "seq 1,234，应为 -1：缺少 1 个事件",
		"a is not b":                              "不是 b，而是 a",
		"a needs 1 event; or b needs 2 events":    "a 需要 1 个事件；或者 b 需要 2 个事件",
		`'a needs'\''' needs 1 event`:             `'a needs'\''' 需要 1 个事件`,
		`id "a \" b" is used twice`:               `id "a \" b" 被使用了两次`,
		"dsh says: 100%!d 日志\n":                   "dsh 说：100%!d 日志\n",
		"100% of 7":                               "7 的 100%",
		"byte 7":                                  "第 7 字节",
		"byte x":                                  "未知字节 x",
	} {
		if got := p.Text(english); got != want {
			t.Errorf("%q: %q, want %q", english, got, want)
		}
	}
}

func TestAValueIsNoMessage(t *testing.T) {
	p := printer(t, "damaged", "已损坏", "the type is %s", "类型为 %s")
	if got, want := p.Text("the type is damaged"), "类型为 damaged"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAWordMayMeanSomethingElseInAPlace(t *testing.T) {
	p := printer(t, "after", "间隔", "after [undo]", "撤销后")
	var english *Printer
	for _, test := range []struct{ got, want string }{
		{p.Word("after", "undo"), "撤销后"},
		{p.Word("after", "turn"), "间隔"},
		{english.Word("after", "undo"), "after"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

func TestWhatIsNotInTheCatalogueStaysAndIsTold(t *testing.T) {
	p := printer(t, "the turn is %m", "回合%m", "open", "未结束")
	var missing []string
	p.Missing = func(text string) { missing = append(missing, text) }
	for _, text := range []string{"something new", "the turn is odd"} {
		if got := p.Text(text); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
	if len(missing) != 2 || missing[0] != "something new" || missing[1] != "the turn is odd" {
		t.Errorf("told of %q", missing)
	}
	if got, want := p.Text("the turn is open"), "回合未结束"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestEnglishNeedsNoCatalogue(t *testing.T) {
	p, err := For(English)
	if err != nil || p.Name() != English || p.Textf("%d events", 2) != "2 events" {
		t.Errorf("%v, %v", p, err)
	}
}

func TestValuesOfAFormatMayBeAnything(t *testing.T) {
	p := printer(t, "%v in %v", "%[2]v内的%[1]v", "%d turns", "%d 个回合", "known: %m", "已知：%m", "damaged", "已损坏")
	for _, test := range []struct{ got, want string }{
		{p.Textf("%v in %v", "a in b", p.Count(2, "turn")), "2 个回合内的a in b"},
		{p.Textf("%d %s", 3, "turns"), "3 个回合"},
		{p.Textf("known: %s", "damaged"), "已知：已损坏"},
		{p.Text("a in b"), "a in b"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

func TestTheEndOfAnErrorIsTranslated(t *testing.T) {
	p := printer(t, "no such file", "没有该文件", "standard input: %m", "标准输入：%m", "want %d paths", "需要 %d 个路径")
	p.Missing = func(text string) { t.Errorf("told of %q", text) }
	for english, want := range map[string]string{
		"a: b.jsonl: no such file":     "a: b.jsonl: 没有该文件",
		"standard input: no such file": "标准输入：没有该文件",
		"want 2 paths":                 "需要 2 个路径",
	} {
		if got := p.Error(errors.New(english)); got != want {
			t.Errorf("%q: %q, want %q", english, got, want)
		}
	}
	told := ""
	p.Missing = func(text string) { told = text }
	if got := p.Error(errors.New("a: odd")); got != "a: odd" || told != got {
		t.Errorf("%q, told of %q", got, told)
	}
}

func TestUnknownLanguage(t *testing.T) {
	if _, err := For("tlh"); err == nil || err.Error() != `unknown language "tlh": want en or zh` {
		t.Errorf("error %v", err)
	}
}

func TestATranslationMayLeaveAValueOut(t *testing.T) {
	p := printer(t, "%d of %d frames", "共 %[2]d 帧", "%s and %s", "%[1]s")
	for english, want := range map[string]string{"3 of 5 frames": "共 5 帧", "a and b": "a"} {
		if got := p.Text(english); got != want {
			t.Errorf("%q: %q, want %q", english, got, want)
		}
	}
}
