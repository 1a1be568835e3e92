// Package fuzz states properties that hold for any bytes, and fuzzes them: with
// Go's own fuzzing,
//
//	go test ./fuzz -run none -fuzz FuzzScannerChunking -fuzzminimizetime 10x
//
// and with go-fuzz (build tag gofuzz). Plain go test runs the seeds, which are
// the logs of testdata/corpus. The limit on minimizing matters: the coverage of
// the zstd decoder differs from run to run, which keeps Go's minimizer busy for a
// minute an input.
package fuzz
