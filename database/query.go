package database

import (
	"fmt"
	"iter"
	"strings"
)

// tooLong stands for the storage class of a value over the cap.
const tooLong = "too long"

// columnList is what to select for [Database.query]: of each column its value, NULL
// where that is over the cap, and its storage class.
func columnList(names []string) string {
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf("iif(octet_length(%[1]s) > ?1, NULL, %[1]s), iif(octet_length(%[1]s) > ?1, '%[2]s', typeof(%[1]s))", name, tooLong))
	}
	return strings.Join(list, ", ")
}

// minValue is the length up to which ids and other values that say what a store is are
// read, however low the cap is that a user sets on events.
const minValue = 64 << 10

// query runs a statement that selects a [columnList] and yields nil for each row,
// once its columns are in values, then the error that ends it, if there is one.
func (d *Database) query(values []Value, query string, args ...any) iter.Seq[error] {
	return d.queryUpTo(max(d.maxValue, minValue), values, query, args...)
}

// queryUpTo is query with a cap on values, which is the first argument of the statement.
func (d *Database) queryUpTo(limit int64, values []Value, query string, args ...any) iter.Seq[error] {
	return func(yield func(error) bool) {
		rows, err := d.conn.QueryContext(d.ctx, query, append([]any{limit}, args...)...)
		if err != nil {
			yield(err)
			return
		}
		defer rows.Close()
		raw := make([]any, 2*len(values))
		pointers := make([]any, len(raw))
		for i := range raw {
			pointers[i] = &raw[i]
		}
		for rows.Next() {
			if err := rows.Scan(pointers...); err != nil {
				yield(err)
				return
			}
			for i := range values {
				class, _ := raw[2*i+1].(string)
				values[i] = newValue(raw[2*i], class)
			}
			if !yield(nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(err)
		}
	}
}

// newValue returns a column. The driver gives nil for NULL and for an empty BLOB
// alike, so that the storage class is asked for, too.
func newValue(raw any, class string) Value {
	switch v := raw.(type) {
	case int64:
		return Value{Class: Integer, Int: v}
	case float64:
		return Value{Class: Real, Real: v}
	case string:
		return Value{Class: Text, Bytes: []byte(v)}
	case []byte:
		return Value{Class: Blob, Bytes: v}
	}
	switch class {
	case tooLong:
		return Value{Class: Text, TooLong: true}
	case "blob":
		return Value{Class: Blob, Bytes: []byte{}}
	}
	return Value{}
}
