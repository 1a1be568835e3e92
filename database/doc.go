// Package database reads the session database of dsh: one SQLite file with the
// sessions of many logs (docs/format.md §10). It works on a private copy, so that
// no byte of the database changes and no file appears beside it, and it says what
// dsh makes of the store, of each header, and of each row, in dsh's own words.
//
// Damage is no Go error here either: it is a [Refusal], or a record that does not
// decode.
package database
