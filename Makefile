# Long tests. The quick ones are what .ci/run does.
#
#   make soak                      everything, some hours
#   make fuzz FUZZTIME=1h          one part of it
#
#   make profile                   measures again where a check spends its time, for the compiler
#
# FUZZTIME is for each fuzz target, DRAWN the number of logs that both readers read, from
# SEED, CHECKS the number of random logs of each property, and MUTANTS the number of
# changes of each package; 0 makes them all, which takes days.

FUZZTIME ?= 10m
DRAWN    ?= 10000000
SEED     ?= 1
CHECKS   ?= 20000
MUTANTS  ?= 100

SHELL := bash
.SHELLFLAGS := -eo pipefail -c
export TURNLINT_SOAK = 1

.PHONY: profile soak drive fuzz sweeps properties faults bombs planted mutants

soak: drive sweeps properties faults bombs planted fuzz mutants

# Drawn logs, far more a second than Go's own fuzzing gives.
drive:
	go run ./fuzz/drive -n $(DRAWN) -seed $(SEED)

# A bound for the minimizing of inputs keeps Go from spending a minute on each.
fuzz:
	@for package in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n 1 dirname | sort -u); do \
		for target in $$(grep -ho '^func Fuzz[A-Za-z]*' $$package/*_test.go | sed 's/^func //'); do \
			echo "==> $$package $$target"; \
			go test $$package -run none -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x || exit 1; \
		done; \
	done

# Every byte and every bit of the logs of the corpus.
sweeps:
	go test ./fuzz ./scan ./repair -run 'Truncation|Flip|DamagedLine' -timeout 4h -count=1

# Random logs and lines, and two writers on one log.
properties:
	go test ./fuzz -run AnyLine -rapid.checks=$(CHECKS) -timeout 12h -count=1
	go test ./repair -run 'TwoWriters|DamageAnywhere' -rapid.checks=$(CHECKS) -timeout 12h -count=1
	go test ./rules -run 'Legal|Dialect|Illegal|Cut|DamagedFrame' -rapid.checks=$(CHECKS) -timeout 12h -count=1

# Every operation and every system call of a repair fails, and power is lost. A fault point is one of them and the way in
# which it fails, or what one loss of power leaves.
faults:
	go test ./repair ./cmd/turnfix -run 'Fault|PowerLost|Disk|Kill|OperationThatFails|LimitOfFiles' -timeout 4h -count=1 -v | \
		awk '/^=== / {next} {print} match($$0, /[0-9]+ fault points/) {n += substr($$0, RSTART)} END {print n " fault points in all"; exit n < 1000}'

bombs:
	go test ./fuzz/bombs -timeout 4h -count=1 -v | grep -v '^=== '

planted:
	go run ./fuzz/planted

mutants:
	go run ./fuzz/mutate -package scan -sample $(MUTANTS) ./scan ./fuzz ./rules
	go run ./fuzz/mutate -package repair -sample $(MUTANTS) ./repair ./fuzz

# The profile with which turnlint is compiled. One that is out of date costs speed and nothing else.
profile:
	scratch=$$(mktemp -d) && trap 'rm -rf $$scratch' EXIT && \
		go test -trimpath -c -o $$scratch/rules.test ./rules && \
		(cd $$scratch && ./rules.test -test.run none -test.bench 'Check/.*/.*/jobs=1$$' -test.benchtime 5s -test.cpuprofile cpu && \
		go tool pprof -proto rules.test cpu >default.pgo) && \
		mv $$scratch/default.pgo cmd/turnlint/
