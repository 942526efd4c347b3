package e2e_test

import (
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// TestSeatChangesHands lets Chloé leave before the game and Eve take her chair. From then on Chloé's phone reads
// nothing and is refused; Eve joins by her own link, and only her phone shows her role (GEN-011).
func TestSeatChangesHands(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	host, table := join(t, d.links["host"], engine.Host), watch(t, d.origin())
	chloe := join(t, d.links["seat-3"], engine.SeatViewer(3))
	chloe.waitFor("her seat", func(u wire.Update) bool { return u.View.Me != nil })
	host.waitFor("the lobby", func(u wire.Update) bool { return len(u.View.Seats) == 4 })
	character := string(host.latest().View.Seats[2].Character)

	host.mustSend("rise", engine.Args{"seat": "seat-3"})
	host.waitFor("an empty chair", func(u wire.Update) bool { return len(u.View.Seats) == 3 })
	host.mustSend("sit", engine.Args{"seat": "seat-3", "name": "Eve", "character": character})
	last := host.waitFor("Eve", func(u wire.Update) bool { return len(u.View.Seats) == 4 })
	link := ""
	host.waitFor("a link for the new player", func(u wire.Update) bool {
		for _, i := range u.Desk.Invites {
			if i.Seat == 3 && !i.Joined {
				link = i.URL
			}
		}
		return link != ""
	})
	eve := join(t, link, engine.SeatViewer(3))
	eve.waitFor("her seat", func(u wire.Update) bool { return u.View.Me != nil })
	host.mustSend("begin", nil)
	host.mustSend("draw-roles", nil)
	eve.waitFor("her role", func(u wire.Update) bool { return u.View.Me.Role != "" })
	table.waitFor("the end of the draw", func(u wire.Update) bool { return u.View.Phase == "laying" })
	if u := chloe.latest(); u.Rev >= last.Rev {
		t.Errorf("the phone of who has left has seen revision %d, and Eve sat down at %d", u.Rev, last.Rev)
	}
}
