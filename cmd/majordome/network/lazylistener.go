package network

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"
)

// lazyListener listens at a host name that cannot be resolved yet, because the network or its DNS comes up later than
// the daemon. Accept waits until it can.
type lazyListener struct {
	key, addr string
	log       *slog.Logger
	ctx       context.Context // ends with Close
	cancel    context.CancelFunc

	mu       sync.Mutex
	resolved net.Listener // nil: not resolved yet
}

// listenNowOrLater returns a listener at once. If the host name is not known yet, it logs that and returns a lazyListener.
func listenNowOrLater(addr, key string, log *slog.Logger) (net.Listener, error) {
	l, err := listenFreebind(addr, key)
	if !isUnresolved(addr, err) {
		return l, err
	}
	log.Warn("nobody knows this host name yet: what is served there will be as soon as somebody does", "key", key, "address", addr,
		"conseil", "personne ne connaît encore ce nom de machine : ce qui y est servi le sera dès qu’il sera connu")
	w := &lazyListener{key: key, addr: addr, log: log}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	return w, nil
}

// isUnresolved reports whether err means that the host of addr, not its port, cannot be resolved.
func isUnresolved(addr string, err error) bool {
	var name *net.DNSError
	host, _, bad := net.SplitHostPort(addr)
	return errors.As(err, &name) && bad == nil && host != "" && name.Name == host
}

// waitForName tries until the name is known. It returns net.ErrClosed after Close.
func (w *lazyListener) waitForName() (net.Listener, error) {
	tick := time.NewTicker(addressPollPeriod)
	defer tick.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return nil, net.ErrClosed
		case <-tick.C:
		}
		l, err := listenFreebind(w.addr, w.key)
		if isUnresolved(w.addr, err) {
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
		w.resolved = l
		w.log.Info("the host name is known now", "key", w.key, "address", l.Addr().String(), "conseil",
			"ce nom de machine est connu, à présent")
		return l, nil
	}
}

func (w *lazyListener) listenerOrNil() net.Listener {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.resolved
}

// Accept waits for the name, and then for a connection. Only one goroutine may call it.
func (w *lazyListener) Accept() (net.Conn, error) {
	l := w.listenerOrNil()
	if l == nil {
		var err error
		if l, err = w.waitForName(); err != nil {
			return nil, err
		}
	}
	return l.Accept()
}

// Close closes the listener, and ends an Accept that waits for the name or for a connection.
func (w *lazyListener) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancel()
	if w.resolved == nil {
		return nil
	}
	return w.resolved.Close()
}

// Addr returns the address, or the host name while it is not resolved.
func (w *lazyListener) Addr() net.Addr {
	if l := w.listenerOrNil(); l != nil {
		return l.Addr()
	}
	return unresolvedAddr(w.addr)
}

// unresolvedAddr is a net.Addr with a host name.
type unresolvedAddr string

func (unresolvedAddr) Network() string  { return "tcp" }
func (n unresolvedAddr) String() string { return string(n) }
