package house

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/deck"
)

// labels listens to the names as a page does.
func labels(r *rig) <-chan engine.Names {
	r.t.Helper()
	heard := make(chan engine.Names, 100)
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + r.house.mqtt.Addr().String()).
		SetClientID("public.a1b2c3d4").SetUsername(wire.UserPublic).SetPassword(wire.PublicPassword))
	if t := c.Connect(); !t.WaitTimeout(patience) || t.Error() != nil {
		r.t.Fatal("connect: ", t.Error())
	}
	r.t.Cleanup(func() { c.Disconnect(0) })
	t := c.Subscribe(r.house.tree.Names(), 1, func(_ mqtt.Client, m mqtt.Message) {
		var n engine.Names
		if json.Unmarshal(m.Payload(), &n) == nil {
			heard <- n
		}
	})
	if !t.WaitTimeout(patience) || t.Error() != nil {
		r.t.Fatal("subscribe: ", t.Error())
	}
	return heard
}

// named waits until the pages are told a label.
func named(t *testing.T, heard <-chan engine.Names, want engine.Name) {
	t.Helper()
	for late := time.After(patience); ; {
		select {
		case names := <-heard:
			for _, n := range names {
				if n == want {
					return
				}
			}
		case <-late:
			t.Fatalf("nobody is told %+v", want)
		}
	}
}

// facts.md: the owner names places and weapons at the table; all pages are told at
// once, and the names stay over a restart until the owner goes back.
func TestNamesOfTheOwner(t *testing.T) {
	data := t.TempDir()
	here := func(o *Opts) { o.Config.Data = data }
	place := engine.Name{ID: "place-3", Kind: "place", Text: engine.Text{FR: "Bibliothèque", EN: "Library"}}
	t.Run("named", func(t *testing.T) {
		r := start(t, here)
		heard := labels(r)
		r.host("rename", engine.Args{"id": "place-3", "fr": "Bibliothèque", "en": "Library"})
		named(t, heard, place)
		r.host("pair", engine.Args{"place": "place-3", "weapon": "weapon-corde"})
		named(t, heard, engine.Name{ID: "weapon-corde", Kind: "weapon", Text: engine.Text{FR: "Corde", EN: "Rope"}, Of: "place-3"})
	})
	t.Run("after a restart", func(t *testing.T) {
		r := start(t, here)
		heard := labels(r)
		named(t, heard, place)
		u, _ := r.house.loop.Snapshot(engine.Public)
		if u.View.Places[2].Weapon != "weapon-corde" {
			t.Errorf("place 3 has %s", u.View.Places[2].Weapon)
		}
		text, err := r.house.decks.Deck("huis-clos").YAML()
		if err != nil {
			t.Fatal(err)
		}
		if d, err := deck.Parse("kept.yaml", text); err != nil || d.Places[2].FR != "Bibliothèque" {
			t.Errorf("the kept deck cannot be written as a file: %v", err)
		}
		r.host("reset-deck", nil)
		named(t, heard, engine.Name{ID: "place-3", Kind: "place", Text: engine.Text{FR: "Lieu 3", EN: "Place 3"}})
	})
	t.Run("as it came", func(t *testing.T) {
		if r := start(t, here); r.house.decks.Own("huis-clos") || r.house.decks.Deck("huis-clos").(huisClos).deck.Places[2].FR != "Lieu 3" {
			t.Error("the names are still the owner's")
		}
	})
}

// A deck that cannot be read in the store is said, and not passed over.
func TestDamagedDeck(t *testing.T) {
	c := config(t)
	s, err := store.Open(c.Data+"/majordome.db", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetDeck("huis-clos", []byte("places: [")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if h, err := Open(Opts{Config: c, Decks: Decks(), Log: quiet()}); h != nil || err == nil || !strings.Contains(err.Error(), "majordome.db") {
		t.Errorf("%v", err)
	}
}

// The check of the box, from the antenna to the host's page.
func TestBoxCheckAtTheReaders(t *testing.T) {
	r := start(t, nil)
	r.host("box-check", engine.Args{"on": "yes"})
	var card engine.ID
	for u, c := range tags(t) {
		if c == "weapon-3" {
			if err := r.sims[engine.ReaderShow].Put(u, 0); err != nil {
				t.Fatal(err)
			}
			card = c
		}
	}
	r.answered(0, engine.ReaderShow, "accepted")
	u, _ := r.house.loop.Snapshot(engine.Host)
	if u.Box == nil || u.Box.Last != card || len(u.Box.Missing) != 39+8-1 {
		t.Errorf("box %+v", u.Box)
	}
}
