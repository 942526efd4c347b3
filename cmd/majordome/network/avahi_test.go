package network

import (
	"context"
	"net"
	"path/filepath"
	"testing"
	"time"
)

// TestAvahiIsNotWaitedFor: a D-Bus that does not answer does not prevent the table from stopping.
func TestAvahiIsNotWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path="+path)
	for name, ask := range map[string]func(context.Context){
		"runs": func(ctx context.Context) { isAvahiRunning(ctx) },
		"take": func(ctx context.Context) { _, _ = newAvahi(ctx, "majordome", nil, 80) },
	} {
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { ask(ctx); close(ended) }()
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		stop()
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Fatalf("%s waits for good", name)
		}
	}
}
