package langtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const code = `package p

import "fmt"

const why = "for a reason"

type options struct {
	Help string ` + "`json:\"help me\"`" + `
}

func f(n int, name string) {
	fmt.Println("a whole message")
	fmt.Println("name", "%d: %q")
	say("word")
	fmt.Errorf("not %d of %q: %w", n, name, g("inner words"))
	say(name + " stays, " + why)
	name += " and goes on"
	fmt.Fprintf(nil, "%s goes\n", name)
	ask("not this one")
	_ = options{Help: "nor this one"}
}
`

func TestMessagesAreFound(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"p.go": code, "p_test.go": `package p; const c = "of a test"`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	source := Source{Dir: dir, Says: []string{"say"}, Not: []string{"ask", "Help"}}
	found, err := source.messages()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range found {
		got = append(got, m.format)
	}
	want := []string{
		"for a reason", "a whole message", "word", "not %d of %q: %s", "inner words",
		"%s stays, for a reason", "%s and goes on",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
