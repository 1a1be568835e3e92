// Package words puts numbers into words for people.
package words

import "fmt"

// Count returns a number of things: "1 event", "2 events".
func Count[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
