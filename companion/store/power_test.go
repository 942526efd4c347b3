package store

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// tearFile returns a file as a power cut leaves it in the middle of a write: each sector of 512 bytes is the old or
// the new one, in any order.
func tearFile(dice *rand.Rand, before, after []byte) []byte {
	now := slices.Clone(after)
	for i := 0; i < len(after); i += 512 {
		if dice.IntN(2) == 0 {
			continue
		}
		end := min(i+512, len(after))
		clear(now[i:end])
		if i < len(before) {
			copy(now[i:end], before[i:min(end, len(before))])
		}
	}
	if dice.IntN(2) == 0 { // the file's new length is written separately
		now = now[:max(len(before), dice.IntN(len(after)+1))]
	}
	return now
}

// A power cut at any moment of a write costs nothing that was acknowledged, and no start reports a loss. After a cut
// in the log the step may be gone, as it was never acknowledged; after a cut in the mark it was not acknowledged
// either, but is there. 60 images, 300 in a soak.
func TestPowerLossImages(t *testing.T) {
	dice := seededDice(t)
	_, s := playedStore(t, dice)
	g, _, err := s.CurrentGame()
	if err != nil {
		t.Fatal(err)
	}
	outcome := map[string]int{}
	for n := range tryCount(60, 300) {
		if dice.IntN(8) == 0 {
			if err := s.emptyLogIntoFile(); err != nil {
				t.Fatal(err)
			}
		}
		before, was := readImage(t, s.path), contentOf(t, s)
		if dice.IntN(3) == 0 {
			err = s.SetTag("huis-clos", Tag{UID: fmt.Sprintf("05%012x", n), Card: "clue-x"})
		} else {
			one := stepEvents(int64(len(groupBySteps(was.games[g.ID])))+1, "a", "b")
			one[1].Data = make([]byte, dice.IntN(9000))
			err = s.AppendSteps(g.ID, one, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		after, now := readImage(t, s.path), contentOf(t, s)
		cut, where := image{"": before[""], "-wal": tearFile(dice, before["-wal"], after["-wal"]), ".mark": before[".mark"]}, "log"
		if dice.IntN(3) == 0 {
			cut, where = image{"": after[""], "-wal": after["-wal"], ".mark": tearFile(dice, before[".mark"], after[".mark"])}, "mark"
		} else if string(before[""]) != string(after[""]) { // SQLite copied the log over, so the log was complete
			continue
		}
		path := cut.writeFiles(t)
		r, err := Open(path, nil)
		if err != nil {
			t.Fatalf("image %d, cut in the %s: %v", n, where, err)
		}
		got := contentOf(t, r)
		which := "before"
		if hasSameContent(got, now) {
			which = "after"
		} else if where == "mark" || !hasSameContent(got, was) {
			t.Errorf("image %d, cut in the %s: the store holds something else", n, where)
		}
		if lost := r.Losses(); len(lost) > 0 || r.FormerStateFile() != "" {
			t.Errorf("image %d, cut in the %s: the start names %+v", n, where, lost)
		}
		_ = r.Close()
		outcome[where+": "+which]++
		if t.Failed() {
			return
		}
	}
	t.Logf("%v", outcome)
	if outcome["log: before"] == 0 || outcome["mark: after"] == 0 {
		t.Error("no image was torn")
	}
}

// A power cut after a damaged file's log was removed and before the rebuilt file was renamed costs none of the steps
// in that log.
func TestPowerLossWhileRebuilding(t *testing.T) {
	path := newFile(t)
	s := open(t, path)
	g, err := s.BeginGame("g", stepEvents(1, "a"))
	if err := errors.Join(err, s.emptyLogIntoFile(), s.AppendSteps(g.ID, stepEvents(2, "b"), nil)); err != nil {
		t.Fatal(err)
	}
	whole := readImage(t, path)
	harmed := bytes.Replace(whole[""], []byte("CREATE TRIGGER notes_old"), []byte("CREATE TROGGER notes_old"), 1)
	if len(whole["-wal"]) == 0 || bytes.Equal(harmed, whole[""]) {
		t.Fatal("no log, or no harm")
	}
	for name, cut := range map[string]image{
		"no power cut":                   {"": harmed, "-wal": whole["-wal"]},
		"with the file put aside":        {"": harmed, "-wal": whole["-wal"], ".1": harmed, ".1-wal": whole["-wal"]},
		"with the log removed":           {"": harmed, ".1": harmed, ".1-wal": whole["-wal"], ".rebuilt": whole[""]},
		"in the middle of putting aside": {"": harmed, "-wal": whole["-wal"], ".1": harmed[:4096], ".1-wal": whole["-wal"]},
	} {
		cut[".mark"] = whole[".mark"]
		r := open(t, cut.writeFiles(t))
		if got := stepKinds(t, r, g.ID); got != "1.a 2.b" || len(r.Losses()) > 0 || r.FormerStateFile() == "" {
			t.Errorf("%s: %s, lost %+v, kept %q", name, got, r.Losses(), r.FormerStateFile())
		}
	}
	// When the file in place is a different one, the log of a former file does not belong to it.
	r := open(t, image{"": whole[""], ".1": harmed, ".1-wal": whole["-wal"]}.writeFiles(t))
	if got := stepKinds(t, r, g.ID); got != "1.a" {
		t.Errorf("with another file in place: %s", got)
	}
}

func groupBySteps(events []Event) (all [][]Event) {
	for one := range splitSteps(events) {
		all = append(all, one)
	}
	return all
}

func hasSameContent(a, b content) bool {
	for id := range b.games {
		if !sameEvents(a.games[id], b.games[id]) {
			return false
		}
	}
	return fmt.Sprint(a.rows) == fmt.Sprint(b.rows)
}

// A step whose log or mark cannot be written is not acknowledged: without space (/dev/full), and on a medium with
// errors. The test exchanges SQLite's own descriptor, so that its driver gets the error. Once the medium works the
// game goes on, and no start finds a loss.
func TestFailingMedium(t *testing.T) {
	for _, tail := range []string{"-wal", ".mark"} {
		for _, c := range []struct {
			name, file string
			flags      int
			want       []Trouble
		}{
			{"no space", "/dev/full", os.O_RDWR, []Trouble{Full}},
			{"errors", "/dev/null", os.O_RDONLY, []Trouble{Broken}},
		} {
			if tail == "-wal" && c.file == "/dev/full" {
				continue // also reads as zeros, which a full disk does not; see TestFullDisk
			}
			t.Run(strings.Trim(tail, "-.")+", "+c.name, func(t *testing.T) {
				s := open(t, filepath.Join(t.TempDir(), "t.db"))
				g, err := s.BeginGame("g", stepEvents(1, "a"))
				if err != nil {
					t.Fatal(err)
				}
				mend := exchangeDescriptors(t, s.path+tail, c.file, c.flags)
				marked := s.mark.last.N
				err = s.AppendSteps(g.ID, stepEvents(2, "b"), nil)
				if s.mark.last.N != marked {
					t.Error("the mark says that it was acknowledged")
				}
				checked := s.CheckWritable()
				mend()
				for _, err := range []error{err, checked} {
					var e *Error
					if !errors.As(err, &e) || !slices.Contains(c.want, e.Trouble) {
						t.Errorf("got %v, want %v", err, c.want)
					}
				}
				if err := s.CheckWritable(); err != nil {
					t.Fatalf("with the medium well again: %v", err)
				}
				next, there := int64(2), stepKinds(t, s, g.ID)
				if tail == ".mark" { // on disk, but not acknowledged
					next = 3
				}
				if err := s.AppendSteps(g.ID, stepEvents(next, "c"), nil); err != nil {
					t.Errorf("step %d after %s: %v", next, there, err)
				}
				r := open(t, readImage(t, s.path).writeFiles(t))
				if got := stepKinds(t, r, g.ID); got != there+fmt.Sprintf(" %d.c", next) || len(r.Losses()) > 0 {
					t.Errorf("after the next start: %s, lost %+v", got, r.Losses())
				}
			})
		}
	}
}

// exchangeDescriptors replaces each descriptor of the file at path by one of another file, until the returned
// function is called.
func exchangeDescriptors(t *testing.T, path, file string, flags int) (mend func()) {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc here:", err)
	}
	other, err := syscall.Open(file, flags|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	was := map[int]int{}
	for _, f := range all {
		var fd int
		if to, err := os.Readlink("/proc/self/fd/" + f.Name()); err != nil || to != path {
			continue
		}
		if _, err := fmt.Sscan(f.Name(), &fd); err != nil {
			t.Fatal(err)
		}
		if was[fd], err = syscall.Dup(fd); err == nil {
			err = syscall.Dup3(other, fd, syscall.O_CLOEXEC)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(was) == 0 {
		t.Fatalf("nobody has %s open", path)
	}
	return func() {
		for fd, old := range was {
			if err := errors.Join(syscall.Dup3(old, fd, syscall.O_CLOEXEC), syscall.Close(old)); err != nil {
				t.Fatal(err)
			}
		}
		_ = syscall.Close(other)
	}
}
