package report_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/report"
)

func TestShardsMakeTheReportOfOneRun(t *testing.T) {
	whole := every(t)
	seen := make(map[string]bool)
	whole.Files = slices.DeleteFunc(whole.Files, func(f *report.File) bool {
		again := seen[f.Path] || strings.Contains(f.Path, "\xe9")
		seen[f.Path] = true
		return again
	})
	slices.SortFunc(whole.Files, func(a, b *report.File) int { return report.ComparePaths(a.Path, b.Path) })
	slices.SortFunc(whole.Stores, func(a, b *report.Store) int { return report.ComparePaths(a.Path, b.Path) })
	shards := make([]report.Report, 4)
	shards[3].Stores = whole.Stores
	for i, f := range whole.Files {
		s := &shards[i%len(shards)]
		s.Files = append(s.Files, f)
	}
	for _, format := range machineFormats {
		t.Run(format, func(t *testing.T) {
			var parts []report.Part
			for i := range shards {
				parts = append(parts, report.Part{Name: "shard", Report: read(t, written(t, format, &shards[i], options))})
			}
			merged, err := report.Merge(parts)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(written(t, format, whole, options), written(t, format, merged, options)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReportsThatAreNoParts(t *testing.T) {
	of := func(version string, paths ...string) *report.Report {
		r := &report.Report{Version: version}
		for _, path := range paths {
			r.Files = append(r.Files, &report.File{Path: path})
		}
		return r
	}
	tests := []struct {
		name string
		a, b *report.Report
		want string
	}{
		{"different logs", of("", "a"), of("", "b"), ""},
		{"one version", of("v1", "a"), of("v1", "b"), ""},
		{"a report that does not say its version", of("v1", "a"), of("", "b"), ""},
		{"two versions", of("v1", "a"), of("v2", "b"), "2.sarif: turnlint v2 wrote it, but another one is of turnlint v1"},
		{"a log twice", of("", "a\n:"), of("", "b", "a\n:"), `2.sarif: "a\n:" is in 1.sarif already`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := report.Merge([]report.Part{{Name: "1.sarif", Report: tt.a}, {Name: "2.sarif", Report: tt.b}})
			var mergeErr *report.MergeError
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (!errors.As(err, &mergeErr) || err.Error() != tt.want):
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestComparePathsIsTheOrderOfAWalk(t *testing.T) {
	want := []string{"-", "a", "a/b", "a/b/c", "a/bc", "a-b", "a.jsonl", "caf\xe9", "caf\\xe9/x", "z"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, report.ComparePaths)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
