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

// Listener lets connections in.
type Listener struct {
	net.Listener
	d    *Door
	kind Kind
}

// Listen makes each connection that l accepts a stranger of d. One that finds no
// place is closed at once; Accept answers with the next. What the kernel holds for each
// is bounded: it inherits the sizes of the listening socket (tcp(7)).
func (d *Door) Listen(l net.Listener) *Listener {
	bound(l)
	return &Listener{Listener: l, d: d, kind: Stranger}
}

// Inside is for the listener of the daemon's own client.
func (d *Door) Inside(l net.Listener) *Listener { return &Listener{Listener: l, d: d, kind: Inside} }

// bound sets the sizes of a socket's buffers. A system without these has its own limits.
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

// Accept waits for a connection that has a place.
func (l *Listener) Accept() (net.Conn, error) {
	for pause := time.Duration(0); ; {
		conn, err := l.Listener.Accept()
		if err != nil {
			if errors.Is(err, syscall.ECONNABORTED) { // the peer has gone before it was accepted
				continue
			}
			if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) { // no free descriptor: that passes
				l.d.count(l.d.refused, "descriptors")
				pause = min(max(2*pause, 5*time.Millisecond), time.Second)
				time.Sleep(pause)
				continue
			}
			return nil, err
		}
		pause = 0
		if l.kind != Inside {
			bound(conn) // who has come before Listen inherits nothing
		}
		c := &Conn{Conn: conn, d: l.d, kind: l.kind, since: l.d.opts.Now()}
		if l.d.enter(c) {
			return c, nil
		}
		c.end()
	}
}

// Conn is a connection with a place. A nil Conn is one that nobody counts.
type Conn struct {
	net.Conn
	d        *Door
	since    time.Time
	progress atomic.Int64 // when it was last sent something, in ns since the door was made, by the clock that nobody sets; 0: never

	// Under Door.mu.
	kind Kind
	host *host // nil for Inside
	user string
	gone bool
	// known: its address was, when it came.
	known bool
	// proved: it is Inside, and has shown the daemon's password.
	proved bool

	mu    sync.Mutex
	limit time.Time // for writing, as its owner has set it
}

// Of is the place of a connection; nil if it has none.
func Of(conn net.Conn) *Conn {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	c, _ := conn.(*Conn)
	return c
}

// Promote tells the door what the connection has proved to be: Public, or Seat, Device or
// Host with the user. False: there is no place left for that, end it.
func (c *Conn) Promote(to Kind, user string) bool { return c == nil || c.d.promote(c, to, user) }

// Close gives the place back.
func (c *Conn) Close() error {
	c.d.leave(c)
	return c.Conn.Close()
}

// end closes without waiting until the peer has taken what was sent: the kernel
// would keep that, and the socket, for minutes.
func (c *Conn) end() {
	if t, ok := c.Conn.(interface{ SetLinger(int) error }); ok {
		_ = t.SetLinger(0)
	}
	_ = c.Conn.Close()
}

// Write sends p in parts, each of which the peer must take in time. A peer that
// does not is cut.
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

// SetWriteDeadline is the latest time for all writes; each part has its own, too.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit = t
	return c.Conn.SetWriteDeadline(t)
}

// SetDeadline sets both.
func (c *Conn) SetDeadline(t time.Time) error {
	return errors.Join(c.Conn.SetReadDeadline(t), c.SetWriteDeadline(t))
}

type connKey struct{}

// ConnContext is for the http.Server, so that From finds the connection of a request.
func (d *Door) ConnContext(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, Of(conn))
}

// From is the connection that a request came in by; nil if it has no place.
func From(ctx context.Context) *Conn {
	c, _ := ctx.Value(connKey{}).(*Conn)
	return c
}

var tooMany = plain.New([]string{"Trop de demandes : attendez une seconde, puis rechargez cette page."},
	[]string{"Too many requests: wait a second, then reload this page."})

// Handler limits how often an address may ask, and how long a body may take.
func (d *Door) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c := From(r.Context()); c != nil && !d.ask(c) {
			w.Header().Set("Retry-After", "1")
			w.Header().Set("Connection", "close")
			tooMany.Answer(w, http.StatusTooManyRequests)
			return
		}
		if r.Body != nil && r.Body != http.NoBody {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(BodyWait)) // a recorder in tests has none
		}
		next.ServeHTTP(w, r)
	})
}
