package house

import (
	"testing"
	"time"
)

// TestGoodbyeIsShort: a responder that is busy with a stranger's thousand questions does not keep the table from stopping.
func TestGoodbyeIsShort(t *testing.T) {
	closed := make(chan struct{})
	go func() {
		(&own{stop: func() {}, ended: make(chan struct{})}).Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(5 * goodbye):
		t.Fatal("it waits for good")
	}
}
