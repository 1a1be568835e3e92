// Package soak says whether tests are to take their time: make soak asks for it.
package soak

import "os"

// Variable is the environment variable that asks for the long tests.
const Variable = "TURNLINT_SOAK"

// On reports whether it does.
func On() bool { return os.Getenv(Variable) != "" }
