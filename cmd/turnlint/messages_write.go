package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/repair"
)

// write writes the history as text: the messages, with - before those that go in a
// repair and + before those that come.
func (m *messages) write(c *cli.Context, unit string) error {
	out, l := c.App.Writer, shared.Lang(c)
	fmt.Fprintf(out, "\n  %s\n", m.summary(l))
	w := columns.NewTable(out)
	all := m.changes()
	if len(all) > 0 {
		fmt.Fprint(w, "    ")
		heads(w, l, "seq", unit, "type", "role", "bytes", "id")
	}
	for i := range all {
		one := &all[i]
		line := l.Text("made up")
		if one.line > 0 {
			line = fmt.Sprint(one.line)
		}
		fmt.Fprintf(w, "  %c %d\t%s\t%s\t%s\t%d\t%s", one.mark, one.seq, line, one.kind, printable(one.role), one.size, printable(one.id))
		if m.texts {
			fmt.Fprintf(w, "  %s", escape.Line(string(one.content)))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if m.plan == nil {
		return nil
	}
	_, err := fmt.Fprintf(out, "  %s\n", m.repairInWords(l))
	return err
}

// maxName is the most characters of a name that are shown: a longer one is meant to
// be in the way.
const maxName = 100

// printable returns a JavaScript string, such as an id, for a table on a terminal.
func printable(wtf8 string) string {
	line := escape.Line(jsjson.ToValidUTF8(wtf8))
	if utf8.RuneCountInString(line) > maxName {
		return string([]rune(line)[:maxName]) + "…"
	}
	return line
}

func (m *messages) summary(l *lang.Printer) string {
	if m.now.refusal != nil {
		return l.Text("no history: dsh refuses the log")
	}
	return l.Textf("history: %v that dsh gives to the model", l.Count(int64(len(m.now.all)), "message"))
}

func (m *messages) repairInWords(l *lang.Printer) string {
	switch {
	case m.plan.Action == repair.Refuse:
		return l.Textf("turnfix would not repair it: %v", escape.Line(l.Text(m.plan.Reason)))
	case m.plan.Action == repair.Nothing:
		return l.Text("there is nothing to repair")
	case !m.changed():
		return l.Text("a repair changes nothing in it")
	}
	return l.Textf("after a repair: %v; - goes, + comes", l.Count(int64(len(m.repaired.all)), "message"))
}

// messagesJSON is the history for programs.
type messagesJSON struct {
	Refused bool          `json:"refused"` // dsh refuses the log, so that there is no history
	Now     []messageJSON `json:"now"`
	// Repair is what turnfix would do with nothing allowed: nothing, repair or refuse.
	// Of a session in a database it is absent.
	Repair   repair.Action `json:"repair,omitempty"`
	Repaired []messageJSON `json:"repaired,omitzero"` // only of a repair
}

type messageJSON struct {
	Seq     int64           `json:"seq"`
	Line    int             `json:"line,omitempty"` // absent for one that dsh makes up on load, and in a database
	Type    string          `json:"type"`
	Role    json.RawMessage `json:"role"`
	ID      json.RawMessage `json:"id"`
	Bytes   int64           `json:"bytes"`
	Content json.RawMessage `json:"content,omitempty"` // only if asked for
}

func (m *messages) json(in *inspection) *messagesJSON {
	if m == nil {
		return nil
	}
	j := &messagesJSON{Refused: m.now.refusal != nil, Now: m.table(m.now.all, in)}
	if m.plan != nil {
		j.Repair = m.plan.Action
	}
	if m.repaired != nil {
		j.Repaired = m.table(m.repaired.all, in)
	}
	return j
}

func (m *messages) table(all []message, in *inspection) []messageJSON {
	table := make([]messageJSON, 0, len(all))
	for i := range all {
		one := &all[i]
		j := messageJSON{
			Seq: one.seq, Line: in.lineIn(one.line), Type: one.kind, Bytes: one.size,
			Role: jsjson.AppendQuoted(nil, one.role), ID: jsjson.AppendQuoted(nil, one.id),
		}
		if m.texts {
			j.Content = bytes.Clone(one.content)
		}
		table = append(table, j)
	}
	return table
}
