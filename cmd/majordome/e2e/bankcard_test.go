package e2e_test

import (
	"slices"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// TestBankCardOfTheBench checks that the bank card of the demonstration counts as no card, as a real one does: the
// host is informed, and the table asks no one to present it again (GEN-E14). The card leaves the reader
// automatically.
func TestBankCardOfTheBench(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	room, host, public := d.bench(), join(t, d.links["host"], engine.Host), watch(t, d.origin())
	host.waitFor("everybody sits", func(u wire.Update) bool { return u.View.Phase == "lobby" && len(u.View.Seats) > 2 })
	host.mustSend("begin", nil)
	bank := func(s wire.Bench) int {
		return slices.IndexFunc(s.Cards, func(c wire.BenchCard) bool { return c.Name.EN == "Bank card" })
	}
	state := room.waitFor("the bank card", func(s wire.Bench) bool { return bank(s) >= 0 })
	room.sendAct(wire.BenchAct{Act: "move", Card: state.Cards[bank(state)].Tag, Spot: wire.SpotShow})
	host.waitFor("a bank card lies there", func(u wire.Update) bool { return u.Notice != nil && u.Notice.Msg.Key == "gen.stray.show" })
	room.waitFor("it is taken back", func(s wire.Bench) bool { return s.Cards[bank(s)].Spot == wire.SpotBox })
	if n := public.latest().Notice; n != nil && n.Signal == "again" {
		t.Errorf("the table says %+v", n)
	}
}
