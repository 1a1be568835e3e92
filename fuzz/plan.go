package fuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

// plannedLog is the log for which plans are forged.
const plannedLog = `{"type":"session","version":0,"id":"s","createdAt":1,"cwd":"/work","delegationDepth":0}
{"type":"turn/start","seq":0,"time":10,"data":{"turn":1}}
{"type":"turn/end","seq":1,"time":20,"data":{"turn":1,"reason":{"kind":"completed"}}}
{"type":"turn/start","seq":2,"time":30,"data":{"turn":2}}
{"ty`

// ValidPlan returns the JSON text of the plan for the log of [CheckPlan].
func ValidPlan() ([]byte, error) {
	p, err := planOf([]byte(plannedLog), repair.Options{})
	if err != nil {
		return nil, err
	}
	return json.Marshal(p)
}

// CheckPlan carries out the plan in a JSON text on a log. The error is nil when
// turnfix begins to write if and only if the plan is its own for that log.
func CheckPlan(text []byte) error {
	var forged repair.Plan
	if json.Unmarshal(text, &forged) != nil {
		return nil
	}
	opt := forged.Options
	opt.Encoding, _ = scan.ParseEncoding(forged.Encoding)
	own, err := planOf([]byte(plannedLog), opt)
	if err != nil {
		return err
	}
	disk := &untouched{}
	c := &repair.Committer{FS: disk, Expect: &forged}
	_, err = c.Copy(context.Background(), bytes.NewReader([]byte(plannedLog)), int64(len(plannedLog)), "", "session.jsonl", opt)
	same := own.SameAs(&forged)
	switch {
	case disk.created && !same:
		return errors.New("a plan that is not that of the log is carried out")
	case !disk.created && same && own.Action != repair.Refuse:
		return fmt.Errorf("the plan of the log is not carried out: %w", err)
	}
	return nil
}

// untouched is an empty disk that notes when a file would be made, and makes none.
type untouched struct {
	repair.FS
	created bool
}

func (*untouched) Room(string) (int64, error)       { return -1, nil }
func (*untouched) MkdirAll(string) error            { return nil }
func (*untouched) ReadDir(string) ([]string, error) { return nil, nil }

// Lstat knows the working directory only.
func (*untouched) Lstat(name string) (fs.FileInfo, error) {
	if name == "." {
		return nil, nil
	}
	return nil, fs.ErrNotExist
}

func (u *untouched) Create(string) (repair.File, error) {
	u.created = true
	return nil, errors.New("this disk takes no files")
}
