// Package fuzz states properties that hold for any bytes, and fuzzes them: with
// Go's own fuzzing,
//
//	go test ./fuzz -run none -fuzz FuzzFix -fuzzminimizetime 10x
//
// and with go-fuzz (build tag gofuzz), whose entry points have the same names. Plain
// go test runs the seeds: the logs of testdata/corpus, the folders of fuzz/corpus, and
// what was ever found, in fuzz/testdata/fuzz. go run ./fuzz/gen writes fuzz/corpus,
// whose files are plain, as go-fuzz wants them:
//
//	logs      crash-truncated logs, for FuzzFrames
//	recipes   logs as text with frames and damage, for FuzzScanner, FuzzLint, FuzzFix and FuzzReport
//	lines     lines of logs, for FuzzJSON, FuzzHeader and FuzzRecord
//
// The limit on minimizing matters: the coverage of the zstd decoder differs from run
// to run, which keeps Go's minimizer busy for a minute an input.
package fuzz

// MaxInput is the bytes of the longest input that is looked at: an RLE block of four
// bytes stands for 128 KiB.
const MaxInput = 16 << 10
