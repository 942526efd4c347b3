package house

import (
	"errors"
	"sync"
	"testing"
	"time"

	"majordome/engine"
)

// TestInvitationsInARow: each of several invitations gives another link, however soon the next is requested.
func TestInvitationsInARow(t *testing.T) {
	r := startRig(t, nil)
	link := func(v engine.Viewer) string {
		t.Helper()
		url, joined, err := r.house.Desk.LinkOrPageURL(v)
		if err != nil || joined {
			t.Fatalf("%v: %t, %v", v, joined, err)
		}
		return url
	}
	seats := []engine.Viewer{engine.SeatViewer(1), engine.SeatViewer(2), engine.SeatViewer(3), engine.Host}
	before := map[engine.Viewer]string{}
	for _, v := range seats {
		before[v] = link(v)
	}
	var wg sync.WaitGroup
	for _, v := range seats {
		wg.Go(func() {
			for range 8 {
				if err := r.house.ReplaceInvitation(v); err != nil {
					t.Errorf("%v: %v", v, err)
				}
			}
		})
	}
	wg.Wait()
	r.house.waitUntilPublished(t.Context())
	for _, v := range seats {
		if link(v) == before[v] {
			t.Errorf("%v has the link of before", v)
		}
	}
}

// TestInviteAfterTheEnd: a call to a table that has ended gets an error and does not wait.
func TestInviteAfterTheEnd(t *testing.T) {
	r := startRig(t, nil)
	r.stop()
	<-r.house.Loop.Done()
	told := make(chan error, 1)
	go func() { told <- r.house.ResumeGame() }()
	select {
	case err := <-told:
		if !errors.Is(err, errEnded) {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Error("the command waits for an answer")
	}
}
