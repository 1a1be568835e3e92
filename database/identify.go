package database

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// identify finds why dsh does not open the store, in the order of its own checks
// (docs/format.md §10.1).
func (d *Database) identify() error {
	return d.judge(d.connect, d.readable, d.known, d.writable, d.identified)
}

// judge runs checks up to the first that refuses the store.
func (d *Database) judge(checks ...func() error) error {
	for _, check := range checks {
		err := check()
		if refusal, ok := errors.AsType[*Refusal](err); ok {
			d.Refusal = refusal
			return nil
		}
		if d.Refusal, err = RefusalOf(err); d.Refusal != nil || err != nil || d.New {
			return err
		}
	}
	return nil
}

// Error makes a refusal an error within the checks.
func (r *Refusal) Error() string { return r.Text }

func (d *Database) refuse(kind Kind, format string, args ...any) error {
	return refuse(kind, "session database at \"%s\" "+format, append([]any{d.Path}, args...)...)
}

// readable makes SQLite read the file, and roll back or take in what lies beside it.
func (d *Database) readable() error {
	var n int64
	return d.scan("SELECT count(*) FROM sqlite_schema", &n)
}

// known checks which program and version the database is of, and its schema.
func (d *Database) known() error {
	var version, application int64
	if err := errors.Join(d.scan("PRAGMA user_version", &version), d.scan("PRAGMA application_id", &application)); err != nil {
		return err
	}
	objects, err := d.objects()
	switch {
	case err != nil:
		return err
	case version == 0 && application == 0 && len(objects) == 0:
		d.New = true
		return nil
	case version == 0:
		return d.refuse(Identity, "has an unversioned schema or application identity")
	case version != SchemaVersion:
		return d.refuse(Version, "has schema version %d, incompatible with this build (%d)", version, SchemaVersion)
	case application != ApplicationID:
		return d.refuse(Identity, "has application id %d, expected %d", application, ApplicationID)
	}
	if d.Difference = difference(objects); d.Difference != "" {
		return d.refuse(Schema, "does not contain the required schema objects")
	}
	return nil
}

// objects returns those of the schema that dsh compares, as many as it takes to tell
// another schema.
func (d *Database) objects() (all []Object, err error) {
	rows, err := d.conn.QueryContext(d.ctx, "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' LIMIT ?", len(Tables)+1)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var o Object
		if err := rows.Scan(&o.Type, &o.Name, &o.Table, &o.SQL); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, rows.Err()
}

// readOnlyCode is SQLITE_READONLY.
const readOnlyCode = 8

// writable refuses a file that SQLite does not write: dsh writes to open one.
func (d *Database) writable() error {
	if !d.File.ReadOnly {
		return nil
	}
	r := refuse(Damage, "attempt to write a readonly database")
	r.Code = readOnlyCode
	return r
}

// identified checks the id of the store.
func (d *Database) identified() error {
	values := make([]Value, 1)
	query := "SELECT " + columnList([]string{"store_id"}) + " FROM persistence_state WHERE singleton = 1"
	for err := range d.query(values, query) {
		if err != nil {
			return err
		}
		if !uuid.Match(values[0].Bytes) {
			break
		}
		return nil
	}
	return d.refuse(StoreID, "has no valid store identity")
}

// scan reads the one value that a statement gives.
func (d *Database) scan(query string, value any) error {
	err := d.conn.QueryRowContext(d.ctx, query).Scan(value)
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("%s gives nothing", query)
	}
	return err
}

// Name returns an id as dsh prints it.
func Name(id string) string { return jsjson.Decode([]byte(id)) }
