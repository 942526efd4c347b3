package home

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	mochi "github.com/mochi-mqtt/server/v2"
)

// TestAnOldPasswordIsOut: also that of a client which was waiting for an older connection of its id to end when its account got
// another one.
func TestAnOldPasswordIsOut(t *testing.T) {
	p := newPlace(t)
	p.account("a", Free, "a/#")
	away := p.raw() // a kept session shows how far End has come
	away.send(p.login(4, "a", "away", false)...)
	away.read(4)
	away.send(0xe0, 0)
	away.ended()
	old := p.raw()
	old.send(p.login(4, "a", "x", true)...)
	old.read(4)
	p.mu.Lock()
	gate := p.ids["a/x"]
	p.mu.Unlock()
	p.turn.Lock() // the older one cannot go yet
	late := p.raw()
	late.send(p.login(4, "a", "x", true)...)
	eventually(t, "the later one does not wait", func() bool {
		select {
		case <-gate.closing:
			return true
		default:
			return false
		}
	})
	p.account("a", Free, "a/#") // another password
	done := make(chan struct{})
	go func() { p.End("a"); close(done) }()
	eventually(t, "the account is not ended", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.kept["a"]) == 0
	})
	p.turn.Unlock()
	<-done
	if got := late.read(4); got[3] != 5 {
		t.Errorf("the old password opens the account: % x", got)
	}
	late.ended()
	eventually(t, "it is still there", func() bool { return p.register.Shown()[0].Online == 0 })
}

// TestWhatExpires is not told to who comes back later, and mochi's clock takes none of it away beside the turns: with a client that
// sends meanwhile, both would wait for each other for ever.
func TestWhatExpires(t *testing.T) {
	p := newPlace(t)
	p.account("a", Free, "a/#")
	heard, hear, say := &ear{}, p.raw(), p.raw()
	hear.send(p.login(5, "a", "hear", false, 0x11, 0, 0, 0, 99)...)
	hear.read(4)
	hear.send(0x82, 9, 0, 1, 0, 0, 3, 'a', '/', '#', 1)
	eventually(t, "it does not listen", func() bool { return atomic.LoadInt64(&p.server.Info.Subscriptions) == 1 })
	hear.send(0xe0, 0)
	eventually(t, "it is still there", func() bool { return p.register.Shown()[0].Online == 0 })
	say.send(p.login(5, "a", "say", true)...)
	for i, expiry := range []byte{1, 99} {
		body := []byte{0, 3, 'a', '/', 'x', 0, byte(i + 1), 5, 2, 0, 0, 0, expiry, '0' + byte(i)}
		say.send(append([]byte{typePublish<<4 | 2, byte(len(body))}, body...)...)
	}
	var away *mochi.Client
	eventually(t, "nothing is kept", func() bool {
		away, _ = p.server.Clients.Get("a/hear")
		return away.State.Inflight.Len() == 2
	})
	if gone := away.ClearExpiredInflights(time.Now().Unix()+1000, 0); len(gone) > 0 {
		t.Fatalf("%d are taken away beside the turns", len(gone))
	}
	p.turn.Lock()
	for _, m := range away.State.Inflight.GetAll(false) {
		if string(m.Payload) == "0" { // its time is over
			m.Expiry = 1
			away.State.Inflight.Set(m)
		}
	}
	p.turn.Unlock()
	back := p.paho("a", func(o *mqtt.ClientOptions) {
		o.SetClientID("hear").SetCleanSession(false).SetDefaultPublishHandler(heard.hear)
	})
	eventually(t, "what has not expired does not come", func() bool { return len(heard.heard()) > 0 })
	if got := heard.heard(); !slices.Equal(got, []string{"a/x 1"}) {
		t.Errorf("came %q", got)
	}
	back.Disconnect(0)
}
