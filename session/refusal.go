package session

// Class is the JavaScript error class with which dsh refuses a log.
type Class string

// The classes that a reader of files can meet (docs/format.md §4.6).
const (
	// ClassError is a plain error of the container, the scanner or the identity check.
	ClassError Class = "Error"
	// ClassTypeError is a crash of dsh's own code, for example on a null line.
	ClassTypeError Class = "TypeError"
	// ClassUnsupported means that the log is intact, but written for another reader.
	ClassUnsupported Class = "SessionFormatUnsupportedError"
	// ClassCorruption wraps everything that fails between normalisation and build.
	ClassCorruption Class = "SessionPersistenceCorruptionError"
	// ClassFormat is the class of dsh's format library for a header or a row that is
	// not of its generation (docs/generations.md §2).
	ClassFormat Class = "SessionFormatError"
	// ClassMigration is its class for a log that is intact, but not of the kind that
	// the reader or the migration knows.
	ClassMigration Class = "SessionFormatUnsupportedMigrationError"
)

// Refusal is the answer of a reader that does not open a log: the class and
// text of the error that dsh raises.
type Refusal struct {
	Class Class
	Text  string
}

// Refuse returns a refusal of class [ClassError].
func Refuse(text string) *Refusal { return &Refusal{ClassError, text} }
