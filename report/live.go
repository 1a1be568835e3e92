package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/rules"
)

// Live reports on logs that are being written.
type Live interface {
	// Update writes findings that are new, and what the log is by now: f. The Live
	// keeps nothing of them.
	Update(f *File, fresh []rules.Finding) error
}

// LiveFormats returns the names that [NewLive] knows.
func LiveFormats() []string { return []string{"text", "ndjson"} }

// NewLive returns a Live of the named format. That of ndjson writes the findings, and
// the summary of the file behind those that belong together: the last one counts.
func NewLive(format string, w io.Writer, opt Options) (Live, error) {
	switch format {
	case "text":
		return &liveText{verdicts: make(map[string]string), textWriter: textWriter{opt: opt, w: bufio.NewWriter(w), paint: newPalette(opt.Color)}}, nil
	case "ndjson":
		return &liveNDJSON{newLines(w)}, nil
	}
	return nil, fmt.Errorf("a log that is being written is reported as text or ndjson, not as %q", format)
}

type liveText struct {
	textWriter
	verdicts map[string]string // that were written last, by path
}

// Update implements [Live].
func (l *liveText) Update(f *File, fresh []rules.Finding) error {
	path := escape.Line(f.Path)
	width := placeWidth(path, fresh)
	for i := range fresh {
		l.finding(path, width, &fresh[i], false)
	}
	if verdict := l.verdict(f); verdict != l.verdicts[f.Path] {
		fmt.Fprintf(l.w, "%s: %s\n", l.paint.bold.Sprint(path), verdict)
		l.verdicts[f.Path] = verdict
	}
	return l.w.Flush()
}

type liveNDJSON struct{ lines }

// Update implements [Live].
func (l *liveNDJSON) Update(f *File, fresh []rules.Finding) error {
	for j := range listed(f.Path, fresh, nil) {
		if err := l.enc.Encode(j); err != nil {
			return err
		}
	}
	if err := l.enc.Encode(newSummary(f, schemaVersion)); err != nil {
		return err
	}
	return l.w.Flush()
}
