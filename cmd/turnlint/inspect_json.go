package main

import (
	"encoding/json"
	"io"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// The members are those of the conformance vectors, so that the two can be
// compared. Text of dsh is JSON as JavaScript writes it: it may hold lone
// surrogates, which a Go string cannot.
type inspectionJSON struct {
	Path       string            `json:"path"`
	Session    *string           `json:"session,omitempty"` // id of one in a database
	Encoding   string            `json:"encoding"`
	Bytes      int64             `json:"bytes"`
	SHA256     string            `json:"sha256,omitempty"`     // not of a session in a database
	Generation *int64            `json:"generation,omitempty"` // of the header, where it names one
	Verdict    *scan.Verdict     `json:"verdict,omitempty"`    // not of an earlier scanner
	Reader     string            `json:"reader,omitempty"`     // only where one was asked for
	Readers    *readersJSON      `json:"readers,omitempty"`    // not of a log with a line that was not read
	Scan       any               `json:"scan,omitempty"`       // not of a log with a line that was not read
	Load       any               `json:"load,omitempty"`
	Closers    []json.RawMessage `json:"closers"`
	Invariants []invariantJSON   `json:"invariants"`
	Frames     []frameJSON       `json:"frames,omitempty"`
	Turns      []turnJSON        `json:"turns,omitempty"`
	Events     []eventJSON       `json:"events,omitzero"`
	Messages   *messagesJSON     `json:"messages,omitempty"`
}

type refusalJSON struct {
	OK         bool            `json:"ok"`
	Error      json.RawMessage `json:"error"`
	ErrorClass session.Class   `json:"errorClass"`
}

type scanJSON struct {
	OK             bool   `json:"ok"`
	EventCount     int64  `json:"eventCount"`
	EventsSHA256   string `json:"eventsSha256"`
	CommittedBytes int64  `json:"committedBytes"`
	TornStart      *int64 `json:"tornStart,omitempty"`
	Recovered      int64  `json:"recovered"`
	Frames         *int   `json:"frames,omitempty"`
}

// rowsJSON is the scan of a session in a database.
type rowsJSON struct {
	OK           bool   `json:"ok"`
	EventCount   int64  `json:"eventCount"`
	EventsSHA256 string `json:"eventsSha256"`
	TornFrom     *int64 `json:"tornFrom,omitempty"` // seq from which a repair deletes rows
}

type loadJSON struct {
	OK           bool   `json:"ok"`
	EventCount   int64  `json:"eventCount"`
	EventsSHA256 string `json:"eventsSha256"`
}

type invariantJSON struct {
	Index   int64           `json:"index"`
	Seq     int64           `json:"seq"`
	Message json.RawMessage `json:"message"`
}

type frameJSON struct {
	Frame       int    `json:"frame"`
	FileOffset  int64  `json:"fileOffset"`
	Length      int64  `json:"length"`
	PlainOffset int64  `json:"plainOffset"`
	PlainLength int64  `json:"plainLength"`
	Blocks      int    `json:"blocks"`
	Checksum    bool   `json:"checksum"`
	Torn        bool   `json:"torn"`
	Error       string `json:"error,omitempty"`
}

type turnJSON struct {
	Turn   json.RawMessage `json:"turn"`
	Line   int             `json:"line,omitempty"` // not of a session in a database
	Seq    int64           `json:"seq"`
	EndSeq int64           `json:"endSeq"`
	Start  int64           `json:"start"`
	End    int64           `json:"end"`
	Reason json.RawMessage `json:"reason,omitempty"`
	Steps  int64           `json:"steps"`
	Calls  int64           `json:"calls"`
	Events int64           `json:"events"`
	Open   bool            `json:"open"`
}

func writeInspectionJSON(c *cli.Context, in *inspection) error {
	return encode(c.App.Writer, newInspectionJSON(in))
}

func newInspectionJSON(in *inspection) *inspectionJSON {
	reading, container := in.result.Reading, in.result.Container
	j := &inspectionJSON{
		Path: escape.UTF8(in.path), Session: sessionID(in), Encoding: container.Encoding.String(), Bytes: container.Size, SHA256: in.sha256,
		Generation: generation(reading.Header), Verdict: &reading.Verdict, Reader: in.reader,
		Closers: rawMessages(reading.Closers), Invariants: invariants(reading.Violation),
		Frames: frameTable(in.frames), Turns: turnTable(in), Events: eventTable(in), Messages: in.messages.json(in),
	}
	if !reading.Unread {
		j.Readers = newReaders(in)
		j.Scan, j.Load = scanMember(&reading.Scan, container), loadMember(reading)
	}
	return j
}

// sessionID returns the id of a session in a database as dsh prints it, nil for a file.
func sessionID(in *inspection) *string {
	if in.session == nil {
		return nil
	}
	id := database.Name(*in.session)
	return &id
}

// generation returns the format version that a header states, nil for none.
func generation(h *session.Header) *int64 {
	if h == nil || h.Version < 0 || h.Version != math.Trunc(h.Version) || h.Version > 1<<53-1 {
		return nil
	}
	n := int64(h.Version)
	return &n
}

// encode writes v as one line that can be looked at in a terminal.
func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(escape.JSONWriter(w))
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func scanMember(s *scan.ScanResult, c *scan.Container) any {
	if s.Refusal != nil {
		return newRefusal(s.Refusal)
	}
	if c.Encoding == scan.SQLite {
		return &rowsJSON{true, s.Events, s.Digest, s.TornFrom}
	}
	j := &scanJSON{
		OK: true, EventCount: s.Events, EventsSHA256: s.Digest, CommittedBytes: s.Committed, Recovered: s.Recovered,
	}
	if s.Torn {
		j.TornStart = &s.Committed
	}
	if c.Encoding == scan.Zstd {
		j.Frames = &c.Frames
	}
	return j
}

// loadMember repeats a refusal of the scan, because dsh does not get further.
func loadMember(r *scan.Reading) any {
	if refusal := r.Refusal(); refusal != nil {
		return newRefusal(refusal)
	}
	return &loadJSON{true, r.Load.Events, r.Load.Digest}
}

func newRefusal(r *session.Refusal) *refusalJSON {
	return &refusalJSON{Error: jsjson.AppendQuoted(nil, r.Text), ErrorClass: r.Class}
}

func rawMessages(texts [][]byte) []json.RawMessage {
	all := make([]json.RawMessage, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return all
}

func invariants(v *scan.Violation) []invariantJSON {
	if v == nil {
		return []invariantJSON{}
	}
	return []invariantJSON{{Index: v.Index, Seq: v.Index, Message: jsjson.AppendQuoted(nil, v.Text)}}
}

func frameTable(frames []scan.FrameInfo) []frameJSON {
	var table []frameJSON
	for _, f := range frames {
		j := frameJSON{
			Frame: f.Number, FileOffset: f.FileOff, Length: f.Len, PlainOffset: f.PlainOff, PlainLength: f.PlainLen,
			Blocks: f.Blocks, Checksum: f.Checksum, Torn: f.Torn,
		}
		if f.Err != nil {
			j.Error = string(f.Err.Cause)
		}
		table = append(table, j)
	}
	return table
}

func turnTable(in *inspection) []turnJSON {
	var table []turnJSON
	for _, t := range in.turns {
		j := turnJSON{
			Turn: jsjson.AppendQuoted(nil, t.Number), Line: in.lineIn(t.Line), Seq: t.Seq, EndSeq: t.EndSeq, Start: t.Start, End: t.End,
			Steps: t.Steps, Calls: t.Calls, Events: t.Events, Open: t.Open,
		}
		if t.Reason != "" {
			j.Reason = jsjson.AppendQuoted(nil, t.Reason)
		}
		table = append(table, j)
	}
	return table
}
