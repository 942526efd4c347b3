package game

import (
	"sync"
	"testing"

	"majordome/companion/master"
	"majordome/companion/master/seats"
	"majordome/companion/wire"
	"majordome/engine"
	every "majordome/engine/games"
	"majordome/engine/play"
)

// loopRights returns the roles for the acts of the loop and its parts.
var loopRights = sync.OnceValue(func() rights {
	c := &core{}
	c.createParts()
	return c.rights
})

var roles = []wire.Role{master.Anyone, wire.RoleHost, wire.RoleOperator, wire.RoleOwner}

// actsByLeastRole lists the acts of the loop by their least role. It was written by hand a second time, so that a
// slip in either table is found here.
var actsByLeastRole = map[wire.Role][]string{
	master.Anyone: {"alarm", "cover-secrets"},
	wire.RoleHost: {"add-phone", "begin", "box-check", "cut-phone", "end-phone", "ghosts", "invite", "new-game", "sit", "skip-scene",
		"turn-away", "undo"},
	wire.RoleOperator: {"countdown", "countdown-add", "countdown-end", "countdown-fines", "go-on", "hint", "hint-back", "hint-no", "hints",
		"host-admit", "host-deny", "host-end", "light", "next-group", "pause", "restore", "resume", "secrets", "team", "unlock-secrets"},
	wire.RoleOwner: {"room-keep"},
}

// Every act of the host has a row, and each role may do exactly what its rows allow.
func TestRights(t *testing.T) {
	all := loopRights()
	for i, least := range roles {
		for _, act := range actsByLeastRole[least] {
			for j, has := range roles {
				if got := refuseRole(has, all.roleNeeded(device(2), act, false)) == nil; got != (j >= i) {
					t.Errorf("%q does %s: %v", has, act, got)
				}
			}
		}
	}
	n := 0
	for _, acts := range actsByLeastRole {
		n += len(acts)
	}
	if n != len(all)+len([]string{actBegin, seats.ActSit}) { // a game offers these two to its host, so they have no row
		t.Errorf("%d rows, %d of them known here", len(all), n)
	}
}

// A host may do all that a game offers its host, except acts against the rules, which need an operator.
func TestRightsInGames(t *testing.T) {
	for _, g := range every.KnownGames() {
		deck, err := g.Parse(string(g.ID), g.Default)
		if err != nil {
			t.Fatal(err)
		}
		book, err := deck.NewRulebook()
		if err != nil {
			t.Fatal(err)
		}
		over, ruled := 0, 0
		_, _, err = play.Run(book.NewGame(), &play.Opts{Seed: 5, WantedCommand: play.NewRandomOverruler(5, 8),
			Check: func(s play.Step) error {
				all := s.After.View(engine.Host).Offers
				for _, role := range roles {
					for _, o := range all {
						got := len(loopRights().permittedOffers([]engine.Offer{o}, device(2), role)) == 1
						if want := role == wire.RoleOperator || role == wire.RoleOwner || role == wire.RoleHost &&
							!o.Overrule; got != want {
							t.Errorf("%s: %s (overrules: %v) is offered to %q: %v", g.ID, o.Act, o.Overrule, role, got)
						}
						if o.Overrule {
							over++
						} else {
							ruled++
						}
					}
				}
				return nil
			}})
		if err != nil || over == 0 || ruled == 0 {
			t.Errorf("%s: %v, %d offers against the rules and %d others", g.ID, err, over, ruled)
		}
	}
	o := engine.Offer{Act: actBegin, Fixed: engine.Args{"force": yes}}
	for _, role := range roles {
		got := len(loopRights().permittedOffers([]engine.Offer{o}, device(2), role)) == 1
		if got != (role == wire.RoleOperator || role == wire.RoleOwner) {
			t.Errorf("a beginning without a full box is offered to %q: %v", role, got)
		}
	}
}
