package cli

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// choice is the value of a flag that takes one of a few words.
type choice struct {
	value   string
	allowed []string
}

// Set implements flag.Value.
func (c *choice) Set(value string) error {
	if !slices.Contains(c.allowed, value) {
		return errors.New("want " + orList(c.allowed))
	}
	c.value = value
	return nil
}

func (c *choice) String() string { return c.value }

func orList(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Choice returns a flag that takes one of the allowed words, value unless set.
// Any other word is a usage error that names them. Read it with c.String.
func Choice(name, usage, value string, allowed ...string) *cli.GenericFlag {
	usage += ": " + orList(allowed)
	if value != "" {
		usage += " (default " + value + ")"
	}
	return &cli.GenericFlag{Name: name, Usage: usage, Value: &choice{value, allowed}}
}

// choices is the value of a flag that takes some of a few words.
type choices struct {
	values  []string
	allowed []string
}

// Set implements flag.Value. It takes one word, or several with commas between.
func (c *choices) Set(value string) error {
	for word := range strings.SplitSeq(value, ",") {
		if !slices.Contains(c.allowed, word) {
			return errors.New("want " + orList(c.allowed))
		}
		if !slices.Contains(c.values, word) {
			c.values = append(c.values, word)
		}
	}
	return nil
}

func (c *choices) String() string { return strings.Join(c.values, ",") }

// ChoicesFlag returns a flag that takes some of the allowed words, with commas
// between them or one each time it is given. Any other word is a usage error
// that names them. Read it with [Choices].
func ChoicesFlag(name, usage string, allowed ...string) *cli.GenericFlag {
	return &cli.GenericFlag{Name: name, Usage: usage + ": " + orList(allowed), Value: &choices{allowed: allowed}}
}

// Choices returns the words of a [ChoicesFlag] in their order, each once; none
// when it was not given.
func Choices(c *cli.Context, name string) []string {
	if v, ok := c.Generic(name).(*choices); ok {
		return v.values
	}
	panic(fmt.Sprintf("flag %q is not a ChoicesFlag", name))
}

// sizeValue is the value of a flag that takes a number of bytes.
type sizeValue int64

// sizeUnits are powers of two, as the limits of readers are.
var sizeUnits = []struct {
	suffix string
	shift  uint
}{{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"K", 10}, {"M", 20}, {"G", 30}, {"B", 0}, {"", 0}}

// Set implements flag.Value.
func (s *sizeValue) Set(text string) error {
	for _, unit := range sizeUnits {
		digits, ok := strings.CutSuffix(text, unit.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n < 1 || bits.Len64(uint64(n))+int(unit.shift) > 62 {
			break
		}
		*s = sizeValue(n << unit.shift)
		return nil
	}
	return errors.New("want a number of bytes such as 65536, 64K, 16MiB or 1G")
}

func (s *sizeValue) String() string { return strconv.FormatInt(int64(*s), 10) }

// SizeFlag returns a flag that takes a number of bytes, with a unit of 1024, or
// its powers, if any. Read it with [Size].
func SizeFlag(name, usage string) *cli.GenericFlag {
	return &cli.GenericFlag{Name: name, Usage: usage, Value: new(sizeValue)}
}

// Size returns the bytes that a [SizeFlag] was set to, 0 when it was not.
func Size(c *cli.Context, name string) int64 {
	if s, ok := c.Generic(name).(*sizeValue); ok {
		return int64(*s)
	}
	panic(fmt.Sprintf("flag %q is not a SizeFlag", name))
}
