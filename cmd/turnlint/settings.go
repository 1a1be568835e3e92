package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/baseline"
	"github.com/turnlint/turnlint/config"
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/scan"
)

// settings are the values of the flags that a configuration can stand for, and
// the rest of the configuration.
type settings struct {
	config  *config.Config
	failOn  setting
	dialect setting
	reader  setting // names with commas between them
}

// byDefault is the source of a value that nobody set.
const byDefault = "default"

// setting is a value and where it comes from.
type setting struct{ value, source string }

// settingFlags are the flags of the commands that read [settings].
func settingFlags() []cli.Flag {
	return append([]cli.Flag{
		failOnFlag(),
		shared.Choice("dialect", "judge events outside a turn by the rules of `NAME`", "auto", config.DialectWords...),
		shared.ChoicesFlag("reader", "give the verdict of dsh `VERSION`, of several with commas between, or of one for each format", append(scan.ReaderNames(), allReaders)...),
	}, configFlags()...)
}

func failOnFlag() cli.Flag {
	return shared.Choice("fail-on", "exit with 1 from findings of `SEVERITY` on", "error", config.FailOnWords...)
}

func configFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "config", Usage: "read `FILE` instead of the nearest " + config.Name + " from here upwards"},
		&cli.BoolFlag{Name: "no-config", Usage: "read no " + config.Name},
	}
}

// readSettings returns what flags and configuration say together. Flags win.
func readSettings(c *cli.Context) (*settings, error) {
	conf, err := readConfig(c)
	if err != nil {
		return nil, explained(err)
	}
	var reader *config.Word
	if len(conf.Readers) > 0 {
		words := make([]string, len(conf.Readers))
		for i, w := range conf.Readers {
			words[i] = w.Value
		}
		reader = &config.Word{Value: strings.Join(words, ","), From: conf.Readers[0].From}
	}
	return &settings{
		config:  conf,
		failOn:  choose(c, "fail-on", c.String("fail-on"), conf.FailOn),
		dialect: choose(c, "dialect", c.String("dialect"), conf.Dialect),
		reader:  chooseReader(c, reader),
	}, nil
}

func chooseReader(c *cli.Context, configured *config.Word) setting {
	value := strings.Join(shared.Choices(c, "reader"), ",")
	if value == "" {
		value = scan.DefaultReader().Name
	}
	return choose(c, "reader", value, configured)
}

// choose returns the value of a flag, the configured one when the flag is not given.
func choose(c *cli.Context, flag, value string, configured *config.Word) setting {
	switch {
	case c.IsSet(flag):
		return setting{value, "--" + flag}
	case configured != nil:
		return setting{configured.Value, configured.From.String()}
	}
	return setting{value, byDefault}
}

func readConfig(c *cli.Context) (*config.Config, error) {
	name := c.String("config")
	switch {
	case c.Bool("no-config") && c.IsSet("config"):
		return nil, shared.Usagef("--config and --no-config contradict each other")
	case c.Bool("no-config"):
		return &config.Config{}, nil
	case c.IsSet("config"):
		return config.Load(name)
	}
	name, err := config.Find(".")
	if err != nil || name == "" {
		return &config.Config{}, err
	}
	return config.Load(name)
}

// explained makes an error of a file that the user wrote one of usage.
func explained(err error) error {
	var ofConfig *config.Error
	var ofBaseline *baseline.Error
	switch {
	case errors.As(err, &ofConfig):
		return shared.UsageHint(err, ofConfig.Hint)
	case errors.As(err, &ofBaseline):
		return shared.UsageHint(err, ofBaseline.Hint)
	}
	return err
}

// allReaders stands for one version of dsh of each format.
const allReaders = "all"

// readers returns the versions of dsh to ask, each once; none when the user named
// none.
func (s *settings) readers() (all []*scan.ReaderVersion, err error) {
	if s.reader.source == byDefault {
		return nil, nil
	}
	for name := range strings.SplitSeq(s.reader.value, ",") {
		some := scan.GenerationReaders()
		if name != allReaders {
			v, err := scan.ReaderNamed(name)
			if err != nil {
				return nil, err
			}
			some = []*scan.ReaderVersion{v}
		}
		for _, v := range some {
			if !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
	}
	return all, nil
}
