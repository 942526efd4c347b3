package door

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// startServer starts an http.Server behind a door.
func startServer(t *testing.T, d *Door, in net.Listener, h http.Handler) {
	s := &http.Server{Handler: d.LimitRequests(h), ConnContext: d.ConnContext, ReadHeaderTimeout: HeaderWait}
	done := make(chan error, 1)
	go func() { done <- s.Serve(d.WrapListener(in)) }()
	t.Cleanup(func() { _ = s.Close(); <-done })
}

// pipeListener accepts pipes in the place of kernel sockets, so that deadlines run on the fake clock of testing/synctest.
type pipeListener chan net.Conn

func (p pipeListener) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p pipeListener) Close() error   { close(p); return nil }
func (p pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

// pipeConn is the door's end of a pipe.
type pipeConn struct{ net.Conn }

func (pipeConn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 4000} }

// TestClientThatDoesNotReadIsCut checks that a client that requests and never reads is cut when it has read nothing for WriteWait; one
// that reads slowly gets the whole answer.
func TestClientThatDoesNotReadIsCut(t *testing.T) { synctest.Test(t, runNonReaderIsCut) }

func runNonReaderIsCut(t *testing.T) {
	const wait = time.Second
	d, err := New(&Opts{WriteWait: wait})
	if err != nil {
		t.Fatal(err)
	}
	body := bytes.Repeat([]byte("0123456789abcdef"), 1<<16) // 1 MiB
	in := make(pipeListener)
	startServer(t, d, in, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
	ask := func() net.Conn {
		c, far := net.Pipe()
		t.Cleanup(func() { c.Close() })
		in <- pipeConn{far}
		_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		return c
	}
	ask()
	time.Sleep(wait - time.Millisecond)
	if n := d.State().Cut["slow"]; n != 0 {
		t.Errorf("%d are cut before their time", n)
	}
	time.Sleep(2 * time.Millisecond)
	synctest.Wait()
	if s := d.State(); s.Cut["slow"] != 1 || s.Places[Stranger].Taken != 0 {
		t.Fatalf("it is not cut: %+v", s)
	}
	slow, got, start := ask(), 0, time.Now()
	for part := make([]byte, 8<<10); ; {
		n, err := slow.Read(part)
		got += n
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("after %d bytes: %v", got, err)
		}
		time.Sleep(wait / 80) // a slow reader, not a wait for something
	}
	if took := time.Since(start); got < len(body) || took < wait {
		t.Errorf("%d bytes in %v: want %d, and longer than %v", got, took, len(body), wait)
	}
}

// TestClientThatDoesNotReadIsCutThroughTheKernelToo checks the same over real sockets, where the kernel buffers a part of the answer.
func TestClientThatDoesNotReadIsCutThroughTheKernelToo(t *testing.T) {
	d, err := New(&Opts{WriteWait: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	in, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	startServer(t, d, in, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 16<<20)) }))
	c, err := net.Dial("tcp", in.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	for end := time.Now().Add(time.Minute); d.State().Cut["slow"] != 1 ||
		d.State().Places[Stranger].Taken != 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it is not cut: %+v", d.State())
		}
	}
}

// TestKernelMemory checks that the kernel buffers of each connection are bounded.
func TestKernelMemory(t *testing.T) {
	d, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	in, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // one connects before WrapListener, as at every start, and one after
		peer, err := net.Dial("tcp", in.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer peer.Close()
		l := d.WrapListener(in)
		defer l.Close()
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		raw, err := c.(*Conn).Conn.(syscall.Conn).SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		_ = raw.Control(func(fd uintptr) {
			for opt, want := range map[int]int{syscall.SO_SNDBUF: 2 * sendBuffer, syscall.SO_RCVBUF: 2 * receiveBuffer} {
				if n, err := syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, opt); err != nil || n > want {
					t.Errorf("option %d: %d bytes (%v), want at most %d", opt, n, err, want)
				}
			}
		})
	}
}

// TestRequests checks that an address with too many requests is answered 429, and no other address is.
func TestRequests(t *testing.T) {
	l := newTestDoor(t)
	h := l.LimitRequests(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }))
	ask := func(c *Conn) int {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/", nil).WithContext(l.ConnContext(context.Background(), c)))
		return w.Code
	}
	a, b := l.mustConnect("10.0.0.1", Stranger, ""), l.mustConnect("10.0.0.2", Stranger, "")
	good := 0
	for range 1000 {
		if ask(a) == 204 {
			good++
		}
	}
	if good != requestBurst || ask(a) != http.StatusTooManyRequests || ask(b) != 204 {
		t.Errorf("%d requests at once, want %d; another address: %d", good, requestBurst, ask(b))
	}
	if ask(nil) != 204 {
		t.Error("a request without a place is not counted")
	}
}

// TestWatchSpeaksUnderPressure checks that the log reports on the door only while it is under pressure, and with counts, not
// addresses.
func TestWatchSpeaksUnderPressure(t *testing.T) {
	l := newTestDoor(t)
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	last, pressed := l.logPressure(l.State(), log)
	if out.Len() != 0 || pressed {
		t.Errorf("calm: %s", &out)
	}
	for range 41 {
		l.connectFrom("10.77.0.9")
	}
	last, pressed = l.logPressure(last, log)
	if s := out.String(); !strings.Contains(s, "left.strangers=128") || !strings.Contains(s, "left.seats=80") ||
		!strings.Contains(s, `cut="gave-way 9"`) || strings.Contains(s, "10.77") {
		t.Errorf("the log says: %s", s)
	}
	out.Reset()
	if !pressed {
		t.Error("pressure is not told to Watch")
	}
	last, pressed = l.logPressure(last, log)
	if out.Len() != 0 || pressed {
		t.Errorf("calm again: %s", &out)
	}
	for i := range 121 {
		l.mustConnect(nthAddress(i), Stranger, "")
	}
	l.logPressure(last, log)
	if !strings.Contains(out.String(), "left.strangers=") {
		t.Error("few places are left and the log is silent")
	}
}
