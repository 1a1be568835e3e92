package database

import (
	"bytes"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
)

func text(s string) Value { return Value{Class: Text, Bytes: []byte(s)} }

func blob(s string) Value { return Value{Class: Blob, Bytes: []byte(s)} }

func integer(n int64) Value { return Value{Class: Integer, Int: n} }

// event returns the row of an event with the given data.
func event(data Value) Row {
	return Row{Seq: integer(7), Type: text("step/end"), Time: integer(9), Data: data}
}

// chunks returns a packed row with the given texts.
func chunks(texts string) Row {
	r := event(text(`{"turn":1,"step":1,"index":0,"dt":[1,1],"texts":` + texts + `}`))
	r.Type, r.Ignorable = text("text-chunks"), integer(0)
	return r
}

func TestRows(t *testing.T) {
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	frame := func(s string) Value { return Value{Class: Blob, Bytes: encoder.EncodeAll([]byte(s), nil)} }
	with := func(r Row, change func(*Row)) Row { change(&r); return r }
	tests := []struct {
		name string
		row  Row
		kind scan.Kind
		want string // the text of what decodes, else the fault or the refusal
	}{
		{"an event", event(text(`{"a":1}`)), scan.Event, `{"type":"step/end","seq":7,"time":9,"data":{"a":1}}`},
		{
			"with all columns",
			with(event(text(` [1] `)), func(r *Row) {
				r.Sources, r.SurfaceOp, r.Ignorable = blob("\x05"), text(`"append"`), integer(1)
			}),
			scan.Event, `{"type":"step/end","seq":7,"time":9,"data": [1] ,"sourceEventSeqs":[5],"surfaceOp":"append","ignorable":true}`,
		},
		{"compressed", event(frame(`{"a":1}`)), scan.Event, `{"type":"step/end","seq":7,"time":9,"data":{"a":1}}`},
		{"compressed behind a byte order mark", event(frame("\uFEFF1")), scan.Event, `{"type":"step/end","seq":7,"time":9,"data":1}`},
		{"text behind one", event(text("\uFEFF1")), scan.Undecodable, "data is no JSON"},
		{"compressed bytes that are no UTF-8", event(frame("\"\xff\"")), scan.Undecodable, "compressed data is not valid UTF-8"},
		{"text that is none", event(text("\"\xff\"")), scan.Event, "{\"type\":\"step/end\",\"seq\":7,\"time\":9,\"data\":\"\xff\"}"},
		{"a type that is no UTF-8", with(event(text("1")), func(r *Row) { r.Type = text("a\xe2\x82") }), scan.Event, `{"type":"a` + "\uFFFD" + `","seq":7,"time":9,"data":1}`},
		{"a packed row", chunks(`["a","b","c"]`), scan.Row, `{"type":"text-chunks","seq0":7,"time0":9,"data":{"turn":1,"step":1,"index":0,"dt":[1,1],"texts":["a","b","c"]}}`},
		{"a tag without the mark", with(chunks(`["a","b","c"]`), func(r *Row) { r.Ignorable = Value{} }), scan.Event, `{"type":"text-chunks","seq":7,"time":9,"data":{"turn":1,"step":1,"index":0,"dt":[1,1],"texts":["a","b","c"]}}`},
		{"the mark without a tag", with(event(text("1")), func(r *Row) { r.Ignorable = integer(0) }), scan.Undecodable, "no packed row, although ignorable is 0"},
		{"a packed row that is too long", with(chunks(`["a","b","`+strings.Repeat("c", maxPacked)+`"]`), func(*Row) {}), scan.Undecodable, packedTooLong},
		{"numbers that are real", with(event(text("1")), func(r *Row) { r.Seq, r.Time = Value{Class: Real, Real: 7}, Value{Class: Real, Real: -9} }), scan.Event, `{"type":"step/end","seq":7,"time":-9,"data":1}`},
		{"an empty list of sources", with(event(text("1")), func(r *Row) { r.Sources = blob("") }), scan.Event, `{"type":"step/end","seq":7,"time":9,"data":1,"sourceEventSeqs":[]}`},

		// Columns hold one value each, whatever text they join to.
		{"data that would be two members", event(text(`1,"seq":99`)), scan.Undecodable, "data is no JSON"},
		{"data that would be repeated", event(text(`{},"data":{}`)), scan.Undecodable, "data is no JSON"},
		{"data that would go on in the next column", with(event(text(`{"a":1`)), func(r *Row) { r.SurfaceOp = text(`"append"}`) }), scan.Undecodable, "surface_op is no JSON"},
		{"no data at all", event(text("")), scan.Undecodable, "data is no JSON"},

		{"a time that is a text", with(event(text("1")), func(r *Row) { r.Time = text("9") }), scan.Undecodable, "stored time must be a safe integer"},
		{"a seq with a fraction", with(event(text("1")), func(r *Row) { r.Seq = Value{Class: Real, Real: 7.5} }), scan.Undecodable, "stored seq must be a safe integer"},
		{"a time beyond 2^53", with(event(text("1")), func(r *Row) { r.Time = integer(-1 << 53) }), scan.Undecodable, "Value is too large to be represented as a JavaScript number: -9007199254740992"},
		{"a value that was not read", event(Value{Class: Text, TooLong: true}), scan.TooLong, ""},
		{"one that is too long once it is decompressed", event(frame(`"` + strings.Repeat("a", 1<<21) + `"`)), scan.TooLong, ""},
	}
	d := decoder{limit: 1 << 20}
	defer d.zstd.Close()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var record scan.Record
			d.decode(&tt.row, &record)
			got := record.Stored.Fault
			switch {
			case record.Stored.Refusal != nil:
				got = record.Stored.Refusal.Text
			case record.Kind == scan.Event || record.Kind == scan.Row:
				got = string(record.Text)
			}
			if record.Kind != tt.kind || got != tt.want {
				t.Errorf("kind %d, %.200s\nwant kind %d, %.200s", record.Kind, got, tt.kind, tt.want)
			}
		})
	}
}

// FuzzRows checks that a row that decodes has the members of its columns and no
// others, whatever bytes the columns hold.
func FuzzRows(f *testing.F) {
	f.Add("step/end", `{"a":1}`, "\x05", `"append"`, int64(-1))
	f.Add("text-chunks", `{"turn":1,"step":1,"index":0,"dt":[1,1],"texts":["a","b","c"]}`, "", "", int64(0))
	f.Add("step/end", `1,"seq":99`, "", "", int64(1))
	f.Add("step/end", `{"a":1`, "", `1}`, int64(-1))
	d := decoder{limit: 1 << 16}
	f.Fuzz(func(t *testing.T, kind, data, sources, op string, mark int64) {
		r := event(text(data))
		r.Type = text(kind)
		if sources != "" {
			r.Sources = blob(sources)
		}
		if op != "" {
			r.SurfaceOp = text(op)
		}
		if mark >= 0 {
			r.Ignorable = integer(mark)
		}
		var record scan.Record
		d.decode(&r, &record)
		if record.Kind != scan.Event {
			return
		}
		e := &record.Event
		if seq, _ := e.Seq.SafeInt(); seq != 7 || e.Foreign.Exists() || e.Sources.Exists() != (sources != "") || e.Surface.Exists() != (op != "") {
			t.Errorf("other members: %q", record.Text)
		}
		if !jsjson.Valid([]byte(data)) || !bytes.Equal(e.Data.Raw(), bytes.Trim([]byte(data), " \t\r\n")) {
			t.Errorf("data %q from %q", e.Data.Raw(), data)
		}
	})
}
