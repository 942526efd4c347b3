package home

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// outbox is what waits to be sent to a client.
type outbox struct {
	mu      sync.Mutex
	wait    []byte
	writing int // bytes that are no longer in wait and not yet sent
	ended   bool
	more    chan struct{}
	// unacked are the sizes of what was sent at QoS 1 and 2, by packet identifier, and sum is theirs.
	unacked map[uint16]int
	sum     int
}

// sent notes a message that wants to be acknowledged; false: there are too many.
func (o *outbox) sent(id uint16, size int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.unacked == nil {
		o.unacked = map[uint16]int{}
	}
	o.sum += size - o.unacked[id]
	o.unacked[id] = size
	return o.sum <= maxUnacked
}

func (o *outbox) acked(id uint16) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sum -= o.unacked[id]
	delete(o.unacked, id)
}

var errBehind = errors.New("home: the client does not read")

// Write keeps p to be sent. A client that is too far behind is cut: it comes back to the newest of each topic.
func (g *gate) Write(p []byte) (int, error) {
	g.out.mu.Lock()
	behind, all := g.out.writing+len(g.out.wait)+len(p), g.b.behind.Add(int64(len(p)))
	if g.out.ended {
		g.out.mu.Unlock()
		g.b.behind.Add(-int64(len(p)))
		return 0, net.ErrClosed
	}
	late := behind > maxBehind || all > maxBehindAll && behind > fairBehind
	if !late {
		g.out.wait = append(g.out.wait, p...)
	}
	g.out.mu.Unlock()
	if late {
		g.b.behind.Add(-int64(len(p)))
		g.b.count("slow", g.RemoteAddr())
		g.cut()
		return 0, errBehind
	}
	select {
	case g.out.more <- struct{}{}:
	default:
	}
	return len(p), nil
}

// send is the goroutine that writes, until the connection ends; what was said before Close is still sent.
func (g *gate) send() {
	defer func() {
		_ = g.Conn.Close()
		g.out.mu.Lock()
		g.b.behind.Add(-int64(len(g.out.wait)))
		g.out.wait, g.out.ended = nil, true
		g.out.mu.Unlock()
	}()
	for last := false; ; {
		g.out.mu.Lock()
		now := g.out.wait
		g.out.wait, g.out.writing = nil, len(now)
		g.out.mu.Unlock()
		if err := g.sendNow(now, last); err != nil || last && len(now) == 0 {
			return
		}
		if len(now) > 0 {
			continue
		}
		select {
		case <-g.out.more:
		case <-g.closing:
			last = true
		}
	}
}

func (g *gate) sendNow(now []byte, last bool) error {
	defer g.b.behind.Add(-int64(len(now)))
	for len(now) > 0 {
		wait := g.b.writeWait
		if last {
			wait = min(wait, time.Second)
		}
		_ = g.Conn.SetWriteDeadline(time.Now().Add(wait))
		n, err := g.Conn.Write(now[:min(len(now), writeChunk)])
		if err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				g.b.count("slow", g.RemoteAddr())
			}
			g.cut()
			return err
		}
		now = now[n:]
	}
	return nil
}

// Close ends the connection: reading at once, writing when what was said has been sent.
func (g *gate) Close() error {
	g.closeOnce.Do(func() {
		close(g.closing)
		_ = g.Conn.SetReadDeadline(time.Now())
	})
	return nil
}

// cut ends it at once.
func (g *gate) cut() {
	_ = g.Close()
	if t, ok := g.Conn.(*net.TCPConn); ok {
		_ = t.SetLinger(0)
	}
	_ = g.Conn.Close()
}
