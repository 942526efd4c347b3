package house

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/engine"
	"majordome/engine/games"
)

// A pawn with a tag, laid in a room that has a reader: it moves there. A card of the game
// is none for that reader, and the pages know the pawn by its name.
func TestAPawnLaidInARoom(t *testing.T) {
	const role = "place-salon"
	pawn := engine.PawnOf("suspect-leblanc")
	at := func(u wire.Update) engine.ID {
		for _, p := range u.View.Case.Pawns {
			if p.Suspect == "suspect-leblanc" {
				return p.At
			}
		}
		return ""
	}
	named := make(chan struct{})
	var once sync.Once
	sim := mfrc522sim.NewRealtime(nil)
	r := start(t, func(o *Opts) {
		dev, err := mfrc522.New(sim.Port(), &mfrc522.Opts{Clock: sim.Clock()})
		if err != nil {
			t.Fatal(err)
		}
		o.Readers = append(o.Readers, Reader{Role: role, Scanner: dev, Period: Period(role)})
		o.Game, o.Tags["cluedo-2008"] = "cluedo-2008", map[devices.UID]engine.ID{uid(t, 1): pawn, uid(t, 2): "room-patio"}
		o.Players["cluedo-2008"] = []Player{{"Anne", "suspect-leblanc"}, {"Bruno", "suspect-olive"}, {"Chloé", "suspect-rose"}}
		o.Named = func(_ engine.ID, n engine.Names) {
			if slices.ContainsFunc(n, func(n engine.Name) bool { return n.ID == pawn && n.Kind == "pawn" }) {
				once.Do(func() { close(named) })
			}
		}
	})
	r.sims[role] = sim
	select {
	case <-named:
	case <-time.After(patience):
		t.Fatal("no page knows the pawn by name")
	}
	r.host("begin", nil)
	r.host("deal", nil)
	r.host("first", engine.Args{"seat": "seat-1"})
	from := r.mark()
	r.put(role, uid(t, 2))
	r.answered(from, role, "again") // a card of the game is nothing there
	r.sims[role].Take(uid(t, 2))
	from = r.mark()
	r.put(role, uid(t, 1))
	if u := r.answered(from, role, "accepted"); at(u) != "room-salon" {
		t.Errorf("the pawn stands in %q", at(u))
	}
}

// A reader or a segment of a place that no deck has is told with its line; one of any game, or of a number, is not.
func TestAPlaceOfNoDeckIsTold(t *testing.T) {
	c, err := read(t, "readers:\n  - {role: place-slaon, spi: SPI1.0}\n  - {role: place-spa, spi: SPI1.1}\n  - {role: place-pool, spi: SPI1.2}\n  - {role: place-12, chip: node, port: /dev/n}")
	if err != nil {
		t.Fatal(err)
	}
	g, err := c.ReadDecks(games.All())
	if err != nil || g.Left == nil || !strings.Contains(g.Left.Error(), `:2:12: role: no deck has a place "place-slaon"`) || strings.Count(g.Left.Error(), "no deck") != 1 {
		t.Errorf("%v, %v", err, g.Left)
	}
	c, err = read(t, "strips:\n  - chip: apa102\n    spi: SPI0.0\n    segments: {clock: 0-7, salon: 8, room-spa: 9, place-3: 10, colck: 11}")
	if err != nil {
		t.Fatal(err)
	}
	if g, err = c.ReadDecks(games.All()); err != nil || g.Left == nil || !strings.Contains(g.Left.Error(), `:4:71: `) || !strings.Contains(g.Left.Error(), `segments: no deck has a place "colck"`) || strings.Count(g.Left.Error(), "no deck") != 1 {
		t.Errorf("%v, %v", err, g.Left)
	}
}
