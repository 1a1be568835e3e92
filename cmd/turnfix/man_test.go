package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheManPageIsUpToDate(t *testing.T) {
	const page = "../../man/turnfix.1"
	want := program().Man()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is out of date: go test ./cmd/turnfix -run ManPage -update (-want +got):\n%s", page, diff)
	}
}
