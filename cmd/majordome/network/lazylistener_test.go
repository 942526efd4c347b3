package network

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"majordome/devices/logtest"
)

// nameServer answers every query for an address with 127.0.0.1, with DNS messages as over TCP (RFC 1035, 4.1 and
// 4.2.2), once known is set; before that it cannot be reached.
type nameServer struct{ known atomic.Bool }

func (s *nameServer) dial(context.Context, string, string) (net.Conn, error) {
	if !s.known.Load() {
		return nil, errors.New("no network")
	}
	near, far := net.Pipe()
	go func() {
		defer far.Close()
		for {
			var size [2]byte
			if _, err := io.ReadFull(far, size[:]); err != nil {
				return
			}
			ask := make([]byte, binary.BigEndian.Uint16(size[:]))
			if _, err := io.ReadFull(far, ask); err != nil {
				return
			}
			end := 12
			for ask[end] != 0 {
				end += 1 + int(ask[end])
			}
			end += 5
			answer := append([]byte{ask[0], ask[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, ask[12:end]...)
			if ask[end-3] == 1 { // A, not AAAA
				answer[7] = 1
				answer = append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1)
			}
			if _, err := far.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil {
				return
			}
		}
	}()
	return near, nil
}

// TestListenAtANameThatComesLater: a host name that cannot be resolved at the start is no error; the pages are served
// once it can be. A table that is stopped earlier does not wait for it.
func TestListenAtANameThatComesLater(t *testing.T) {
	before := net.DefaultResolver
	t.Cleanup(func() { net.DefaultResolver = before }) // after the house has ended
	var dns nameServer
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: dns.dial}
	log := &logtest.Buffer{}
	moved := make(chan struct{}, 1)
	n, err := Open(Opts{Pages: "table.example:0", MQTT: "mqtt.example:0", Log: slog.New(slog.NewTextHandler(log, nil)),
		Changed: func(c Change) {
			if c == AddressChanged {
				moved <- struct{}{}
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if said := log.String(); strings.Count(said, "table.example:0") != 1 || strings.Count(said, "mqtt.example:0") != 1 ||
		!strings.Contains(said, "personne ne connaît") {
		t.Errorf("the log says %q", said)
	}
	if n.URL() != "http://table.example:0" {
		t.Errorf("found at %s", n.URL())
	}
	server := &http.Server{Handler: http.NotFoundHandler()}
	var running sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	running.Go(func() { _ = server.Serve(n.Pages) })
	running.Go(func() { n.Run(ctx) })
	dns.known.Store(true)
	select {
	case <-moved:
	case <-time.After(time.Minute):
		t.Fatalf("still found at %s", n.URL())
	}
	if !strings.HasPrefix(n.URL(), "http://127.0.0.1:") {
		t.Errorf("found at %s", n.URL())
	}
	res, err := http.Get(n.URL())
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusNotFound {
		t.Error(res.Status)
	}
	stop()
	_ = server.Close()
	if err := n.Close(); err != nil { // MQTT still waits
		t.Error(err)
	}
	running.Wait()

	dns.known.Store(false)
	l, err := listenNowOrLater("nobody.example:0", "listen", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { _, err := l.Accept(); ended <- err }()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Errorf("Accept ends with %v", err)
	}
	if _, err := listenNowOrLater("127.0.0.1:nothing", "listen", slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a port that is none is waited for")
	}
}
