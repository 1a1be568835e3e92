package main

import (
	"cmp"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

const toDatabase = "sqlite"

func exportCommand() *cli.Command {
	return &cli.Command{
		Name: "export", Usage: "make logs of the sessions in a database, or a database of logs and sessions", ArgsUsage: "PATH...",
		Description: "PATH is a session database, DATABASE#ID for one session in it, or - for standard input; with --to sqlite, it may also\n" +
			"be a log or a directory with logs. What is exported stays as it is, and nothing is overwritten.",
		Flags: []cli.Flag{
			shared.Choice("to", "make logs in this encoding, or a database, `WHAT`", "zstd", "jsonl", "zstd", toDatabase),
			&cli.StringFlag{Name: "output", Usage: "write to `PATH`: a sessions directory, in which each log gets its place, a file .jsonl or .jsonl.zstd for one session, or the new database"},
			&cli.BoolFlag{Name: "partial", Usage: "also export what dsh does not open, or only with a loss: the rows that can be read"},
			shared.Choice("encoding", "with --to sqlite: how the text lies in the logs, `HOW`", "auto", "auto", "raw", "zstd"),
			shared.Choice("format", "print `FORMAT`", "text", "text", "json"),
			shared.ColorFlag(), shared.LangFlag(), quietFlag(),
		},
		Action: runExport,
	}
}

func runExport(c *cli.Context) error {
	switch {
	case !c.Args().Present():
		return shared.Usagef("export wants the path of a database, or of logs with --to sqlite")
	case c.String("output") == "":
		return shared.Usagef("export wants --output PATH")
	case c.Bool("partial") && c.String("to") == toDatabase:
		return shared.Usagef("--partial is for logs: dsh refuses what is not sound in a database too")
	}
	e := &exporter{c: c, report: newReport(c), committer: &repair.Committer{FS: repair.Disk{}}}
	if e.report.json != nil {
		e.report.json.member = "transfers"
	}
	if c.String("to") == toDatabase {
		return e.toDatabase()
	}
	return e.toLogs()
}

// exporter exports the inputs of one command.
type exporter struct {
	c         *cli.Context
	report    *report
	committer *repair.Committer
}

// toLogs makes logs of sessions in databases.
func (e *exporter) toLogs() error {
	opt := repair.LogOptions{Encoding: scan.Zstd, Dir: e.c.String("output"), Partial: e.c.Bool("partial")}
	if e.c.String("to") == "jsonl" {
		opt.Encoding = scan.Plain
	}
	if name := opt.Dir; strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".jsonl.zstd") {
		opt.Dir, opt.File = "", name
		if named := scan.EncodingOfName(name); named != opt.Encoding {
			return shared.Usagef("--output %q is the name of a %s log, and --to %s makes another one", name, named, e.c.String("to"))
		}
	}
	for path, err := range shared.Inputs(e.c.Args().Slice()) {
		if e.c.Context.Err() != nil {
			break
		}
		if err == nil {
			err = e.database(path, opt)
		}
		e.report.failed(path.Name, err)
	}
	return e.report.end()
}

func (e *exporter) database(path shared.Path, opt repair.LogOptions) error {
	switch {
	case path.Database:
		return e.logsOf(sourceOf(path), path.Session, opt)
	case !path.Stream:
		return noDatabase(path)
	}
	return shared.Read(e.c.Context, path.Name, e.c.App.Reader, func(src *shared.Source) error {
		source, err := pipedDatabase(src, path, scan.Auto)
		switch {
		case err != nil:
			return err
		case source == nil:
			return noDatabase(path)
		}
		return e.logsOf(*source, nil, opt)
	})
}

func noDatabase(path shared.Path) error {
	return &shared.InputError{Path: path.Name, What: "no session database", Hint: "--to sqlite makes one of logs"}
}

// logsOf makes logs of the sessions in a database, or of the one with an id.
func (e *exporter) logsOf(source repair.StoreSource, session *string, opt repair.LogOptions) error {
	all, err := e.committer.ExportLogs(e.c.Context, source, session, opt)
	if err == nil && len(all) == 0 {
		e.report.empty(source.Path)
	}
	for i, t := range all {
		if err == nil || i < len(all)-1 { // else the last one is what failed
			e.report.transferred(t)
		}
	}
	return err
}

// toDatabase makes a database of logs.
func (e *exporter) toDatabase() error {
	encoding, err := scan.ParseEncoding(e.c.String("encoding"))
	if err != nil {
		return err
	}
	store, err := e.committer.NewStore(e.c.Context, e.c.String("output"))
	if err != nil {
		return err
	}
	var transfers []*repair.Transfer
	for path, err := range shared.Paths(e.c.Args().Slice()) {
		if e.c.Context.Err() != nil {
			break
		}
		var made []*repair.Transfer
		if err == nil {
			made, err = e.add(store, path, encoding)
		}
		if e.report.failed(path.Name, err); err == nil {
			transfers = append(transfers, made...)
		}
	}
	e.publish(store, transfers)
	return e.report.end()
}

// add stores one log, or sessions of another database. A log that changes while it is
// read is not read again: what was stored of it already would be there twice.
func (e *exporter) add(store *repair.NewStore, path shared.Path, encoding scan.Encoding) (all []*repair.Transfer, err error) {
	if path.Database && encoding == scan.Auto {
		return store.AddDatabase(sourceOf(path), path.Session)
	}
	err = shared.Read(e.c.Context, path.Name, e.c.App.Reader, func(src *shared.Source) error {
		if len(all) > 0 && all[0].Reason == "" {
			return errors.New("it changed while it was read: the database is not made")
		}
		source, err := pipedDatabase(src, path, encoding)
		if err != nil {
			return err
		}
		if source != nil {
			all, err = store.AddDatabase(*source, nil)
			return err
		}
		t, err := store.Add(src, src.Size(), nameOf(path), encoding)
		all = []*repair.Transfer{t}
		return err
	})
	return all, err
}

// publish gives the database its name, unless something went wrong, and reports what
// became of the logs.
func (e *exporter) publish(store *repair.NewStore, transfers []*repair.Transfer) {
	target := e.c.String("output")
	var err error
	if store.Sessions() == 0 || e.report.count.failed > 0 || e.c.Context.Err() != nil {
		err = store.Discard()
		target = ""
	} else if err = store.Publish(); err != nil && !errors.Is(err, repair.ErrUnconfirmed) {
		target = ""
	}
	for _, t := range transfers {
		if t.Reason == "" {
			t.Target = repair.Path(target)
		}
		e.report.transferred(t)
	}
	e.report.failed(e.c.String("output"), err)
}

// transferred reports what became of a session.
func (r *report) transferred(t *repair.Transfer) {
	switch {
	case t.Reason != "":
		r.bits |= exitDamage
		r.count.withheld++
	case t.Target != "":
		r.count.exported++
	default:
		r.count.failed++
	}
	if r.json != nil {
		r.json.add(t)
		return
	}
	r.text.transfer(t)
}

// transfer prints what became of a session.
func (t *textWriter) transfer(tr *repair.Transfer) {
	name := shared.InputName(cmp.Or(string(tr.Path), shared.Stdin))
	switch {
	case tr.Reason != "":
		t.line(name, t.lang.Textf("%v: %v", t.paint.bad.Sprint(t.lang.Word("refused", "export")), printable(t.lang.Text(tr.Reason))))
		t.detail("hint", t.lang.Text(tr.Next))
	case t.quiet:
	case tr.Target == "":
		t.line(name, t.lang.Text("not exported, because the database was not made"))
	default:
		t.status(name, t.paint.good, "exported", t.events(tr.Events))
		t.detail("verdict", t.lang.Text(tr.Verdict))
		t.omissions(tr)
		t.detail("to", string(tr.Target))
	}
}

// maxOmissions bounds the places that are printed.
const maxOmissions = 10

func (t *textWriter) omissions(tr *repair.Transfer) {
	for i, o := range tr.LeftOut {
		if i == maxOmissions {
			t.detail("left out", t.lang.Textf("%d more", len(tr.LeftOut)-i))
			return
		}
		place := t.lang.Textf("line %d", o.Line)
		if o.Seq != nil {
			place = t.lang.Textf("row with seq %d", *o.Seq)
		}
		t.detail("left out", t.lang.Textf("%v: %v", place, t.lang.Text(o.Reason)))
	}
}
