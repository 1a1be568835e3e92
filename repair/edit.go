package repair

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
)

// Edit gives a record another text in one place. All its other bytes stay.
type Edit struct {
	At     int        `json:"at"`     // byte offset in the text of the record
	Len    int        `json:"len"`    // bytes that go
	Text   string     `json:"text"`   // takes their place
	Member string     `json:"member"` // that changes, such as "data.id"
	Allow  Permission `json:"allow"`  // by which it is done
}

func byPlace(a, b Edit) int { return cmp.Compare(a.At, b.At) }

// meets reports whether two edits change the same bytes.
func (e Edit) meets(other Edit) bool {
	return e.At < other.At+other.Len && other.At < e.At+e.Len
}

// appendEdited appends text with edits, which are in the order of their places.
func appendEdited(dst, text []byte, edits []Edit) []byte {
	done := 0
	for _, e := range edits {
		dst = append(append(dst, text[done:e.At]...), e.Text...)
		done = e.At + e.Len
	}
	return append(dst, text[done:]...)
}

// setValue makes the edit that gives a member another value.
func setValue(r *scan.Record, member string, v jsjson.Value, value string) Edit {
	return Edit{At: r.Doc.Offset(v), Len: len(v.Raw()), Text: value, Member: member}
}

// addMember makes the edit that adds a member to an object, behind its others. key
// is a plain word.
func addMember(r *scan.Record, member string, object jsjson.Value, key, value string) Edit {
	lead := ","
	if object.Len() == 0 {
		lead = ""
	}
	end := r.Doc.Offset(object) + len(object.Raw()) - 1
	return Edit{At: end, Text: lead + `"` + key + `":` + value, Member: member}
}

// removeMember makes the edit that takes a member out of the envelope, with the comma
// that sets it apart. That is the one on the side of the type, which always stays:
// so the edits for several members never overlap, and each can go without the others.
func removeMember(r *scan.Record, name string, m jsjson.Member) Edit {
	from := r.Doc.Offset(m.Key)
	to := r.Doc.Offset(m.Value) + len(m.Value.Raw())
	if from < r.Doc.Offset(r.Event.Type) {
		to += bytes.IndexByte(r.Text[to:], ',') + 1
	} else {
		from = bytes.LastIndexByte(r.Text[:from], ',')
	}
	return Edit{At: from, Len: to - from, Member: name}
}

// Rewrite counts the events that need what one permission does.
type Rewrite struct {
	Allow Permission `json:"allow"`
	// Before are those in the kept history, and After those in the repaired log:
	// none, or it is not published.
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// rewrites counts what the edits of p do, by permission.
func (p *Plan) rewrites() (all []Rewrite) {
	for i := range p.Parts {
		for _, s := range p.Parts[i].Lines {
			var seen []Permission
			for _, e := range s.Edits {
				if slices.Contains(seen, e.Allow) {
					continue
				}
				seen = append(seen, e.Allow)
				k := slices.IndexFunc(all, func(r Rewrite) bool { return r.Allow == e.Allow })
				if k < 0 {
					k = len(all)
					all = append(all, Rewrite{Allow: e.Allow})
				}
				all[k].Before += s.Events
			}
		}
	}
	slices.SortFunc(all, func(a, b Rewrite) int { return cmp.Compare(a.Allow, b.Allow) })
	return all
}

// editRecord is what lost+found keeps of an edit.
type editRecord struct {
	PlainOff int64      `json:"plainOff"` // of the record, in the decoded text
	At       int        `json:"at"`       // byte offset in the record as it was
	Member   string     `json:"member"`
	Allow    Permission `json:"allow"`
	Before   rawText    `json:"before"` // the bytes that went
	After    string     `json:"after"`  // those in their place
}

// writeEdits writes every edit with the bytes that it takes away, one JSON object a
// line.
func (p *Plan) writeEdits(w io.Writer, src io.ReaderAt) error {
	text := p.openText(src)
	defer text.close()
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range p.Parts {
		for _, s := range p.Parts[i].Lines {
			if len(s.Edits) == 0 {
				continue
			}
			record, err := text.record(&s)
			if err != nil {
				return err
			}
			for _, e := range s.Edits {
				before := rawText(record[e.At : e.At+e.Len])
				if err := enc.Encode(editRecord{s.PlainOff, e.At, e.Member, e.Allow, before, e.Text}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
