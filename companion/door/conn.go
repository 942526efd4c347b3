package door

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"majordome/companion/plain"
)

// Listener accepts connections that get a place of a Door.
type Listener struct {
	net.Listener
	d    *Door
	kind Kind
}

// WrapListener makes each connection that l accepts a stranger of d. Accept closes connections without a place and waits for the next. The
// kernel's buffers of each connection are limited: it inherits their sizes from the listening socket (tcp(7)).
func (d *Door) Listen(l net.Listener) *Listener {
	bound(l)
	return &Listener{Listener: l, d: d, kind: Stranger}
}

// WrapInside is WrapListener for the listener of the daemon's own client.
func (d *Door) Inside(l net.Listener) *Listener { return &Listener{Listener: l, d: d, kind: Inside} }

// setBufferSizes sets the sizes of a socket's buffers. Systems without these options have limits of their own.
func bound(socket any) {
	raw, ok := socket.(syscall.Conn)
	if !ok {
		return
	}
	if c, err := raw.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) {
			_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_SNDBUF, sendBuffer)
			_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, receiveBuffer)
		})
	}
}

// Accept waits for a connection that gets a place.
func (l *Listener) Accept() (net.Conn, error) {
	for pause := time.Duration(0); ; {
		conn, err := l.Listener.Accept()
		if err != nil {
			if errors.Is(err, syscall.ECONNABORTED) { // the peer has gone before it was accepted
				continue
			}
			if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) { // no descriptor is free: try again
				l.d.count(l.d.refused, "descriptors")
				pause = min(max(2*pause, 5*time.Millisecond), time.Second)
				time.Sleep(pause)
				continue
			}
			return nil, err
		}
		pause = 0
		if l.kind != Inside {
			bound(conn) // a connection from before WrapListener has not inherited the sizes
		}
		c := &Conn{Conn: conn, d: l.d, kind: l.kind, since: l.d.opts.Now()}
		if l.d.enter(c) {
			return c, nil
		}
		c.end()
	}
}

// Conn is a connection with a place. A nil Conn is one that the door does not count.
type Conn struct {
	net.Conn
	d        *Door
	since    time.Time
	progress atomic.Int64 // time of the last write, in ns of the monotonic clock since the door was made; 0: never

	// Under Door.mu.
	kind   Kind
	host   *host // nil for Inside
	user   string
	gone   bool
	known  bool // its address was known when it was accepted
	proved bool // it is Inside and has shown the daemon's password

	mu    sync.Mutex
	limit time.Time // for writing, set by the owner of the connection
}

// ConnOf returns the place of a connection, also of a TLS connection over it; nil if it has none.
func Of(conn net.Conn) *Conn {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	c, _ := conn.(*Conn)
	return c
}

// Promote gives the connection the place of what it has proved to be: Public, or Seat, Device or Host with the user. It returns false if
// there is no such place; the caller then closes the connection.
func (c *Conn) Promote(to Kind, user string) bool { return c == nil || c.d.promote(c, to, user) }

// Close closes the connection and releases its place.
func (c *Conn) Close() error {
	c.d.leave(c)
	return c.Conn.Close()
}

// abort closes the connection and discards data that the peer has not received yet. Otherwise the kernel would keep data and socket for
// minutes.
func (c *Conn) end() {
	if t, ok := c.Conn.(interface{ SetLinger(int) error }); ok {
		_ = t.SetLinger(0)
	}
	_ = c.Conn.Close()
}

// Write sends p in parts, and the peer must receive each within Opts.WriteWait. A peer that does not is cut.
func (c *Conn) Write(p []byte) (n int, err error) {
	for {
		c.mu.Lock()
		until := time.Now().Add(c.d.opts.WriteWait)
		if !c.limit.IsZero() && c.limit.Before(until) {
			until = c.limit
		}
		err = c.Conn.SetWriteDeadline(until)
		c.mu.Unlock()
		if err != nil {
			return n, err
		}
		part, err := c.Conn.Write(p[n:min(len(p), n+writeChunk)])
		n += part
		if err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				c.d.count(c.d.cut, "slow")
				c.end()
			}
			return n, err
		}
		c.progress.Store(max(1, int64(c.d.opts.Now().Sub(c.d.began))))
		if n >= len(p) {
			return n, nil
		}
	}
}

// SetWriteDeadline sets the latest time for all writes; each part has its own deadline as well.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit = t
	return c.Conn.SetWriteDeadline(t)
}

// SetDeadline sets the deadlines of reading and of writing.
func (c *Conn) SetDeadline(t time.Time) error {
	return errors.Join(c.Conn.SetReadDeadline(t), c.SetWriteDeadline(t))
}

type connKey struct{}

// ConnContext is the ConnContext of the http.Server, so that FromContext finds the connection of a request.
func (d *Door) ConnContext(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, Of(conn))
}

// FromContext returns the connection on which a request arrived; nil if it has no place.
func From(ctx context.Context) *Conn {
	c, _ := ctx.Value(connKey{}).(*Conn)
	return c
}

var tooMany = plain.New([]string{"Trop de demandes : attendez une seconde, puis rechargez cette page."},
	[]string{"Too many requests: wait a second, then reload this page."})

// Handler limits how often an address may send requests, and the time for a body. Above the rate it answers 429.
func (d *Door) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c := From(r.Context()); c != nil && !d.ask(c) {
			w.Header().Set("Retry-After", "1")
			w.Header().Set("Connection", "close")
			tooMany.Answer(w, http.StatusTooManyRequests)
			return
		}
		if r.Body != nil && r.Body != http.NoBody {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(BodyWait)) // fails only with a recorder in tests
		}
		next.ServeHTTP(w, r)
	})
}
