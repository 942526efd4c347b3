package house

import (
	"slices"
	"sync"
	"testing"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/engine"
)

// A pawn with a tag, put down in a room that has a reader, moves there. That reader accepts no card of the game, and
// the pages show the pawn's name.
func TestPawnOnTheReaderOfARoomMovesThere(t *testing.T) {
	const role = "place-salon"
	pawn := engine.PawnID("suspect-leblanc")
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
	r := startRig(t, func(o *Opts) {
		dev, err := mfrc522.New(sim.Port(), &mfrc522.Opts{Clock: sim.Clock()})
		if err != nil {
			t.Fatal(err)
		}
		o.Readers = append(o.Readers, config.Reader{Role: role, Scanner: dev, Period: config.PollPeriod(role)})
		o.Game, o.Tags["cluedo-2008"] = "cluedo-2008", map[devices.UID]engine.ID{uid(t, 1): pawn, uid(t, 2): "room-patio"}
		o.Players["cluedo-2008"] = []Player{{"Anne", "suspect-leblanc"}, {"Bruno", "suspect-olive"}, {"Chloé", "suspect-rose"}}
		o.NamesChanged = func(_ engine.ID, n engine.Names) {
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
	r.mustHostAct("begin", nil)
	r.mustHostAct("deal", nil)
	r.mustHostAct("first", engine.Args{"seat": "seat-1"})
	from := r.mark()
	r.placeTags(role, uid(t, 2))
	r.waitSignal(from, role, "again") // a card of the game is refused there
	r.sims[role].RemoveTag(uid(t, 2))
	from = r.mark()
	r.placeTags(role, uid(t, 1))
	if u := r.waitSignal(from, role, "accepted"); at(u) != "room-salon" {
		t.Errorf("the pawn is in %q", at(u))
	}
}
