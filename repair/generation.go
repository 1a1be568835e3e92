package repair

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/store"
)

// firstNative is the first format without packed rows, whose readers check every
// row in full (docs/generations.md §2).
const firstNative = 2

// fork reports whether the log has a format that only a fork of dsh knows.
func (p *Plan) fork() bool { return p.Generation > session.Newest }

// logName returns the name of the repaired log in its session directory.
func (p *Plan) logName() string {
	return session.LogName{Generation: p.Generation, Zstd: p.written() == scan.Zstd}.String()
}

// parseHeader reads a header line, without its LF, as a dsh of the generation does.
func parseHeader(line []byte, generation int64) (*session.Header, *session.Refusal) {
	if generation < firstNative {
		return session.ParseFirst(line, generation)
	}
	return session.ParseGeneration(line, generation)
}

// maxLead bounds the lines before a header that has lost its place.
const maxLead = 64

// statedGeneration returns the generation that the first header in the log states,
// 0 when there is none near its start.
func statedGeneration(src io.ReaderAt, size int64, encoding scan.Encoding) (int64, error) {
	r, err := scan.NewReader(src, size, scan.Options{Encoding: encoding, Salvage: true})
	if err != nil {
		return 0, err
	}
	lines := 0
	for record := range r.Records() {
		text := record.Text[padding(record.Text):]
		if generation := scan.OwnGeneration(text, ""); generation > 0 {
			return generation, nil
		}
		if lines++; lines == maxLead {
			break
		}
	}
	return 0, r.Err()
}

// readerOf returns the name of the first version of dsh that reads logs of a
// generation, "" for that of a fork. No version ever wrote v1: it is taken over.
func readerOf(generation int64) string {
	for _, v := range scan.GenerationReaders() {
		if v.Generation >= generation {
			return v.Name
		}
	}
	return ""
}

// hiding returns the log beside the one at path that dsh opens in its place: the
// highest generation of the same encoding; "" when it is the log itself.
func hiding(path string) string {
	name, ok := session.ParseLogName(filepath.Base(path))
	if !ok {
		return ""
	}
	for _, winner := range store.ReadSession(filepath.Dir(path)).Winners() {
		if winner.Zstd == name.Zstd && winner.Generation > name.Generation {
			return winner.Path
		}
	}
	return ""
}

// refuseHidden refuses a log of a session that has gone on in a later format. dsh
// never changes the logs of earlier ones (docs/generations.md §7.1).
func (p *Plan) refuseHidden(winner string) {
	p.refuse(fmt.Sprintf("its session has gone on in %q, which dsh opens in its place, and dsh never changes the log of an earlier generation", winner),
		"apply --output DIR writes a repaired copy")
}

// adapt makes of a piece what it is in the log's own format: types have come and
// gone, and there are no packed rows from v2 on.
func (s *source) adapt(p *piece) {
	if s.generation < firstNative || p.header || p.junk != "" {
		return
	}
	if p.record.Kind == scan.Row {
		p.junk, p.span.Events = fmt.Sprintf("packed row, which format v%d does not have", s.generation), 0
		return
	}
	know(p.record, s.generation)
}

// know gives the event of a record the type that it has in a generation.
func know(r *scan.Record, generation int64) {
	if generation >= firstNative {
		r.Event.Kind = session.AnyTypeOf(r.Event.Type).In(min(generation, session.Newest))
	}
}
