package home

import (
	"context"
	"net"
	"testing"
	"time"

	"majordome/companion/door"
)

// TestSilentCrowd checks that 1,250 silent connections a second from one address keep no device of another address out.
func TestSilentCrowd(t *testing.T) {
	p := newHouseBehind(t, &door.Opts{})
	p.addAccount("lampe", Tasmota, "salon")
	away := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}, Timeout: patience}
	ctx, stop := context.WithTimeout(t.Context(), patience)
	crowd, came := make(chan struct{}), 0
	go func() {
		defer close(crowd)
		var open []net.Conn
		for next := time.Now(); ctx.Err() == nil; next = next.Add(800 * time.Microsecond) {
			time.Sleep(time.Until(next))
			conn, err := away.DialContext(ctx, "tcp", p.at)
			if err != nil {
				continue // no port is left, or the test is over
			}
			if came++; len(open) >= 200 { // the test has few descriptors itself
				_ = open[0].(*net.TCPConn).SetLinger(0)
				_ = open[0].Close()
				open = open[1:]
			}
			open = append(open, conn)
		}
		for _, conn := range open {
			_ = conn.Close()
		}
	}()
	eventually(t, "there is no crowd", func() bool { return p.door.State().Refused["rate"] > 0 })
	const tries = 60
	in, began := 0, time.Now()
	for range tries {
		r := p.dialRaw()
		_, err := r.Write(p.encodeLogin(4, "lampe", "DVES_1", true))
		answer := make([]byte, 4)
		if err == nil {
			_, err = r.Conn.Read(answer)
		}
		if err == nil && answer[0] == 0x20 && answer[3] == 0 {
			in++
		}
		_, _ = r.Write([]byte{0xe0, 0})
		_ = r.Close()
		time.Sleep(50 * time.Millisecond) // so that the crowd is there for three seconds
	}
	took := time.Since(began)
	stop()
	<-crowd
	t.Logf("%d of %d logins in %v, among %d silent connections; refused %v, cut %v", in, tries, took, came,
		p.door.State().Refused, p.door.State().Cut)
	if in < tries {
		t.Errorf("%d of %d logins", in, tries)
	}
}
