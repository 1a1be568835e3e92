package database

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/scan"
)

// shown returns a row as text, with the data decoded, and whether it was compressed.
func shown(t *testing.T, r *Row) string {
	t.Helper()
	var d decoder
	d.limit = DefaultMaxValue
	defer d.zstd.Close()
	text, fault := d.data(r)
	return fmt.Sprintf("%s %s %s %v %s %s %s %s%s", r.Seq.Literal(), r.Type.Literal(), r.Time.Literal(),
		r.Data.Class == Blob, r.Sources.Literal(), r.SurfaceOp.Literal(), r.Ignorable.Literal(), text, fault)
}

// TestRowsOfDshComeBackFromTheirRecords takes the rows that dsh itself has written
// apart and puts them together again.
func TestRowsOfDshComeBackFromTheirRecords(t *testing.T) {
	for _, v := range vectortest.LoadDatabases(t) {
		group, _, _ := strings.Cut(v.ID, "/")
		if group != "healthy" && group != "compressed" && group != "open" || v.ID == "healthy/legacy-shapes" {
			continue
		}
		t.Run(v.ID, func(t *testing.T) {
			d, err := Open(t.Context(), v.Copy(t, t.TempDir()), Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			for s, err := range d.Sessions() {
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(stored(t, s), encoded(t, s)); diff != "" {
					t.Errorf("session %q (-dsh +encoder):\n%s", s.ID, diff)
				}
			}
		})
	}
}

func stored(t *testing.T, s *Session) (rows []string) {
	t.Helper()
	for row, err := range s.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, shown(t, row))
	}
	return rows
}

func encoded(t *testing.T, s *Session) (all []string) {
	t.Helper()
	e, err := NewEncoder()
	if err != nil {
		t.Fatal(err)
	}
	r := s.Reader()
	for record := range r.Records() {
		if record.Kind == scan.Header {
			continue
		}
		rows, err := e.Append(nil, record)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			all = append(all, shown(t, &rows[i]))
		}
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return all
}

// run is a packed row of a log with n members of the given length.
func run(n, length int) string {
	text := `"` + strings.Repeat("x", length) + `"`
	return `{"type":"text-chunks","seq0":5,"time0":100,"data":{"turn":1,"step":1,"index":0,"dt":[` + strings.Repeat(",1", n-1)[min(1, n-1):] +
		`],"texts":[` + strings.TrimSuffix(strings.Repeat(text+",", n), ",") + `]}}`
}

func TestRunsAreCutWhereADatabaseHasLimits(t *testing.T) {
	for _, tt := range []struct {
		name       string
		n, length  int
		seqs       []int64 // of the rows
		packedRows int
	}{
		{"one member is an event", 1, 1, []int64{5}, 0},
		{"two members are events", 2, 1, []int64{5, 6}, 0},
		{"three are a row", 3, 1, []int64{5}, 1},
		{"1024 are a row", 1024, 1, []int64{5}, 1},
		{"1026 are a row and two events", 1026, 1, []int64{5, 1029, 1030}, 1},
		{"1027 are two rows", 1027, 1, []int64{5, 1029}, 2},
		{"no row is over 1 MiB", 8, 250_000, []int64{5, 9}, 2},
		{"three members over 1 MiB are events", 3, 500_000, []int64{5, 6, 7}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, err := NewEncoder()
			if err != nil {
				t.Fatal(err)
			}
			var r scan.Record
			if r.Reparse([]byte(run(tt.n, tt.length))); r.Kind != scan.Row {
				t.Fatal("the log has no packed row")
			}
			rows, err := e.Append(nil, &r)
			if err != nil {
				t.Fatal(err)
			}
			var seqs []int64
			packed := 0
			for i := range rows {
				if seqs = append(seqs, rows[i].Seq.Int); rows[i].packed() {
					packed++
				}
				if want := 100 + rows[i].Seq.Int - 5; rows[i].Time.Int != want {
					t.Errorf("row %d has the time %d, want %d", i, rows[i].Time.Int, want)
				}
			}
			if diff := cmp.Diff(tt.seqs, seqs); diff != "" || packed != tt.packedRows {
				t.Errorf("%d packed rows, want %d; seqs (-want +got):\n%s", packed, tt.packedRows, diff)
			}
		})
	}
}

func TestListsOfSourcesComeBack(t *testing.T) {
	for _, list := range []string{"[]", "[0]", "[5,6,7]", "[7,3,9007199254740991,0]", "[1,1]"} {
		var doc jsjson.Doc
		if err := doc.Parse([]byte(list)); err != nil {
			t.Fatal(err)
		}
		blob, err := encodeSources(nil, doc.Root)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := appendSources(nil, blob); err != nil || string(got) != list {
			t.Errorf("%s comes back as %s, %v", list, got, err)
		}
	}
}

func TestWhatNoDatabaseHoldsIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"another member":       `{"type":"a/b","seq":1,"time":1,"data":{},"meta":1}`,
		"a type that is empty": `{"type":"","seq":1,"time":1,"data":{}}`,
		"a lone surrogate":     `{"type":"a/\ud800","seq":1,"time":1,"data":{},"ignorable":true}`,
		"sources of no seqs":   `{"type":"a/b","seq":1,"time":1,"data":{},"sourceEventSeqs":[-1]}`,
		"a number":             `5`,
	} {
		e, err := NewEncoder()
		if err != nil {
			t.Fatal(err)
		}
		var r scan.Record
		r.Reparse([]byte(text))
		if rows, err := e.Append(nil, &r); err == nil {
			t.Errorf("%s becomes %d rows", name, len(rows))
		}
	}
}

func TestLiteralsKeepEveryByte(t *testing.T) {
	for _, tt := range []struct {
		value Value
		want  string
	}{
		{Value{}, "NULL"},
		{newInteger(-5), "-5"},
		{Value{Class: Real, Real: 0.1}, "1e-01"},
		{newText("it's"), "'it''s'"},
		{newText("a\x00b"), "CAST(X'610062' AS TEXT)"},
		{newText("\xff"), "CAST(X'FF' AS TEXT)"},
		{Value{Class: Blob, Bytes: []byte{}}, "X''"},
		{Value{Class: Blob, Bytes: []byte{1, 0xAB}}, "X'01AB'"},
	} {
		if got := tt.value.Literal(); got != tt.want {
			t.Errorf("%+v is %s, want %s", tt.value, got, tt.want)
		}
	}
}
