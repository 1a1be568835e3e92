package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnlint/turnlint/internal/escape"
)

// Part is a report with its name, for messages.
type Part struct {
	Name string
	*Report
}

// MergeError says why reports cannot become one.
type MergeError struct {
	Name string // of the report at fault
	What string
}

// Error returns the name and what is wrong as one printable line.
func (e *MergeError) Error() string { return escape.Line(e.Name + ": " + e.What) }

// Merge returns one report of what several have, in the order of [ComparePaths].
// Its error is a [*MergeError]: reports that different versions of turnlint
// wrote, or a log that is in two of them.
func Merge(parts []Part) (*Report, error) {
	all := &Report{}
	where := make(map[string]string) // the part that has a path
	for _, part := range parts {
		switch {
		case all.Version == "":
			all.Version = part.Version
		case part.Version != "" && part.Version != all.Version:
			return nil, &MergeError{part.Name, mixedVersions(part.Version, all.Version).Error()}
		}
		for _, subject := range part.subjects() {
			if first, ok := where[subject]; ok {
				_, path, _ := strings.Cut(subject, ":")
				return nil, &MergeError{part.Name, fmt.Sprintf("%q is in %s already", path, first)}
			}
			where[subject] = part.Name
		}
		all.Stores = append(all.Stores, part.Stores...)
		all.Files = append(all.Files, part.Files...)
	}
	all.Sort()
	return all, nil
}

// Sort puts the report in the order of [ComparePaths].
func (r *Report) Sort() {
	slices.SortStableFunc(r.Stores, func(a, b *Store) int { return ComparePaths(a.Path, b.Path) })
	slices.SortStableFunc(r.Files, func(a, b *File) int { return ComparePaths(a.Path, b.Path) })
}

func mixedVersions(version, before string) error {
	return fmt.Errorf("turnlint %s wrote it, but another one is of turnlint %s", version, before)
}

// subjects returns what the report is about, each with its kind.
func (r *Report) subjects() (all []string) {
	for _, s := range r.Stores {
		all = append(all, kindStore+":"+escape.UTF8(s.Path))
	}
	for _, f := range r.Files {
		all = append(all, kindFile+":"+escape.UTF8(f.Path))
	}
	return all
}

// Write gives a Writer what is in the report, and ends it.
func (r *Report) Write(w Writer) error {
	for _, s := range r.Stores {
		if err := w.Store(s); err != nil {
			return err
		}
	}
	for _, f := range r.Files {
		if err := w.File(f); err != nil {
			return err
		}
	}
	return w.Close()
}

// ComparePaths orders paths as a walk over directories meets them: by their
// elements. It takes paths as reports spell them, so that those that are read
// back have the same order.
func ComparePaths(a, b string) int {
	return cmp.Or(slices.Compare(elements(a), elements(b)), cmp.Compare(a, b))
}

func elements(path string) []string {
	return strings.Split(filepath.ToSlash(escape.UTF8(path)), "/")
}
