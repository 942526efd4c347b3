package adminsocket

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestEachQuestionGetsItsOwnAnswer checks that each question gets its own answer, that a failing or unknown question
// gets none, and that after Close there is no answer. A socket left by a daemon that had no time to remove it does not
// matter.
func TestEachQuestionGetsItsOwnAnswer(t *testing.T) {
	folder := filepath.Join(t.TempDir(), strings.Repeat("long", 40)) // longer than the address of a socket may be
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, SocketName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Listen(folder)
	if err != nil {
		t.Fatal(err)
	}
	var full atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Serve(Handlers{
			Links: func(anew bool) (l Links, err error) {
				if full.Load() {
					err = errors.New("the disk is full")
				}
				return Links{Host: "http://table/host", Joined: !anew}, err
			},
			NewPIN: func() (name, pin string, ok bool) { return "Odile", "271828", true },
		}, slog.New(slog.DiscardHandler))
	}()
	for _, anew := range []bool{false, true} {
		if l, err := RequestLinks(folder, anew); err != nil || l.Host != "http://table/host" || l.Joined == anew {
			t.Errorf("anew %v: %+v, %v", anew, l, err)
		}
	}
	if o, err := RequestNewPIN(folder); err != nil || o != (Owner{"Odile", "271828"}) {
		t.Errorf("%+v, %v", o, err)
	}
	var any Links
	if err := sendRequest(folder, "guest\n", &any); !errors.Is(err, ErrNoDaemon) {
		t.Errorf("a question that nobody knows: %v", err)
	}
	full.Store(true)
	if _, err := RequestLinks(folder, false); !errors.Is(err, ErrNoDaemon) {
		t.Errorf("no link, and an answer: %v", err)
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	<-ended
	if _, err := RequestLinks(folder, false); !errors.Is(err, ErrNoDaemon) {
		t.Errorf("nobody is there: %v", err)
	}
}
