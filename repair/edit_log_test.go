package repair_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/repair"
)

// Events that dsh refuses for one of their members, and what becomes of them.
const (
	audit2     = `{"type":"acme/audit","seq":2,"time":30,"data":{}}`
	auditDone2 = `{"type":"acme/audit","seq":2,"time":30,"data":{},"ignorable":true}`
	noted2     = `{"type":"todo/note","seq":2,"uuid":"x","time":30,"data":{"text":"one\ntwo"}}`
	notedDone2 = `{"type":"todo/note","seq":2,"time":30,"data":{"text":"one\ntwo"},"ignorable":true}`
	asked2     = `{"type":"user/message","seq":2,"time":30.5,"data":{"role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":"append","uuid":1}`
	askedDone2 = `{"type":"user/message","seq":2,"time":30,"data":{"role":"user","content":[],"source":{"kind":"user"},"id":"repaired-message:s:2"},"surfaceOp":"append"}`
	row2       = `{"type":"tool-call-chunks","seq0":2,"time0":30,"data":{"turn":1,"step":1,"index":0,"dt":[],"id":"","args":["{","}"]}}`
	rowDone2   = `{"type":"tool-call-chunks","seq0":2,"time0":30,"data":{"turn":1,"step":1,"index":0,"dt":[0],"id":"repaired-call:s:5","args":["{","}"]}}`
	answer4    = `{"type":"assistant/message","seq":4,"time":31,"data":{"turn":1,"step":1,"message":{"id":"a","role":"assistant","content":[{"type":"tool-call","id":"","name":"ls","arguments":{}}],"source":{"kind":"model","provider":"p","model":"m"}}},"surfaceOp":"append"}`
	call5      = `{"type":"tool/call","seq":5,"time":32,"data":{"turn":1,"step":1,"callId":"","name":"ls","arguments":"{}"}}`
)

var (
	answerDone4 = strings.Replace(answer4, `"id":""`, `"id":"repaired-call:s:5"`, 1)
	callDone5   = strings.Replace(call5, `"callId":""`, `"callId":"repaired-call:s:5"`, 1)
)

// allowing permits edits by name.
func allowing(names ...repair.Permission) repair.Options { return repair.Options{Allow: names} }

func TestMembersAreEditedWhereverTheRecordLies(t *testing.T) {
	tests := []struct {
		name, log string
		opt       repair.Options
		want      string
	}{
		{"on a line of its own", text(header, start1, end1, audit2), allowing("mark-ignorable=acme/audit"), text(header, start1, end1, auditDone2)},
		{"on a line without line feed", text(header, start1, end1) + audit2, allowing("mark-ignorable=acme/audit"), text(header, start1, end1, auditDone2)},
		{"on a line of CRLF", text(header, start1, end1, audit2+"\r"), allowing("mark-ignorable=acme/audit"), text(header, start1, end1, auditDone2+"\r")},
		{"behind white space", text(header, start1, end1, " "+audit2+" "), allowing("mark-ignorable=acme/audit"), text(header, start1, end1, " "+auditDone2+" ")},
		{"glued to another", text(header, start1, end1+audit2), allowing("mark-ignorable=acme/audit"), text(header, start1, end1, auditDone2)},
		{"behind zeros and a partial record", text(header, start1, end1, "\x00\x00"+audit2[:20]+audit2), allowing("mark-ignorable=acme/audit"), text(header, start1, end1, auditDone2)},
		{
			"with a raw line feed in a string, and two members at once", text(header, start1, end1, strings.Replace(noted2, `\n`, "\n", 1)),
			allowing("mark-ignorable=todo/note", "move-member=todo/note:uuid"), text(header, start1, end1, notedDone2),
		},
		{
			"three members of one record", text(header, start1, end1, asked2),
			allowing("move-member=user/message:uuid", "round-time=user/message", "mint-id=user/message"), text(header, start1, end1, askedDone2),
		},
		{
			"before the header, whose id it needs", text(asked2, header, start1, end1) + text(asked2),
			allowing("move-member=user/message:uuid", "round-time=user/message", "mint-id=user/message"), text(header, start1, end1, askedDone2),
		},
		{
			"a row that dsh cannot read, of a call without an id", text(header, start1, `{"type":"step/start","seq":1,"time":20,"data":{"turn":1,"step":1}}`, row2, answer4, call5, `{"type":"todo/note","seq":6,"time":33,"data":{},"ignorable":true}`),
			allowing("pad-times=tool-call-chunks", "mint-call-id"), text(header, start1, `{"type":"step/start","seq":1,"time":20,"data":{"turn":1,"step":1}}`, rowDone2, answerDone4, callDone5),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if p := plan(t, []byte(tt.log), repair.Options{}); p.Action != repair.Refuse || len(p.NeedAllow) != len(tt.opt.Allow) {
				t.Errorf("%s without permission, which needs %v", p.Action, p.NeedAllow)
			}
			p := plan(t, []byte(tt.log), tt.opt)
			if p.Action != repair.Repair || p.Level != repair.Assisted {
				t.Fatalf("%s, %s: %s", p.Action, p.Level, p.Reason)
			}
			got := string(write(t, p, []byte(tt.log)))
			if diff := cmp.Diff(tt.want, got[:min(len(got), len(tt.want))]); diff != "" {
				t.Errorf("repaired log (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnEditRewritesOnlyTheFrameOfItsRecord(t *testing.T) {
	first, last := frame(t, text(header)), frame(t, text(`{"type":"todo/write","seq":3,"time":40,"data":{"todos":[]}}`))
	tests := []struct {
		name    string
		between [][]byte // frames
	}{
		{"with others in one frame", [][]byte{frame(t, text(start1, audit1, end1At2))}},
		{"in a frame of its own", [][]byte{frame(t, text(start1)), frame(t, text(audit1)), frame(t, text(end1At2))}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			image := slices.Concat(first, bytes.Join(tt.between, nil), last)
			p := plan(t, image, allowing("mark-ignorable=acme/audit"))
			if p.Action != repair.Repair {
				t.Fatalf("%s: %s", p.Action, p.Reason)
			}
			got := write(t, p, image)
			want := []string{header, start1, strings.Replace(audit1, "}}", `},"ignorable":true}`, 1), end1At2}
			if diff := cmp.Diff(want, lines(t, got)[:4]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			before, after := first, last
			if n := len(tt.between); n > 1 {
				before, after = slices.Concat(first, tt.between[0]), slices.Concat(tt.between[n-1], last)
			}
			if !bytes.HasPrefix(got, before) || !bytes.HasSuffix(got, after) {
				t.Error("a frame without an edit changed")
			}
		})
	}
}

const (
	audit1  = `{"type":"acme/audit","seq":1,"time":15,"data":{}}`
	end1At2 = `{"type":"turn/end","seq":2,"time":20,"data":{"turn":1,"reason":{"kind":"completed"}}}`
)

func TestOtherPermissionsDoNotEditARecord(t *testing.T) {
	log := text(header, start1, end1, asked2)
	for _, opt := range []repair.Options{
		allowing("move-member=user/message:other", "round-time=user/message", "mint-id=user/message"),
		allowing("move-member=tool/result:uuid", "round-time=user/message", "mint-id=user/message"),
		allowing("move-member=user/message:uuid", "mint-id=user/message"),
		allowing("move-member=user/message:uuid", "round-time=user/message", "mint-id=tool/result"),
	} {
		p := plan(t, []byte(log), opt)
		if p.Action != repair.Refuse || p.Level != repair.Assisted || len(p.NeedAllow) != 3 {
			t.Errorf("%v: %s, %s, which needs %v", opt.Allow, p.Action, p.Level, p.NeedAllow)
		}
	}
}

func TestPermissionsAreKnownByNameAndObject(t *testing.T) {
	for name, want := range map[repair.Permission]bool{
		"fill-gaps": true, "mint-call-id": true, "mint-id=user/message": true, "move-member=a=b:c": true,
		"fill-gaps=x": false, "mint-call-id=": false, "mint-call-id=x": false, "mint-id": false, "mint-id=": false, "": false, "renumber=": false,
	} {
		if got := name.Known(); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
