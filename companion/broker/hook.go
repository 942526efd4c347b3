package broker

import (
	"strings"

	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"

	"majordome/companion/wire"
)

// unlimited users are trusted with any rate.
func unlimited(user string) bool { return user == wire.UserDaemon }

// validTopic reports whether topic can be granted at all: a plain name, no
// filter, not $SYS, not $share. mochi delivers $ topics to nobody who asks
// literally, but has a data race between wildcard subscriptions and retained
// publishes, so no filter with a wildcard may ever reach its index.
func validTopic(topic string) bool {
	return topic != "" && len(topic) <= 256 && topic[0] != '$' && !strings.ContainsAny(topic, "+#\x00")
}

// hook answers mochi's questions. Refusals of a connection have been made by
// the gate; here are the rights of those inside.
type hook struct {
	mqtt.HookBase
	b *Broker
}

func (*hook) ID() string { return "majordome" }

func (*hook) Provides(event byte) bool {
	switch event {
	case mqtt.OnConnectAuthenticate, mqtt.OnACLCheck, mqtt.OnSessionEstablished,
		mqtt.OnPublishDropped, mqtt.OnQosPublish:
		return true
	}
	return false
}

// gateOf is the gate of a client; nil for one that did not come through it.
func gateOf(cl *mqtt.Client) *gate {
	g, _ := cl.Net.Conn.(*gate)
	return g
}

func (*hook) OnConnectAuthenticate(cl *mqtt.Client, pk packets.Packet) bool {
	g := gateOf(cl)
	return g != nil && g.id != "" && g.id == pk.Connect.ClientIdentifier
}

func (h *hook) OnSessionEstablished(cl *mqtt.Client, _ packets.Packet) {
	if g := gateOf(cl); g != nil {
		h.b.established(g)
	}
}

// OnACLCheck is asked on publish, on subscription (with the filter) and on each
// delivery.
func (h *hook) OnACLCheck(cl *mqtt.Client, topic string, write bool) bool {
	g := gateOf(cl)
	if g == nil || g.id == "" {
		return false
	}
	ok := validTopic(topic)
	if write {
		ok = ok && h.b.access.CanWrite(g.user, topic)
	} else {
		ok = ok && h.b.access.CanRead(g.user, topic)
	}
	if !ok {
		h.b.count("denied", g.RemoteAddr())
	}
	return ok
}

// OnPublishDropped cuts a client whose queue is full: it would stay connected
// and never learn what it missed.
func (h *hook) OnPublishDropped(cl *mqtt.Client, _ packets.Packet) { h.cutSlow(cl) }

// OnQosPublish cuts a client that acknowledges nothing, for the same reason:
// the message after this one would be dropped without a word.
func (h *hook) OnQosPublish(cl *mqtt.Client, pk packets.Packet, _ int64, _ int) {
	if pk.FixedHeader.Type == packets.Publish && cl.State.Inflight.Len() >= maxInflight {
		h.cutSlow(cl)
	}
}

func (h *hook) cutSlow(cl *mqtt.Client) {
	// The daemon is not cut: what it may miss under a flood are acts, which
	// their pages repeat.
	if g := gateOf(cl); g != nil && !unlimited(g.user) {
		h.b.count("slow", g.RemoteAddr())
		g.Close()
	}
}
