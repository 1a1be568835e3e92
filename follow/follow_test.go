package follow_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/follow"
)

const header = `{"type":"session","version":0,"id":"s","createdAt":1783950000000,"cwd":"/work","delegationDepth":0}` + "\n"

// turn returns a turn of two events.
func turn(number int) string {
	return fmt.Sprintf(`{"type":"turn/start","seq":%d,"time":%d,"data":{"turn":%d}}`+"\n", 2*number-2, 10*number, number) + end(number, 2*number-1)
}

// end returns the end of a turn, with a seq.
func end(number, seq int) string {
	return fmt.Sprintf(`{"type":"turn/end","seq":%d,"time":%d,"data":{"turn":%d,"reason":{"kind":"completed"}}}`+"\n", seq, 10*number+5, number)
}

// followed is a log that is followed, with what was told of it so far.
type followed struct {
	t     *testing.T
	path  string
	lines chan string
	done  chan error
}

// start follows a log that has some text so far.
func start(t *testing.T, name, text string) *followed {
	t.Helper()
	f := &followed{t: t, path: filepath.Join(t.TempDir(), name)}
	f.write(text)
	f.run(follow.Run)
	return f
}

// run follows what lies at the path.
func (f *followed) run(run func(ctx context.Context, path string, opt follow.Options) error) {
	f.lines, f.done = make(chan string, 100), make(chan error, 1)
	ctx, stop := context.WithCancel(f.t.Context())
	go func() {
		f.done <- run(ctx, f.path, follow.Options{
			Interval: time.Millisecond,
			Notice:   func(_, what string) { f.lines <- what },
			Update: func(u follow.Update) error {
				for i := range u.New {
					f.lines <- fmt.Sprintf("%d %s", u.New[i].Place.Line, u.New[i].Rule.Name)
				}
				f.lines <- fmt.Sprintf("%s after %d events", u.Result.Reading.Verdict, u.Result.Events)
				return nil
			},
		})
	}()
	f.t.Cleanup(func() {
		stop()
		if err := <-f.done; !errors.Is(err, context.Canceled) {
			f.t.Errorf("following ends with %v", err)
		}
	})
}

// want waits until exactly these lines have been told.
func (f *followed) want(lines ...string) {
	f.t.Helper()
	var got []string
	for range lines {
		select {
		case line := <-f.lines:
			got = append(got, line)
		case <-time.After(10 * time.Second):
			f.t.Fatalf("told %q and then nothing, want %q", got, lines)
		}
	}
	if diff := cmp.Diff(lines, got); diff != "" {
		f.t.Fatalf("told (-want +got):\n%s", diff)
	}
}

// silent checks that nothing is told for many looks.
func (f *followed) silent() {
	f.t.Helper()
	select {
	case line := <-f.lines:
		f.t.Fatalf("told %q, want nothing", line)
	case <-time.After(50 * time.Millisecond):
	}
}

func (f *followed) write(text string) {
	f.t.Helper()
	f.check(os.WriteFile(f.path, []byte(text), 0o600))
}

func (f *followed) add(text string) {
	f.t.Helper()
	file, err := os.OpenFile(f.path, os.O_APPEND|os.O_WRONLY, 0)
	f.check(err)
	_, err = file.WriteString(text)
	f.check(errors.Join(err, file.Close()))
}

func (f *followed) check(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func TestWhatIsBeingWrittenIsNoDamage(t *testing.T) {
	f := start(t, "session.jsonl", header)
	f.want("opens after 0 events")
	text := turn(1)
	for i := range len(text) - 1 {
		f.add(text[i : i+1])
	}
	f.silent()
	f.add(text[len(text)-1:])
	f.want("opens after 2 events")
}

func TestDamageIsToldAtTheNextEndOfATurn(t *testing.T) {
	f := start(t, "session.jsonl", header+turn(1))
	f.want("opens after 2 events")
	f.add("\x00\x00\n")
	f.silent()
	f.add(turn(2))
	f.want("4 nul-run", "damaged after 4 events")
	f.add(turn(3))
	f.want("damaged after 6 events")
}

func TestSeqsThatOccurTwiceAreToldWhenItIsKnownWhy(t *testing.T) {
	f := start(t, "session.jsonl", header+turn(1))
	f.want("opens after 2 events")
	f.add(turn(1))
	f.want("damaged after 4 events")
	f.add(turn(2))
	f.want("4 seq-repeat", "damaged after 6 events")
}

func TestALogThatIsCutStartsAnew(t *testing.T) {
	f := start(t, "session.jsonl", header+"\x00\n"+turn(1)+turn(2))
	f.want("2 nul-run", "damaged after 4 events")
	f.check(os.Truncate(f.path, int64(len(header))))
	f.want(fmt.Sprintf("it has been cut from %d to %d bytes; starting anew", len(header+"\x00\n"+turn(1)+turn(2)), len(header)), "opens after 0 events")
	f.add("\x00\n" + turn(1))
	f.want("2 nul-run", "damaged after 2 events")
}

func TestATornTailThatIsCutOffIsNothingNew(t *testing.T) {
	f := start(t, "session.jsonl", header+turn(1))
	f.want("opens after 2 events")
	f.add(turn(2)[:40])
	f.silent()
	f.check(os.Truncate(f.path, int64(len(header+turn(1)))))
	f.silent()
	f.add(turn(2))
	f.want("opens after 4 events")
}

func TestALogThatIsReplacedStartsAnew(t *testing.T) {
	f := start(t, "session.jsonl", header+turn(1))
	f.want("opens after 2 events")
	other := f.path + ".other"
	f.check(os.WriteFile(other, []byte(header+turn(1)+turn(2)), 0o600))
	f.check(os.Rename(other, f.path))
	f.want("it has been replaced; starting anew", "opens after 4 events")
}

func TestALogThatIsWrittenOverStartsAnew(t *testing.T) {
	f := start(t, "session.jsonl", header+turn(1))
	f.want("opens after 2 events")
	file, err := os.OpenFile(f.path, os.O_WRONLY, 0)
	f.check(err)
	_, err = file.WriteString(strings.Replace(header, `"s"`, `"t"`, 1) + turn(1) + turn(2))
	f.check(errors.Join(err, file.Close()))
	f.want("it has been rewritten; starting anew", "opens after 4 events")
}

func TestALogThatIsGoneIsWaitedFor(t *testing.T) {
	f := start(t, "session.jsonl", header+turn(1))
	f.want("opens after 2 events")
	f.check(os.Rename(f.path, f.path+".old"))
	f.want("it is gone; waiting for another one")
	f.silent()
	f.check(os.WriteFile(f.path+".new", []byte(header), 0o600))
	f.check(os.Rename(f.path+".new", f.path))
	f.want("it has been replaced; starting anew", "opens after 0 events")
}

func TestAZstdLogGrowsByFrames(t *testing.T) {
	f := start(t, "session.jsonl.zstd", frame(t, header))
	f.want("opens after 0 events")
	first := frame(t, turn(1))
	f.add(first[:len(first)/2])
	f.silent()
	f.add(first[len(first)/2:])
	f.want("opens after 2 events")
	damaged := []byte(frame(t, turn(2)))
	damaged[len(damaged)-1] ^= 1 // of the checksum
	f.add(string(damaged))
	f.silent()
	f.add(frame(t, turn(3)))
	f.want("0 frame-checksum", "damaged after 6 events")
}

func frame(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	enc, err := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := enc.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := enc.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestAFileThatCannotBeReadIsAnError(t *testing.T) {
	err := follow.Run(t.Context(), filepath.Join(t.TempDir(), "none"), follow.Options{})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
