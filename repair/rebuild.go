package repair

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/store"
)

// origin is what the place of a log says of its session (docs/format.md §7).
type origin struct {
	id      string
	project string // name of the project directory
	dir     string // path of that
}

// originOf returns the origin of the log at path; ok is false where dsh would not
// look for one.
func originOf(path string) (o origin, ok bool) {
	dir, err := resolve(filepath.Dir(path))
	if err != nil || path == "" {
		return o, false
	}
	if _, ok := sessionsTree(filepath.Join(dir, filepath.Base(path))); !ok {
		return o, false
	}
	o.dir = filepath.Dir(dir)
	o.project = filepath.Base(o.dir)
	o.id, ok = session.DecodeID(filepath.Base(dir))
	return o, ok
}

// cwdOf returns the working directory of the sessions of a project: the stated one,
// or else the one that all other sessions in it name. It is absent for the project
// of those without. why says why there is none.
func (o *origin) cwdOf(stated string) (cwd jsjson.Value, why string) {
	if o.project == noProject {
		if stated != "" {
			why = fmt.Sprintf("the sessions in %q have no working directory", noProject)
		}
		return cwd, why
	}
	if stated != "" {
		cwd = textValue(stated)
		if key, err := session.ProjectKey(cwd); err != nil || key != o.project {
			why = fmt.Sprintf("%q is not the working directory of the project %q", stated, o.project)
		}
		return cwd, why
	}
	switch all := o.siblingCWDs(); len(all) {
	case 0:
		return cwd, "no other session in its project says what their working directory is"
	case 1:
		return textValue(all[0]), ""
	}
	return cwd, "the sessions in its project have several working directories"
}

// siblingCWDs returns the working directories that the logs in the project name, if
// it is theirs.
func (o *origin) siblingCWDs() (all []string) {
	sessions, _ := os.ReadDir(o.dir)
	for _, e := range sessions {
		if !e.IsDir() {
			continue
		}
		for _, log := range store.ReadSession(filepath.Join(o.dir, e.Name())).Logs {
			h := headerOf(log.Path)
			if h == nil || h.CWD.Kind != jsjson.String || slices.Contains(all, h.CWD.Text()) {
				continue
			}
			if key, err := session.ProjectKey(h.CWD); err == nil && key == o.project {
				all = append(all, h.CWD.Text())
			}
		}
	}
	return all
}

// headerOf returns the header of a log, nil when it cannot be read.
func headerOf(path string) *session.Header {
	f, err := Disk{}.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	r, err := scan.NewReader(f, info.Size(), scan.Options{})
	if err != nil {
		return nil
	}
	for record := range r.Records() {
		if h, refusal := parseHeader(record.Text, scan.OwnGeneration(record.Text, path)); refusal == nil {
			return h
		}
		break
	}
	return nil
}

// textValue returns a string as a value.
func textValue(text string) jsjson.Value {
	return jsjson.NewValue(jsjson.String, jsjson.AppendQuoted(nil, text))
}

// rebuildHeader makes the header of a log that has lost its own, if it may, from its
// place and its first event, as dsh writes the header of a session that no other one
// has started. Otherwise it refuses the log, for the given reason.
func (p *Plan) rebuildHeader(l *salvage, reason string) bool {
	const fromFile = "--header-from FILE takes the header from the first line of FILE"
	p.Level = Assisted
	o, ok := originOf(string(p.Path))
	if !ok || !l.starts {
		p.refuse(reason, fromFile)
		return false
	}
	cwd, why := o.cwdOf(p.Options.CWD)
	switch {
	case why != "":
		p.refuse(reason+", and "+why, "--allow rebuild-header with --cwd DIR makes one for a session that ran in DIR; "+fromFile)
		return false
	case !slices.Contains(p.Options.Allow, RebuildHeader):
		p.NeedAllow = []Rewrite{{Allow: RebuildHeader}}
		p.refuse(reason, "--allow rebuild-header makes one from the names of its directories and the time of its first event; "+fromFile)
		return false
	}
	p.NewHeader = newHeaderLine(p.Generation, o.id, l.started, cwd, l.seeded())
	return true
}

// leaveHeader takes out a header with members for which dsh refuses the log, and says
// what is wrong with it; "" for a good one, or none.
func (l *salvage) leaveHeader() (why string) {
	if l.header < 0 {
		return ""
	}
	if l.generation > session.Newest {
		return "" // whose headers nobody else knows
	}
	h, _ := parseHeader(l.headerText, l.generation)
	_, idErr := session.EncodeID(h.ID)
	_, cwdErr := session.ProjectKey(h.CWD)
	if why = h.CheckBuild(); why == "" && cmp.Or(idErr, cwdErr) == nil {
		return ""
	}
	r := &l.rows[l.header]
	r.header, r.junk, l.header = false, "header that dsh does not take", -1
	return cmp.Or(why, "its id or cwd "+session.ErrNoName.Error())
}

// newHeaderLine returns the header of a session in a format, without LF
// (docs/format.md §2.1, docs/generations.md §1.2).
func newHeaderLine(generation int64, id string, created int64, cwd jsjson.Value, seeded bool) string {
	line := fmt.Appendf(nil, `{"type":"session","version":%d,"id":%s,"createdAt":%d`, generation, textValue(id).Raw(), max(created, 0))
	if cwd.Exists() {
		line = fmt.Appendf(line, `,"cwd":%s`, cwd.Raw())
	}
	if generation >= firstNative {
		line = fmt.Appendf(line, `,"isSeeded":%t`, seeded)
	}
	return string(line) + `,"delegationDepth":0}`
}

// seeded reports whether a log from v2 on has events of another session.
func (l *salvage) seeded() bool {
	return slices.ContainsFunc(l.rows, func(r row) bool { return r.marker })
}

// statedID returns the id of the session when the log does not name it but the user
// or its place does; else "".
func (p *Plan) statedID() string {
	if h, _ := parseHeader([]byte(p.Options.Header), p.Generation); h.ID != "" {
		return h.ID
	}
	if !slices.Contains(p.Options.Allow, RebuildHeader) {
		return ""
	}
	o, _ := originOf(string(p.Path))
	return o.id
}
