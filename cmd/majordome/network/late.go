package network

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"
)

// lazyListener is a listener at a host name that nobody resolves yet, because the network or its DNS comes up
// later than the daemon: Accept waits until somebody does.
type lazyListener struct {
	key, addr string
	log       *slog.Logger
	ctx       context.Context // of Close
	end       context.CancelFunc

	mu sync.Mutex
	l  net.Listener // nil: not yet
}

// listenOrWait is listen, but waits for a host name. It says so in log.
func listenOrWait(addr, key string, log *slog.Logger) (net.Listener, error) {
	l, err := listen(addr, key)
	if !unresolved(addr, err) {
		return l, err
	}
	log.Warn("nobody knows this host name yet: what is served there will be as soon as somebody does", "key", key, "address", addr,
		"conseil", "personne ne connaît encore ce nom de machine : ce qui y est servi le sera dès qu’il sera connu")
	w := &lazyListener{key: key, addr: addr, log: log}
	w.ctx, w.end = context.WithCancel(context.Background())
	return w, nil
}

// unresolved reports that the host of addr is what cannot be found, not its port.
func unresolved(addr string, err error) bool {
	var name *net.DNSError
	host, _, bad := net.SplitHostPort(addr)
	return errors.As(err, &name) && bad == nil && host != "" && name.Name == host
}

// resolve tries until the name is known; net.ErrClosed after Close.
func (w *lazyListener) resolve() (net.Listener, error) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return nil, net.ErrClosed
		case <-tick.C:
		}
		l, err := listen(w.addr, w.key)
		if unresolved(w.addr, err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.ctx.Err() != nil {
			_ = l.Close()
			return nil, net.ErrClosed
		}
		w.l = l
		w.log.Info("the host name is known now", "key", w.key, "address", l.Addr().String(), "conseil", "ce nom de machine est connu, à présent")
		return l, nil
	}
}

func (w *lazyListener) current() net.Listener {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.l
}

// Accept waits for the name, and then for a connection. One goroutine may call it.
func (w *lazyListener) Accept() (net.Conn, error) {
	l := w.current()
	if l == nil {
		var err error
		if l, err = w.resolve(); err != nil {
			return nil, err
		}
	}
	return l.Accept()
}

// Close ends both.
func (w *lazyListener) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end()
	if w.l == nil {
		return nil
	}
	return w.l.Close()
}

// Addr is the name as long as it is not known.
func (w *lazyListener) Addr() net.Addr {
	if l := w.current(); l != nil {
		return l.Addr()
	}
	return unresolvedAddr(w.addr)
}

// unresolvedAddr is an address by a name.
type unresolvedAddr string

func (unresolvedAddr) Network() string  { return "tcp" }
func (n unresolvedAddr) String() string { return string(n) }
