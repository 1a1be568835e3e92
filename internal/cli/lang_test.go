package cli

import (
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/internal/lang"
)

func TestTheFlagWinsOverTheEnvironment(t *testing.T) {
	for _, tt := range []struct {
		name, locale string
		args         []string
		want         string
	}{
		{"the environment", "zh_CN.UTF-8", []string{"log"}, lang.Chinese},
		{"the flag", "zh_CN.UTF-8", []string{"log", "--lang", "en"}, lang.English},
		{"with an equals sign", "C", []string{"--lang=zh", "log"}, lang.Chinese},
		{"with one dash", "C", []string{"-lang", "zh"}, lang.Chinese},
		{"the last of two", "C", []string{"--lang", "en", "--lang", "zh"}, lang.Chinese},
		{"a file of that name", "C", []string{"--", "--lang", "zh"}, lang.English},
		{"without its value", "C", []string{"--lang"}, lang.English},
		{"an unknown one", "zh_CN.UTF-8", []string{"--lang", "tlh"}, lang.Chinese},
	} {
		t.Setenv("LC_ALL", tt.locale)
		app := &cli.App{Metadata: map[string]any{}}
		if err := setLang(app, tt.args); err != nil {
			t.Fatal(err)
		}
		if got := langOf(app).Name(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
