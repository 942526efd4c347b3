package broker

import (
	"strings"

	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"

	"majordome/companion/wire"
)

// mayExceedRate reports whether user may send at any rate.
func mayExceedRate(user string) bool { return user == wire.UserDaemon }

// isValidTopic reports whether topic may be granted to a user at all: a plain name, no filter, not $SYS, not $share. mochi delivers $
// topics only to literal subscriptions. Filters with wildcards must not reach its index, because it has a data race between wildcard
// subscriptions and retained publishes.
func isValidTopic(topic string) bool {
	return topic != "" && len(topic) <= 256 && topic[0] != '$' && !strings.ContainsAny(topic, "+#\x00")
}

// hook answers mochi's questions about the rights of connected clients. The gate has refused the others before.
type hook struct {
	mqtt.HookBase
	broker *Broker
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

// gateOf returns the gate of a client, or nil if it did not come through one.
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
		h.broker.markPresent(g)
	}
}

// OnACLCheck is called at each publish, subscription (with the filter) and delivery.
func (h *hook) OnACLCheck(cl *mqtt.Client, topic string, write bool) bool {
	g := gateOf(cl)
	if g == nil || g.id == "" {
		return false
	}
	ok := isValidTopic(topic)
	if write {
		ok = ok && h.broker.access.CanWrite(g.user, topic)
	} else {
		ok = ok && h.broker.access.CanRead(g.user, topic)
	}
	if !ok {
		h.broker.countRefusal("denied", g.RemoteAddr())
	}
	return ok
}

// OnPublishDropped cuts a client whose queue is full, see cutSlowClientConn. If it stayed connected it would never know that it has
// missed a message.
func (h *hook) OnPublishDropped(cl *mqtt.Client, _ packets.Packet) { h.cutSlowClientConn(cl) }

// OnQosPublish cuts a client that acknowledges nothing, for the same reason: mochi would silently drop the next message.
func (h *hook) OnQosPublish(cl *mqtt.Client, pk packets.Packet, _ int64, _ int) {
	if pk.FixedHeader.Type == packets.Publish && cl.State.Inflight.Len() >= maxInflight {
		h.cutSlowClientConn(cl)
	}
}

func (h *hook) cutSlowClientConn(cl *mqtt.Client) {
	// The daemon is not cut: under a flood it can only miss acts, and the pages send those again.
	if g := gateOf(cl); g != nil && !mayExceedRate(g.user) {
		h.broker.countRefusal("slow", g.RemoteAddr())
		g.Close()
	}
}
