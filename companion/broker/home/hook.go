package home

import (
	"time"

	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// hook answers mochi's questions. Who may come in has been judged by the gate.
type hook struct {
	mqtt.HookBase
	b *Broker
}

func (*hook) ID() string { return "home" }

func (*hook) Provides(event byte) bool {
	switch event {
	case mqtt.OnConnectAuthenticate, mqtt.OnSessionEstablish, mqtt.OnACLCheck, mqtt.OnPublish, mqtt.OnWill, mqtt.OnRetainPublished,
		mqtt.OnRetainedExpired, mqtt.OnSubscribe, mqtt.OnClientExpired, mqtt.OnPublishDropped, mqtt.OnQosPublish, mqtt.OnQosComplete, mqtt.OnQosDropped:
		return true
	}
	return false
}

func gateOf(cl *mqtt.Client) *gate {
	g, _ := cl.Net.Conn.(*gate)
	return g
}

func (*hook) OnConnectAuthenticate(cl *mqtt.Client, pk packets.Packet) bool {
	g := gateOf(cl)
	return g != nil && g.id != "" && g.id == pk.Connect.ClientIdentifier
}

// OnSessionEstablish tells a client of MQTT 5 the id that the gate has given it, and drops what was kept for it for too long.
func (h *hook) OnSessionEstablish(cl *mqtt.Client, _ packets.Packet) {
	g := gateOf(cl)
	if g == nil {
		return
	}
	cl.Properties.Props.AssignedClientID = g.assigned
	if before, ok := h.b.server.Clients.Get(cl.ID); ok {
		for _, pk := range before.State.Inflight.GetAll(false) {
			if pk.Expiry > 0 && pk.Expiry < time.Now().Unix() {
				before.State.Inflight.Delete(pk.PacketID)
			}
		}
	}
}

// OnACLCheck is asked on publish, which OnPublish judges, on subscription (with the filter) and on each delivery.
func (h *hook) OnACLCheck(cl *mqtt.Client, topic string, write bool) bool {
	g := gateOf(cl)
	if g == nil || g.id == "" {
		return false
	}
	switch {
	case write:
		return true
	case g.asking != nil && !h.bring(g):
		return false
	case cl.Closed() && (cl.State.Inflight.Len() >= maxAway || h.b.telling > maxAwayEach):
		return false // it is away, and enough is kept for it
	case g.inside:
		return wellFormed(topic)
	}
	if anyCovers(h.b.register.rightsOf(g.user).Read, topic) {
		return true
	}
	h.b.register.refused(g.user, AskedRead, topic)
	return false
}

// OnSubscribe notes what is asked for until all that is retained for it has been brought.
func (*hook) OnSubscribe(cl *mqtt.Client, pk packets.Packet) packets.Packet {
	if g := gateOf(cl); g != nil {
		g.asking, g.brought = pk.Filters, 0
	}
	return pk
}

// bring counts one message that a SUBSCRIBE brings. Above the bound it brings nothing more, for the filters to come are looked up no
// more, and its client is cut: it would never learn what it missed.
func (h *hook) bring(g *gate) bool {
	g.brought++
	switch {
	case g.brought == maxBrought+1:
		for i := range g.asking {
			g.asking[i].RetainHandling = 2
		}
		h.b.count("greedy", g.RemoteAddr())
		g.cut()
		return false
	case g.brought > maxBrought:
		return false
	}
	return true
}

// OnPublish decides what is told, and what is kept. A client that says something where it may not is told so by MQTT 5 and
// stays: on 3.1.1 it is answered as if it had been told, for there is no other answer.
func (h *hook) OnPublish(cl *mqtt.Client, pk packets.Packet) (packets.Packet, error) {
	g := gateOf(cl)
	if g == nil {
		return pk, packets.CodeSuccessIgnore
	}
	h.b.order++
	pk.Created = h.b.order // mochi sorts a queue by this, in whole seconds
	h.b.telling = len(pk.Payload)
	rights := Rights{}
	if !g.inside {
		rights = h.b.register.rightsOf(g.user)
		if topic, ok := h.b.command(&pk, g.user, rights); ok {
			pk.TopicName, pk.FixedHeader.Retain = topic, false
			return pk, nil
		}
		if !h.b.mayWrite(pk.TopicName, rights) {
			h.b.register.refused(g.user, AskedWrite, pk.TopicName)
			if g.level == 5 && pk.FixedHeader.Qos == 1 {
				return pk, packets.ErrNotAuthorized
			}
			return pk, packets.CodeSuccessIgnore
		}
	}
	if pk.FixedHeader.Retain {
		if !g.inside && !anyCovers(rights.Retain, pk.TopicName) || !h.b.mayRetain(g.user, pk.TopicName, len(pk.Payload), rights.Limits) {
			h.b.register.refused(g.user, AskedRetain, pk.TopicName)
			pk.FixedHeader.Retain = false
		}
	}
	return pk, nil
}

// OnWill is asked when a client has gone without a word, perhaps long after its rights. A will cannot be kept back here:
// one that may not be told goes where nobody hears it.
func (h *hook) OnWill(cl *mqtt.Client, will mqtt.Will) (mqtt.Will, error) {
	g := gateOf(cl)
	nowhere := mqtt.Will{TopicName: "$nowhere"}
	if g == nil {
		return nowhere, nil
	}
	delay := time.Duration(cl.Properties.Will.WillDelayInterval) * time.Second
	cl.Properties.Will.WillDelayInterval = 0 // mochi tells a delayed one beside the others' turns
	if delay > 0 {
		g.leave()
		wait := time.NewTimer(min(delay, maxExpiry*time.Second))
		defer wait.Stop()
		select {
		case <-wait.C:
		case back := <-g.hurry:
			if back {
				return nowhere, nil
			}
		case <-h.b.stop:
			return nowhere, nil
		}
	}
	g.enter() // until forget
	h.b.telling = len(will.Payload)
	rights := h.b.register.rightsOf(g.user)
	switch {
	case g.inside:
	case !h.b.mayWrite(will.TopicName, rights):
		return nowhere, nil
	case will.Retain && !anyCovers(rights.Retain, will.TopicName):
		will.Retain = false
	}
	if will.Retain && !h.b.mayRetain(g.user, will.TopicName, len(will.Payload), rights.Limits) {
		will.Retain = false
	}
	return will, nil
}

// OnRetainPublished charges what a subscription brings to who has asked for it.
func (h *hook) OnRetainPublished(cl *mqtt.Client, pk packets.Packet) {
	if g := gateOf(cl); g != nil {
		g.owe(1./keptEach, float64(len(pk.Payload))/keptEach)
	}
}

// OnRetainedExpired gives its room back, and takes away what mochi leaves of it in its index.
func (h *hook) OnRetainedExpired(topic string) {
	h.b.turn.Lock()
	defer h.b.turn.Unlock()
	if _, again := h.b.server.Topics.Retained.Get(topic); again { // told anew meanwhile
		return
	}
	h.b.server.Topics.RetainMessage(emptied(topic))
	h.b.mu.Lock()
	delete(h.b.retained, topic)
	h.b.mu.Unlock()
}

// OnPublishDropped cuts a client that is so far behind that mochi drops messages: it would never learn what it missed.
func (h *hook) OnPublishDropped(cl *mqtt.Client, _ packets.Packet) {
	if g := gateOf(cl); g != nil {
		h.b.count("slow", g.RemoteAddr())
		g.cut()
	}
}

// OnQosPublish cuts a client that acknowledges nothing. What expires is kept as if it were of MQTT 3.1.1, which has no such thing:
// mochi would take it away beside all turns, and its NextImmediate, which locks twice for reading, would wait for that for ever.
func (h *hook) OnQosPublish(cl *mqtt.Client, pk packets.Packet, _ int64, _ int) {
	if pk.FixedHeader.Type == packets.Publish && pk.Expiry > 0 {
		pk.ProtocolVersion = 4
		cl.State.Inflight.Set(pk)
	}
	if g := gateOf(cl); g != nil && pk.FixedHeader.Type == packets.Publish && !cl.Closed() && !g.out.sent(pk.PacketID, len(pk.Payload)) {
		h.b.count("slow", g.RemoteAddr())
		g.cut()
	}
}

func (*hook) OnQosComplete(cl *mqtt.Client, pk packets.Packet) {
	if g := gateOf(cl); g != nil {
		g.out.acked(pk.PacketID)
	}
}

func (*hook) OnQosDropped(cl *mqtt.Client, pk packets.Packet) {
	if g := gateOf(cl); g != nil {
		g.out.acked(pk.PacketID)
	}
}

// OnClientExpired ends a session; mochi alone would leave its subscriptions behind.
func (h *hook) OnClientExpired(cl *mqtt.Client) {
	g := gateOf(cl)
	if g == nil {
		return
	}
	h.b.mu.Lock()
	h.b.keep(g.user, g.id, Limits{Sessions: maxExpiry}, false)
	h.b.mu.Unlock()
	h.b.turn.Lock()
	defer h.b.turn.Unlock()
	h.b.clear(g.id)
}

// emptied clears a retained topic.
func emptied(topic string) packets.Packet {
	return packets.Packet{FixedHeader: packets.FixedHeader{Type: packets.Publish, Retain: true}, TopicName: topic}
}
