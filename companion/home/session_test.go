package home

import (
	"slices"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// TestAnOldPasswordIsOut checks that, when an account gets another password, clients with the old one are disconnected, and
// their sessions and retained messages are gone.
func TestAnOldPasswordIsOut(t *testing.T) {
	p := newHouse(t)
	p.account("a", Custom, "a/#")
	p.account("b", Custom, "b/# common/#")
	p.account("c", Custom, "c/# common/#")
	login := p.login(4, "a", "x", false)
	old := p.raw()
	old.send(login...)
	old.packet()
	away := p.raw()
	away.send(p.login(4, "a", "away", false)...)
	away.packet()
	away.send(0xe0, 0)
	away.ended()
	for user, topic := range map[string]string{"a": "a/x", "b": "common/x"} {
		p.say(p.paho(user, nil), topic, 1, true, user)
	}
	p.account("a", Custom, "a/#") // another password
	old.ended()
	eventually(t, "it is still there", func() bool { return p.register.List()[0].Online == 0 })
	late := p.raw()
	late.send(login...)
	if _, got := late.packet(); got[1] != 5 {
		t.Errorf("the old password opens the account: % x", got)
	}
	late.ended()
	for _, id := range []string{"x", "away"} {
		back := p.raw()
		back.send(p.login(4, "a", id, false)...)
		if _, got := back.packet(); got[0] != 0 || got[1] != 0 {
			t.Errorf("the session of %s is still there, or nobody is let in: % x", id, got)
		}
	}
	p.account("b", Custom, "b/# common/#")
	heard, _ := p.listen(p.daemon(), 1, "a/#", "common/#", "end")
	p.say(p.daemon(), "end", 1, false, "")
	eventually(t, "the end is not heard", func() bool { return slices.Contains(heard.heard(), "end ") })
	if got := heard.heard(); !slices.Equal(got, []string{"common/x b", "end "}) { // c may write this topic, too
		t.Errorf("left is %q", got)
	}
}

// TestWhatExpires checks that an expired message is not sent to a client that comes back later.
func TestWhatExpires(t *testing.T) {
	p := newHouse(t)
	p.account("a", Custom, "a/#")
	heard, hear, say := &ear{}, p.raw(), p.raw()
	hear.send(p.login(5, "a", "hear", false, 0x11, 0, 0, 0, 99)...)
	hear.packet()
	hear.send(0x82, 9, 0, 1, 0, 0, 3, 'a', '/', '#', 1)
	hear.packet()
	hear.send(0xe0, 0)
	eventually(t, "it is still there", func() bool { return p.register.List()[0].Online == 0 })
	say.send(p.login(5, "a", "say", true)...)
	say.packet()
	for i, expiry := range []byte{1, 99} {
		body := []byte{0, 3, 'a', '/', 'x', 0, byte(i + 1), 5, 2, 0, 0, 0, expiry, '0' + byte(i)}
		say.send(append([]byte{typePublish<<4 | 2, byte(len(body))}, body...)...)
		say.packet()
	}
	time.Sleep(2100 * time.Millisecond) // Mosquitto counts whole seconds
	back := p.paho("a", func(o *mqtt.ClientOptions) {
		o.SetClientID("hear").SetCleanSession(false).SetDefaultPublishHandler(heard.hear)
	})
	eventually(t, "what has not expired does not come", func() bool { return len(heard.heard()) > 0 })
	if got := heard.heard(); !slices.Equal(got, []string{"a/x 1"}) {
		t.Errorf("came %q", got)
	}
	back.Disconnect(0)
}
