package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/config/configtest"
	"majordome/cmd/majordome/records"
	"majordome/companion/game"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/deck"
	"majordome/engine/games"
	"majordome/engine/huisclos"
)

// subscribeNames subscribes to the names as a page does.
func subscribeNames(r *rig) <-chan engine.Names {
	r.t.Helper()
	heard := make(chan engine.Names, 100)
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + r.house.Network.MQTT.Addr().String()).
		SetClientID("public.a1b2c3d4").SetUsername(wire.UserPublic).SetPassword(wire.PublicPassword))
	if t := c.Connect(); !t.WaitTimeout(patience) || t.Error() != nil {
		r.t.Fatal("connect: ", t.Error())
	}
	r.t.Cleanup(func() { c.Disconnect(0) })
	t := c.Subscribe(r.house.tree.NamesTopic(), 1, func(_ mqtt.Client, m mqtt.Message) {
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

// waitLabel waits until the pages are sent this label.
func waitLabel(t *testing.T, heard <-chan engine.Names, want engine.Name) {
	t.Helper()
	waitName(t, heard, want, func(n engine.Name) bool { return n == want })
}

// waitName waits until the pages are sent a name that is as wanted.
func waitName(t *testing.T, heard <-chan engine.Names, what any, ok func(engine.Name) bool) {
	t.Helper()
	for late := time.After(patience); ; {
		select {
		case names := <-heard:
			if slices.ContainsFunc(names, ok) {
				return
			}
		case <-late:
			t.Fatalf("nobody is shown %+v", what)
		}
	}
}

// facts.md: the owner names places and weapons at the table. All pages are sent the names at once, and the names
// survive a restart until the owner goes back to the printed ones.
func TestNamesOfTheOwner(t *testing.T) {
	data := t.TempDir()
	here := func(o *Opts) { o.Config.Data = data }
	place := engine.Name{ID: "place-3", Kind: "place", Text: engine.T("Bibliothèque", "Library")}
	t.Run("named", func(t *testing.T) {
		r := startRig(t, here)
		heard := subscribeNames(r)
		r.doRow("names-set", engine.Args{"id": "place-3", "fr": "Bibliothèque", "en": "Library"}, nil)
		waitLabel(t, heard, place)
		r.doRow("names-pair", engine.Args{"place": "place-3", "weapon": "weapon-corde"}, nil)
		waitLabel(t, heard, engine.Name{ID: "weapon-corde", Kind: "weapon", Text: engine.T("Corde", "Rope"), Of: "place-3"})
	})
	t.Run("after a restart", func(t *testing.T) {
		r := startRig(t, here)
		heard := subscribeNames(r)
		waitLabel(t, heard, place)
		u, _ := r.house.Loop.Snapshot(engine.Public)
		if u.View.Places[2].Weapon != "weapon-corde" {
			t.Errorf("place 3 has %s", u.View.Places[2].Weapon)
		}
		text, err := r.house.decks.Deck("huis-clos").EncodeYAML()
		if err != nil {
			t.Fatal(err)
		}
		if d, err := huisclos.ParseDeck("kept.yaml", text); err != nil || d.Places[2].FR != "Bibliothèque" {
			t.Errorf("the kept deck cannot be written as a file: %v", err)
		}
		r.doRow("names-reset", nil, nil)
		waitLabel(t, heard, engine.Name{ID: "place-3", Kind: "place", Text: engine.T("Lieu 3", "Place 3")})
	})
	t.Run("as it came", func(t *testing.T) {
		r := startRig(t, here)
		if r.house.decks.IsChanged("huis-clos") || r.house.decks.Deck("huis-clos").(*huisclos.Deck).Places[2].FR != "Lieu 3" {
			t.Error("the names are still the owner's")
		}
	})
}

// The owner sets what the clue cards of their box do: all pages are sent it, it survives a restart and applies to the
// next game, until the owner goes back to the default.
func TestClueCardsOfTheOwner(t *testing.T) {
	data := t.TempDir()
	here := func(o *Opts) { o.Config.Data, o.Decks = data, []deck.Deck{cluedo.DefaultDeck("cluedo-classic")} }
	does := func(t *testing.T, heard <-chan engine.Names, want engine.Effect) {
		t.Helper()
		waitName(t, heard, want, func(n engine.Name) bool { return n.ID == "clue-card-1" && n.Does != nil && *n.Does == want })
	}
	mine := engine.Effect{Kind: "show", Who: "next", What: "choice", To: "active"}
	t.Run("written", func(t *testing.T) {
		r := startRig(t, here)
		heard := subscribeNames(r)
		r.doRow("names-clue", engine.Args{"id": "clue-card-1", "kind": mine.Kind, "who": mine.Who, "what": mine.What, "to": mine.To}, nil)
		does(t, heard, mine)
	})
	t.Run("after a restart", func(t *testing.T) {
		r := startRig(t, here)
		heard := subscribeNames(r)
		does(t, heard, mine)
		r.doRow("names-reset", nil, nil)
		does(t, heard, engine.Effect{Kind: "show", Who: "holder", What: "suspect-rose", To: "all"})
	})
}

// A house rule that the host chooses changes the name of a card, and sentences, on all pages at once and on the printed
// sheets. A restart keeps that, and so does a new name for another card.
func TestNamesByHouseRules(t *testing.T) {
	data := t.TempDir()
	here := func(o *Opts) { o.Config.Data, o.Decks = data, []deck.Deck{cluedo.DefaultDeck("super-cluedo")} }
	olive := func(fr, en string) engine.Name {
		return engine.Name{ID: "suspect-olive", Kind: "suspect", Text: engine.T(fr, en)}
	}
	t.Run("chosen", func(t *testing.T) {
		r := startRig(t, here)
		heard := subscribeNames(r)
		waitLabel(t, heard, olive("Docteur Olive", "Doctor Green"))
		r.mustHostAct("switch", engine.Args{"name": "preset", "value": "web"})
		waitLabel(t, heard, olive("Révérend Olive", "Reverend Green"))
		r.doRow("names-set", engine.Args{"id": "room-7", "fr": "Serre", "en": "Greenhouse"}, nil)
		waitName(t, heard, "the room with the new name and the reverend", func(n engine.Name) bool {
			return n.ID == "room-7" && n.Text.FR == "Serre"
		})
		if sheet := r.house.cards.Labels(); !slices.Contains(sheet, olive("Révérend Olive", "Reverend Green")) {
			t.Error("the printed sheets call him otherwise")
		}
	})
	t.Run("after a restart", func(t *testing.T) {
		r := startRig(t, here)
		heard := subscribeNames(r)
		waitName(t, heard, "the sentence of the text found on the web", func(n engine.Name) bool {
			return n.ID == "cl.prompt.envelope" && strings.Contains(n.Text.FR, "Mystères")
		})
		if names, err := records.NamesOfOpenGame(r.house.Store.Store,
			r.house.decks.RulebookOf("super-cluedo")); err != nil || !slices.Contains(names, olive("Révérend Olive", "Reverend Green")) {
			t.Errorf("the figures of a game that is open call him otherwise: %v", err)
		}
		r.mustHostAct("switch", engine.Args{"name": "olive-title", "value": "docteur"})
		waitLabel(t, heard, olive("Docteur Olive", "Doctor Green"))
	})
}

// A saved deck that cannot be read affects nothing else: the table starts with the deck as delivered, reports the
// fault, and accepts new names.
func TestDamagedDeck(t *testing.T) {
	c := testConfig(t)
	path := c.Data + "/majordome.db"
	s, err := store.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	other, r := cluedo.DefaultDeck("cluedo-2008").WithLabel("suspect-moutarde", engine.T("Blanche", "Blanche"))
	if r != nil {
		t.Fatal(r)
	}
	kept, err := other.EncodeYAML()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.SetDeck("huis-clos", []byte("places: [")), s.SetDeck("cluedo-2008", kept), s.Close()); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	h, err := Open(Opts{Config: c, Decks: games.KnownGames().DefaultDecks(), Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if got, _ := h.decks.Deck("huis-clos").EncodeYAML(); !bytes.Equal(got, mustText(huisclos.DefaultDeck().EncodeYAML())) ||
		h.decks.IsChanged("huis-clos") {
		t.Error("the deck is not the default deck")
	}
	if got, _ := h.decks.Deck("cluedo-2008").EncodeYAML(); !bytes.Equal(got, kept) || !h.decks.IsChanged("cluedo-2008") ||
		h.decks.UnreadableChanges("cluedo-2008") != nil {
		t.Error("the deck of the other game went with it")
	}
	said := log.String()
	if strings.Count(said, path) != 2 || !strings.Contains(said, "illisible") || !strings.Contains(said, "cannot be read") {
		t.Errorf("the log says %q", said)
	}
}

func mustText(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}

// A check of the box, from the reader to the host's page.
func TestBoxCheckAtTheReaders(t *testing.T) {
	r := startRig(t, nil)
	r.mustHostAct("box-check", engine.Args{"on": "yes"})
	const card = engine.ID("weapon-3")
	r.placeTags(engine.ReaderShow, tagOf(t, card))
	r.waitSignal(0, engine.ReaderShow, "accepted")
	u, _ := r.house.Loop.Snapshot(engine.Host)
	if u.Box == nil || u.Box.Last != card || len(u.Box.Missing) != 39+8-1 {
		t.Errorf("box %+v", u.Box)
	}
}

// A deck in the folder next to the configuration is a game of the table, which its host may choose. A faulty deck is
// named and left out. If the deck is missing later, the table reports that its game was played with another deck.
func TestFolderOfDecks(t *testing.T) {
	phare, err := os.ReadFile("../../../engine/cluedo/testdata/phare/phare.yaml")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	decks := filepath.Join(folder, "decks")
	if err := os.Mkdir(decks, 0o700); err != nil {
		t.Fatal(err)
	}
	configtest.WriteFile(t, filepath.Join(folder, "majordome.yaml"), "listen: \":80\"\n")
	configtest.WriteFile(t, filepath.Join(decks, "phare.yml"), string(phare))
	configtest.WriteFile(t, filepath.Join(decks, "broken.yaml"), "game: mine\nedition: {like: cluedo-1949}\n")
	c, err := config.ReadConfig(filepath.Join(folder, "majordome.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	g, err := c.ReadDecks(games.KnownGames())
	if err != nil || g.Skipped == nil || !strings.Contains(g.Skipped.Error(), `broken.yaml:2:17: unknown edition "cluedo-1949"`) {
		t.Errorf("%v; left out %v", err, g.Skipped)
	}
	if ids := g.Known.IDs(); len(ids) != len(games.KnownGames())+1 || ids[len(ids)-1] != "phare-noir" || len(g.Decks) != len(ids) {
		t.Errorf("known are %v", ids)
	}
	data := t.TempDir()
	t.Run("played", func(t *testing.T) {
		r := startRig(t, func(o *Opts) { o.Config.Data, o.Decks = data, g.Decks })
		r.mustHostAct("new-game", engine.Args{"game": "phare-noir", "seats": "clear"})
		r.house.waitUntilPublished(t.Context())
		if u, _ := r.house.Loop.Snapshot(engine.Public); u.View.Game != "phare-noir" {
			t.Errorf("on the table is %s", u.View.Game)
		}
		r.doRow("names-set", engine.Args{"id": "vent", "fr": "Brise", "en": "Breeze"}, nil)
	})
	t.Run("kept", func(t *testing.T) {
		r := startRig(t, func(o *Opts) { o.Config.Data, o.Decks = data, g.Decks })
		if u, _ := r.house.Loop.Snapshot(engine.Public); u.View.Game != "phare-noir" || !r.house.decks.IsChanged("phare-noir") {
			t.Errorf("on the table is %s", u.View.Game)
		}
	})
	cfg := testConfig(t)
	cfg.Data = data
	h, err := Open(Opts{Config: cfg, Decks: games.KnownGames().DefaultDecks(), Log: discardLog()})
	var other *game.OtherDeckError
	if !errors.As(err, &other) || other.Game.Book != "phare-noir" {
		t.Errorf("without the deck: %v", err)
		if err == nil {
			_ = h.Close()
		}
	}
}
