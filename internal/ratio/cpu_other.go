//go:build !unix

package ratio

import "time"

// CPU is the time that passes: here the processor time is not to be had.
func CPU() time.Duration { return Wall() }
