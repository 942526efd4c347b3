package broker

import (
	"bytes"
	"slices"
	"testing"

	"majordome/engine"
)

// TestAttackScript checks that a player who knows the protocol and their own key can neither read, write nor take over anything
// of another seat: forbidden filters, forged publishes, a forged will, the takeover of a session. Over both transports.
func TestAttackScript(t *testing.T) {
	for name, dial := range transports {
		t.Run(name, func(t *testing.T) { runAttack(t, dial) })
	}
}

func runAttack(t *testing.T, dial dialer) {
	tb := newTable(t, nil)
	victim, attacker := engine.SeatViewer(1), engine.SeatViewer(2)
	secret := tb.tree.ViewTopic(victim)
	daemon := dial(t, tb).login(tb.loginAsDaemon())
	daemon.publish(secret, []byte("secret"), true)
	daemon.publish(tb.tree.StateTopic(), []byte("true state"), true)

	victimLogin := tb.loginAs(victim)
	v := dial(t, tb).login(victimLogin).subscribe(secret)
	if got := v.wantMessage(secret); string(got) != "secret" {
		t.Fatalf("the victim itself reads %q", got)
	}

	filters := []string{
		"#", "+/+/+/+/+/+/+", tb.tree.Base() + "/seat/#", secret, tb.tree.Base() + "/seat/+/view",
		"$share/group/" + secret, "$SYS/#", secret + "/#",
	}
	extra := []string{
		tb.tree.ReplyTopic(victim), tb.tree.ActTopic(victim), tb.tree.ActTopic(attacker), "/" + secret, secret + "/", secret + "/+",
		"$SYS/broker/version", "+", "", "$share/group/#", tb.tree.ViewTopic(attacker) + "/#", "/#",
	}
	a := dial(t, tb).login(tb.loginAs(attacker))
	filters = append(filters, extra...)
	a.wantNoneOf(filters)
	daemon.publish(secret, []byte("newer secret"), true)
	if got := v.wantMessage(secret); string(got) != "newer secret" {
		t.Errorf("the victim reads %q", got)
	}
	a.wantQuiet()

	for _, topic := range []string{
		tb.tree.StateTopic(), secret, tb.tree.ActTopic(victim), tb.tree.ReplyTopic(attacker), tb.tree.ViewTopic(attacker),
		tb.tree.ActTopic(attacker) + "/admin", "$SYS/broker/version", "$share/group/" + secret, tb.tree.AvailabilityTopic(),
	} {
		a := dial(t, tb).login(tb.loginAs(attacker))
		a.sendUnchecked(publishPacket(topic, []byte("forged"), 0, false))
		if topic[0] != '$' {
			a.wantQuiet() // QoS 0 is dropped silently
		}
		a.sendUnchecked(publishPacket(topic, []byte("forged"), 1, false))
		a.wantCut()
	}
	v.wantQuiet()

	will := tb.loginAs(attacker)
	will.flags |= 4 | 0x20
	will.willTopic, will.will = tb.tree.StateTopic(), "forged state"
	w := dial(t, tb)
	w.send(will.packet())
	w.want(0x20, 0, 5)
	w.wantCut()

	for _, clean := range []byte{0, 2} {
		thief := tb.loginAs(attacker)
		thief.id = victimLogin.id
		thief.password = tb.newPassword(attacker, thief.id)
		thief.flags = 0xc0 | clean
		c := dial(t, tb)
		c.send(thief.packet())
		c.want(0x20, 0, 2)
		c.wantCut()
	}
	v.wantQuiet()

	p := dial(t, tb).login(tb.loginAs(engine.Public)).subscribe(tb.tree.StateTopic())
	if got := p.wantMessage(tb.tree.StateTopic()); string(got) != "true state" {
		t.Errorf("the public reads %q", got)
	}
	p.send(subscribePacket(8, secret, "#", "$SYS/#", tb.tree.ReplyTopic(victim)))
	p.want(0x90, 0, 8, 0x80, 0x80, 0x80, 0x80)
}

// wantNoneOf subscribes to all filters and checks that none is granted.
func (c *client) wantNoneOf(filters []string) {
	c.t.Helper()
	for some := range slices.Chunk(filters, maxFilters) {
		c.send(subscribePacket(7, some...))
		c.want(0x90, append([]byte{0, 7}, bytes.Repeat([]byte{0x80}, len(some))...)...)
	}
}

// TestNoRuleGrantsAWildcard checks that, even with rules that grant everything, no wildcard, share or $ topic reaches mochi's
// index: a wildcard subscription races with retained publishes there.
func TestNoRuleGrantsAWildcard(t *testing.T) {
	tb := newTable(t, nil)
	tb.Broker.access = permissiveAccess{}
	c := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1)))
	filters := []string{"#", "+", "a/#", "a/+/b", "$SYS/#", "$SYS/broker/version", "$share/g/a", "$share/g/#", ""}
	c.wantNoneOf(filters)
	c.subscribe("a/b").wantQuiet()
	c.sendUnchecked(publishPacket("$SYS/broker/version", nil, 0, false))
	c.wantCut()
	for _, topic := range []string{"a/#", "$SYS/x", "+"} {
		l := tb.loginAs(engine.SeatViewer(1))
		l.flags |= 4
		l.willTopic, l.will = topic, "x"
		w := dialTCP(t, tb)
		w.send(l.packet())
		w.want(0x20, 0, 5)
	}
}
