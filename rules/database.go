package rules

import (
	"context"
	"fmt"
	"strings"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/store"
)

// CheckDatabase returns what is wrong with a session database beyond its events. path
// is how the user named it; findings have it, or the name of a session in it.
// Its memory grows by some bytes for each session. An error is that of ctx or of the
// copy; damage never is one.
func CheckDatabase(ctx context.Context, d *database.Database, path string) (*StoreResult, error) {
	p := &databasePass{database: d, path: path, result: StoreResult{Path: path, Lists: true, Database: true, New: d.New}}
	p.found.tallies = make(map[*Rule]*tally)
	switch {
	case d.Refusal != nil:
		p.result.Lists, p.result.Refusal, p.result.Unprocessed = false, &d.Refusal.Refusal, true
	case !d.New:
		if err := p.survey(ctx); err != nil {
			return nil, err
		}
	}
	for _, rule := range catalogue {
		if p.rule = rule; rule.checkDatabase != nil {
			rule.checkDatabase(p)
		}
	}
	p.result.Findings = p.found.all()
	return &p.result, nil
}

// databasePass is one look at a session database.
type databasePass struct {
	database *database.Database
	path     string
	rule     *Rule // that is asked now

	damage     []string // what SQLite finds in the file
	duplicates []string // ids of several rows
	blocking   *blockingRow
	found      collector
	result     StoreResult
}

// blockingRow is the first row that keeps dsh from listing the sessions.
type blockingRow struct{ id, why string }

// survey reads the headers and looks for damage of the file.
func (p *databasePass) survey(ctx context.Context) (err error) {
	seen := make(map[string]bool)
	for h, err := range p.database.Headers() {
		if err != nil {
			return err
		}
		if h.Refusal != nil && p.result.Refusal == nil {
			p.result.Lists, p.result.Refusal = false, h.Refusal
			p.blocking = &blockingRow{h.ID, h.Refusal.Text}
		}
		if h.Damaged {
			break
		}
		if p.result.Sessions++; seen[h.ID] {
			p.duplicates = append(p.duplicates, h.ID)
		}
		seen[h.ID] = true
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	p.damage, err = p.database.Integrity()
	return err
}

// reportStore makes a finding of the current rule about the database.
func (p *databasePass) reportStore(format string, args ...any) { p.reportAt(p.path, format, args...) }

// reportSession makes one about a session in it.
func (p *databasePass) reportSession(id, format string, args ...any) {
	p.reportAt(store.SessionName(p.path, id), format, args...)
}

func (p *databasePass) reportAt(path, format string, args ...any) {
	r := p.rule
	p.found.add(Finding{
		Rule: r, Path: path, Class: r.Class, Severity: r.Severity, Reader: r.Reader,
		Message: fmt.Sprintf(format, args...),
	}, 0)
}

// ownStoreWords takes off the path in what dsh says of a database.
func ownStoreWords(text string) string {
	if _, rest, found := strings.Cut(text, `" `); found && strings.HasPrefix(text, "session database at ") {
		return "it " + rest
	}
	return text
}
