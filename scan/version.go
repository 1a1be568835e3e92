package scan

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ReaderVersion is a version of dsh of which it is known what it makes of a log.
type ReaderVersion struct {
	// Name is the release, or the date of the commit for one that has no number.
	Name string
	// Alias is another name, "" for none.
	Alias string
	// Summary is what it reads, in a few words.
	Summary string
	// Generation is the format that it writes, and reads without a migration.
	Generation int64

	historic bool
	open     func(ModelOptions) versionReader
}

// versionReader takes the records of a log in order.
type versionReader interface {
	Add(*Record) bool
	Reading(*Container) *Reading
}

var readerVersions = []*ReaderVersion{
	{
		Name: "0.1.1-rc.2", Alias: "0.1.1", Summary: "format v0, plain and zstd, packed rows",
		open: func(opt ModelOptions) versionReader { return NewModel(opt) },
	},
	historicVersion(CutAtTurnEnd, "plain logs, up to the last turn/end"),
	historicVersion(ContiguousPrefix, "plain logs, up to the first hole in the sequence"),
	nativeVersion("0.1.3", 2, "format v2"),
	nativeVersion("0.1.5", 3, "format v3"),
	nativeVersion("0.1.7", 4, "format v4"),
	nativeVersion("0.2", 4, "format v4"),
}

// nativeVersion is a version that reads logs of its own format.
func nativeVersion(name string, generation int64, summary string) *ReaderVersion {
	return &ReaderVersion{Name: name, Summary: summary, Generation: generation, open: func(opt ModelOptions) versionReader {
		return NewNative(generation, Restore{}, opt)
	}}
}

func historicVersion(s Scanner, summary string) *ReaderVersion {
	return &ReaderVersion{Name: s.String(), Summary: summary, historic: true, open: func(opt ModelOptions) versionReader {
		return &historicReader{historic: NewHistoric(s, opt.Digests)}
	}}
}

// ReaderVersions returns the known versions, the default one first.
func ReaderVersions() []*ReaderVersion { return slices.Clone(readerVersions) }

// GenerationReaders returns a version for each format that dsh ever wrote, the
// oldest first.
func GenerationReaders() (all []*ReaderVersion) {
	for _, v := range readerVersions {
		if v.Generation > 0 && v.Generation == all[len(all)-1].Generation || v.Historic() {
			continue
		}
		all = append(all, v)
	}
	return all
}

// DefaultReader returns the version that verdicts are about unless another one
// is named.
func DefaultReader() *ReaderVersion { return readerVersions[0] }

// ShortName returns the shorter one of the names.
func (v *ReaderVersion) ShortName() string { return cmp.Or(v.Alias, v.Name) }

// Historic reports whether the version is from before the first release. It knows
// nothing of formats.
func (v *ReaderVersion) Historic() bool { return v.historic }

// ReaderNames returns all names of versions, an alias behind its name.
func ReaderNames() (names []string) {
	for _, v := range readerVersions {
		names = append(names, v.Name)
		if v.Alias != "" {
			names = append(names, v.Alias)
		}
	}
	return names
}

// ReaderNamed returns the version with a name such as "2026-06-15", or an error
// that names the known ones.
func ReaderNamed(name string) (*ReaderVersion, error) {
	for _, v := range readerVersions {
		if v.Name == name || v.Alias == name && name != "" {
			return v, nil
		}
	}
	return nil, fmt.Errorf("unknown reader %q: want one of %s", name, strings.Join(ReaderNames(), ", "))
}

// Read returns what this version makes of the log in the first size bytes of
// src. An error means that src could not be read.
func (v *ReaderVersion) Read(src io.ReaderAt, size int64, opt Options, m ModelOptions) (*Reading, error) {
	reader, err := NewReader(src, size, opt)
	if err != nil {
		return nil, err
	}
	version := v.open(m)
	for r := range reader.Records() {
		version.Add(r)
	}
	return version.Reading(reader.Container()), reader.Err()
}

// historicReader gives the verdict on what an earlier scanner makes of a log.
type historicReader struct {
	historic *Historic
	events   int64 // complete ones on disk
	logLike  bool  // something was a header or an event
	tooLong  bool  // a line was too long for the Reader
	packed   bool  // the first defect is a packed row, which only later versions knew
}

// Add takes the next record and reports whether the scanner kept it.
func (h *historicReader) Add(r *Record) bool {
	sound, kept := h.historic.hole == nil, h.historic.kept.events
	h.historic.Add(r)
	h.tooLong = h.tooLong || r.Kind == TooLong
	switch {
	case r.Kind == Header:
		h.logLike = startsLog(r.Text) || h.historic.refusal == nil && r.Terminated
	case r.IsEvent():
		h.logLike = true
		h.events += r.Events()
	}
	if sound && h.historic.hole != nil {
		h.packed = r.Kind == Row
	}
	return h.historic.kept.events > kept
}

// Reading returns the result once the last record has been added.
func (h *historicReader) Reading(c *Container) *Reading {
	r := &Reading{Unread: h.tooLong}
	if c.Encoding == Zstd {
		// It never looked for such a file, so that it has no words of its own for it.
		r.Verdict = Incompatible
		return r
	}
	r.Scan = h.historic.Result(c.Size)
	if r.Scan.Refusal == nil {
		r.Dropped = max(0, h.events-r.Scan.Events)
		r.Closers, r.Load.Refusal = h.historic.Closers()
		r.Load.Events = r.Scan.Events + int64(len(r.Closers))
	}
	r.Verdict = h.verdict(r)
	return r
}

// verdict sums up a reading (docs/format.md §8).
func (h *historicReader) verdict(r *Reading) Verdict {
	switch {
	case !h.logLike, r.Unread:
		return Unreadable
	case r.Scan.Refusal != nil && h.packed:
		return Incompatible
	case r.Refusal() != nil:
		return Damaged
	case r.Dropped > 0:
		return Loses
	case r.Scan.Torn, len(r.Closers) > 0:
		return Recovers
	}
	return Opens
}
