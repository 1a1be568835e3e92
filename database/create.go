package database

import (
	"context"
	"errors"
	"fmt"
	"os"
	"unicode/utf8"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// Create makes a new database at path, a file that must not exist, with the tables of
// dsh and no sessions (docs/format.md §10.1). It is in WAL mode, dsh's own default.
func Create(ctx context.Context, path, storeID string) (*Live, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	l, err := openLive(ctx, path, Options{Path: path})
	if err != nil {
		return nil, err
	}
	err = l.exec("PRAGMA journal_mode = WAL")
	if err == nil {
		err = l.Write(func() error { return l.lay(storeID) })
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// lay makes the tables and the identity of a store.
func (l *Live) lay(storeID string) error {
	for _, table := range Tables {
		if err := l.exec(table.SQL); err != nil {
			return err
		}
	}
	return errors.Join(
		l.exec("INSERT INTO persistence_state (singleton, store_id) VALUES (1, ?)", storeID),
		l.exec(fmt.Sprintf("PRAGMA application_id = %d", ApplicationID)),
		l.exec(fmt.Sprintf("PRAGMA user_version = %d", SchemaVersion)))
}

// InsertSession stores the row of a session that has been written once. It returns an
// error for a header that dsh would refuse in a database.
func (l *Live) InsertSession(h *session.Header, incarnation string) error {
	row := [numHeaderColumns]Value{
		colID: newText(h.ID), colVersion: newInteger(int64(h.Version)), colCreatedAt: newInteger(h.CreatedAt),
		colDepth: newInteger(h.DelegationDepth), colIncarnation: newText(incarnation), colRevision: newInteger(1),
	}
	for column, member := range map[int]jsjson.Value{colCWD: h.CWD, colParent: h.ParentSession, colOrigin: h.Origin, colPreset: h.AgentPreset} {
		if member.Exists() {
			row[column] = newText(member.Text())
		}
	}
	if n, ok := h.SeedLength.SafeInt(); ok {
		row[colSeedLength] = newInteger(n)
	}
	var args []any
	for i := range row {
		if row[i].Class == Text && !utf8.Valid(row[i].Bytes) {
			return fmt.Errorf("no database can hold its %s", headerColumns[i])
		}
		args = append(args, row[i].arg())
	}
	if refusal := newHeader(row).Refusal; refusal != nil {
		return errors.New(refusal.Text)
	}
	return l.exec("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", args...)
}
