package clock

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// TestARequestSetsTheClockOnce checks that a request sets the clock once. A file that is no request, a second request, or a time out of
// range sets nothing, and is removed.
func TestARequestSetsTheClockOnce(t *testing.T) {
	folder := t.TempDir()
	wish, mark := filepath.Join(folder, "clock"), filepath.Join(folder, "root", "set")
	var got []time.Time
	set := func(tv *syscall.Timeval) error {
		got = append(got, time.Unix(tv.Unix()))
		return nil
	}
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(wish, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{
		"", "now", "-1", "0", strconv.FormatInt(Earliest.UnixMilli()-1, 10), strconv.FormatInt(Latest.UnixMilli(), 10),
		"99999999999999999999999",
	} {
		put(text)
		if err := SetClockFromRequest(wish, mark, set); !errors.Is(err, ErrNoTime) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := os.Symlink(filepath.Join(folder, "elsewhere"), wish); err != nil {
		t.Fatal(err)
	}
	if err := SetClockFromRequest(wish, mark, set); err == nil {
		t.Error("a link is followed")
	}
	if err := syscall.Mkfifo(wish, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := SetClockFromRequest(wish, mark, set); !errors.Is(err, ErrNoTime) {
		t.Errorf("a pipe: %v", err)
	}
	at := time.Date(2026, 12, 24, 20, 0, 0, 0, time.UTC)
	if err := WriteRequest(wish, at); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("not permitted")
	if err := SetClockFromRequest(wish, mark, func(*syscall.Timeval) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("a clock that cannot be set: %v", err)
	}
	for n, want := range []error{nil, ErrAlreadySet} {
		if err := WriteRequest(wish, at.Add(time.Duration(n)*time.Hour)); err != nil {
			t.Fatal(err)
		}
		if err := SetClockFromRequest(wish, mark, set); !errors.Is(err, want) {
			t.Errorf("wish %d: %v", n, err)
		}
		if _, err := os.Lstat(wish); err == nil {
			t.Error("the wish is still there, and would be asked for again and again")
		}
	}
	if len(got) != 1 || !got[0].Equal(at) {
		t.Errorf("the clock was set to %v", got)
	}
}
