package database

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/turnlint/turnlint/session"
)

// Refusal is why dsh does not open a store or read a part of it.
type Refusal struct {
	session.Refusal
	// Code is the result code of SQLite, 0 for a reason of dsh itself. Texts of
	// SQLite differ between its versions.
	Code int
	Kind Kind
}

// Kind says what a refusal of a store is about.
type Kind uint8

// The kinds, in the order in which dsh looks for them.
const (
	Damage   Kind = iota // SQLite cannot read it
	Identity             // it belongs to another program, or to nobody
	Version              // it is of another version of the schema
	Schema               // it has other tables, columns, views or triggers
	StoreID              // it has no valid store id
)

// Classes of errors of dsh's driver (ECMA-262).
const classRange session.Class = "RangeError"

func refuse(kind Kind, format string, args ...any) *Refusal {
	return &Refusal{Refusal: session.Refusal{Class: session.ClassError, Text: fmt.Sprintf(format, args...)}, Kind: kind}
}

// unsafe is what Node.js says of an integer that JavaScript cannot hold.
func unsafe(n int64) *session.Refusal {
	return &session.Refusal{Class: classRange, Text: fmt.Sprintf("Value is too large to be represented as a JavaScript number: %d", n)}
}

// RefusalOf turns an error of SQLite about the content of the file, such as one that
// [Session.Rows] yields, into a refusal. Other errors, such as those of the disk, stay
// errors.
func RefusalOf(err error) (*Refusal, error) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return nil, err
	}
	texts := map[int]string{
		sqlite3.SQLITE_CORRUPT: "database disk image is malformed",
		sqlite3.SQLITE_NOTADB:  "file is not a database",
		sqlite3.SQLITE_ERROR:   "malformed database schema",
	}
	code := e.Code() & 0xFF // without what extended codes add
	text, ok := texts[code]
	if !ok {
		return nil, err
	}
	r := refuse(Damage, "%s", text)
	r.Code = code
	return r, nil
}
