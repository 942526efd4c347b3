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

	"majordome/companion/noticepage"
)

// Listener accepts connections that get a place of a Door.
type Listener struct {
	net.Listener
	door *Door
	kind Kind
}

// WrapListener makes each connection that l accepts a stranger of d. Accept closes connections without a place and waits for the next. The
// kernel's buffers of each connection are limited: it inherits their sizes from the listening socket (tcp(7)).
func (d *Door) WrapListener(l net.Listener) *Listener {
	setBufferSizes(l)
	return &Listener{Listener: l, door: d, kind: Stranger}
}

// WrapInsideListener makes each connection that l accepts one of kind Inside: l is the listener of the daemon's own client.
func (d *Door) WrapInsideListener(l net.Listener) *Listener {
	return &Listener{Listener: l, door: d, kind: Inside}
}

// setBufferSizes sets the sizes of a socket's buffers. Systems without these options have limits of their own.
func setBufferSizes(socket any) {
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
				l.door.countReason(l.door.refused, "descriptors")
				pause = min(max(2*pause, 5*time.Millisecond), time.Second)
				time.Sleep(pause)
				continue
			}
			return nil, err
		}
		pause = 0
		if l.kind != Inside {
			setBufferSizes(conn) // a connection from before WrapListener has not inherited the sizes
		}
		c := &Conn{Conn: conn, door: l.door, kind: l.kind, acceptedAt: l.door.opts.Now()}
		if l.door.findPlaceFor(c) {
			return c, nil
		}
		c.abort()
	}
}

// Conn is a connection with a place. A nil Conn is one that the door does not count.
type Conn struct {
	net.Conn
	door       *Door
	acceptedAt time.Time
	lastWrite  atomic.Int64 // time of the last write, in ns of the monotonic clock since the door was made; 0: never

	// Under Door.mu.
	kind     Kind
	source   *source // nil for Inside
	user     string
	released bool
	known    bool // its address was known when it was accepted
	proved   bool // it is Inside and has shown the daemon's password

	mu         sync.Mutex
	writeLimit time.Time // for writing, set by the owner of the connection
}

// ConnOf returns the Conn of the door below a connection, also below a TLS connection; nil if there is none.
func ConnOf(conn net.Conn) *Conn {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	c, _ := conn.(*Conn)
	return c
}

// Promote moves the connection from the strangers to a place of the kind that it has proved to be: Public or Inside, or Seat, Device or
// Host of user. It returns false if there is no such place; the caller then closes the connection.
func (c *Conn) Promote(to Kind, user string) (moved bool) {
	return c == nil || c.door.moveToProvedPlace(c, to, user)
}

// Close closes the connection and releases its place.
func (c *Conn) Close() error {
	c.door.lockAndReleasePlace(c)
	return c.Conn.Close()
}

// abort closes the connection and discards data that the peer has not received yet. Otherwise the kernel would keep data and socket for
// minutes.
func (c *Conn) abort() {
	if t, ok := c.Conn.(interface{ SetLinger(int) error }); ok {
		_ = t.SetLinger(0)
	}
	_ = c.Conn.Close()
}

// Write sends p in parts, and the peer must receive each within Opts.WriteWait. A peer that does not is cut.
func (c *Conn) Write(p []byte) (n int, err error) {
	for {
		c.mu.Lock()
		until := time.Now().Add(c.door.opts.WriteWait)
		if !c.writeLimit.IsZero() && c.writeLimit.Before(until) {
			until = c.writeLimit
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
				c.door.countReason(c.door.cut, "slow")
				c.abort()
			}
			return n, err
		}
		c.lastWrite.Store(max(1, int64(c.door.opts.Now().Sub(c.door.startedAt))))
		if n >= len(p) {
			return n, nil
		}
	}
}

// SetWriteDeadline sets the latest time for all writes; each part has its own deadline as well.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writeLimit = t
	return c.Conn.SetWriteDeadline(t)
}

// SetDeadline sets the deadlines of reading and of writing.
func (c *Conn) SetDeadline(t time.Time) error {
	return errors.Join(c.Conn.SetReadDeadline(t), c.SetWriteDeadline(t))
}

type connKey struct{}

// ConnContext is the ConnContext of the http.Server, so that FromContext finds the connection of a request.
func (d *Door) ConnContext(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, ConnOf(conn))
}

// FromContext returns the connection on which a request arrived; nil if it has no place.
func FromContext(ctx context.Context) *Conn {
	c, _ := ctx.Value(connKey{}).(*Conn)
	return c
}

var tooManyPage = noticepage.New([]string{"Trop de demandes : attendez une seconde, puis rechargez cette page."},
	[]string{"Too many requests: wait a second, then reload this page."})

// LimitRequests returns a handler that passes requests to next. It limits how often an address may send them, above which it answers 429,
// and the time for a body.
func (d *Door) LimitRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c := FromContext(r.Context()); c != nil && !d.chargeRequest(c) {
			w.Header().Set("Retry-After", "1")
			w.Header().Set("Connection", "close")
			tooManyPage.WriteResponse(w, http.StatusTooManyRequests)
			return
		}
		if r.Body != nil && r.Body != http.NoBody {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(BodyWait)) // fails only with a recorder in tests
		}
		next.ServeHTTP(w, r)
	})
}
