package home

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// TestAnOldPasswordIsOut checks that, when an account gets another password, clients with the old one are disconnected, and
// their sessions and retained messages are gone.
func TestAnOldPasswordIsOut(t *testing.T) {
	p := newHouse(t)
	p.addAccount("a", Custom, "a/#")
	p.addAccount("b", Custom, "b/# common/#")
	p.addAccount("c", Custom, "c/# common/#")
	login := p.encodeLogin(4, "a", "x", false)
	old := p.dialRaw()
	old.send(login...)
	old.nextPacket()
	away := p.dialRaw()
	away.send(p.encodeLogin(4, "a", "away", false)...)
	away.nextPacket()
	away.send(0xe0, 0)
	away.waitClosed()
	for user, topic := range map[string]string{"a": "a/x", "b": "common/x"} {
		p.publishText(p.connectPaho(user, nil), topic, 1, true, user)
	}
	p.addAccount("a", Custom, "a/#") // another password
	old.waitClosed()
	eventually(t, "the session is still online", func() bool { return p.register.ListAccounts()[0].Online == 0 })
	late := p.dialRaw()
	late.send(login...)
	if _, got := late.nextPacket(); got[1] != 5 {
		t.Errorf("the old password opens the account: % x", got)
	}
	late.waitClosed()
	for _, id := range []string{"x", "away"} {
		back := p.dialRaw()
		back.send(p.encodeLogin(4, "a", id, false)...)
		if _, got := back.nextPacket(); got[0] != 0 || got[1] != 0 {
			t.Errorf("the session of %s is still there, or nobody is let in: % x", id, got)
		}
	}
	p.addAccount("b", Custom, "b/# common/#")
	heard, _ := p.subscribeTo(p.connectDaemon(), 1, "a/#", "common/#", "end")
	p.publishText(p.connectDaemon(), "end", 1, false, "")
	eventually(t, "the end is not heard", func() bool { return slices.Contains(heard.received(), "end ") })
	if got := heard.received(); !slices.Equal(got, []string{"common/x b", "end "}) { // c may write this topic, too
		t.Errorf("left is %q", got)
	}
}

// TestMosquittoEnds checks that devices come back by themselves when Mosquitto is started again, that what was retained and what waited for
// them is there.
func TestMosquittoEnds(t *testing.T) {
	p := newHouse(t)
	p.starts = 2
	p.addAccount("a", Custom, "a/#")
	p.addAccount("b", Custom, "a/#")
	kept := func(o *mqtt.ClientOptions) { o.SetClientID("kept").SetCleanSession(false) }
	b := p.connectPaho("b", kept)
	p.subscribeTo(b, 1, "a/#")
	b.Disconnect(0)
	eventually(t, "it is still there", func() bool { return p.register.ListAccounts()[1].Online == 0 })
	back := make(chan struct{}, 9)
	a := p.connectPaho("a", func(o *mqtt.ClientOptions) {
		o.SetOnConnectHandler(func(mqtt.Client) { back <- struct{}{} }).SetMaxReconnectInterval(100 * time.Millisecond)
	})
	p.publishText(a, "a/x", 1, true, "retained")
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		if line, _ := os.ReadFile(name); strings.Contains(string(line), p.folder) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			_ = syscall.Kill(pid, syscall.SIGTERM)
		}
	}
	eventually(t, "it does not end", func() bool { return !p.Status().Running || p.Status().Starts == 2 })
	for range 2 { // the first time before, the second after
		select {
		case <-back:
		case <-time.After(patience):
			t.Fatal("a device does not come back")
		}
	}
	heard := &messageInbox{}
	p.connectPaho("b", func(o *mqtt.ClientOptions) { kept(o); o.SetDefaultPublishHandler(heard.receive) })
	eventually(t, "what has waited does not come", func() bool { return slices.Equal(heard.received(), []string{"a/x retained"}) })
	if got := p.listRetained("a/#"); !slices.Equal(got, []string{"a/x retained"}) {
		t.Errorf("retained is %q", got)
	}
	for i, want := range []int{1, 1} {
		if n := p.register.ListAccounts()[i].Online; n != want {
			t.Errorf("account %d has %d connections", i, n)
		}
	}
}

// TestWhatExpires checks that an expired message is not sent to a client that comes back later.
func TestWhatExpires(t *testing.T) {
	p := newHouse(t)
	p.addAccount("a", Custom, "a/#")
	heard, hear, say := &messageInbox{}, p.dialRaw(), p.dialRaw()
	hear.send(p.encodeLogin(5, "a", "hear", false, 0x11, 0, 0, 0, 99)...)
	hear.nextPacket()
	hear.send(0x82, 9, 0, 1, 0, 0, 3, 'a', '/', '#', 1)
	hear.nextPacket()
	hear.send(0xe0, 0)
	eventually(t, "the session is still online", func() bool { return p.register.ListAccounts()[0].Online == 0 })
	say.send(p.encodeLogin(5, "a", "say", true)...)
	say.nextPacket()
	for i, expiry := range []byte{1, 99} {
		body := []byte{0, 3, 'a', '/', 'x', 0, byte(i + 1), 5, 2, 0, 0, 0, expiry, '0' + byte(i)}
		say.send(append([]byte{typePublish<<4 | 2, byte(len(body))}, body...)...)
		say.nextPacket()
	}
	time.Sleep(2100 * time.Millisecond) // Mosquitto counts whole seconds
	back := p.connectPaho("a", func(o *mqtt.ClientOptions) {
		o.SetClientID("hear").SetCleanSession(false).SetDefaultPublishHandler(heard.receive)
	})
	eventually(t, "a message that has not expired does not arrive", func() bool { return len(heard.received()) > 0 })
	if got := heard.received(); !slices.Equal(got, []string{"a/x 1"}) {
		t.Errorf("came %q", got)
	}
	back.Disconnect(0)
}
