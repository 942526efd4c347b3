package house

import (
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/deck"
)

// naming returns the changes that the office lists.
func (r *rig) naming() (n wire.Naming) {
	r.t.Helper()
	r.doRow("names", nil, &n)
	return n
}

// refusalOf returns the key of the reason why the office refuses a row; it fails if the row is done.
func (r *rig) refusalOf(row string, args engine.Args) string {
	r.t.Helper()
	a := r.askOffice(row, args)
	if a.Why == nil {
		r.t.Fatalf("%s %v is done", row, args)
	}
	return a.Why.Key
}

// labelOf returns the public label of an id.
func (r *rig) labelOf(id engine.ID) engine.Text {
	r.t.Helper()
	for _, n := range r.house.cards.Labels() {
		if n.ID == id {
			return n.Text
		}
	}
	r.t.Fatalf("no %s", id)
	return engine.Text{}
}

// TestNaming: names can change at any time and make no step. Pairs, all names of another box and the way back are only
// possible in the lobby.
func TestNaming(t *testing.T) {
	t.Parallel()
	r := startRig(t, func(*Opts) {})
	n := r.naming()
	if len(n.IDs) != 7+7+8+32 || wire.MaxLabel != deck.MaxName || !n.Lobby || n.Own || n.Clues != nil {
		t.Errorf("%d names, %+v", len(n.IDs), n)
	}
	for _, bad := range []struct{ id, fr, en, key string }{
		{"place-4", "", "x", "table.deck.empty"}, {"place-4", "x", strings.Repeat("x", 49), "table.deck.long"},
		{"place-44", "x", "x", "table.deck.unknown"}, {"", "x", "x", "table.deck.unknown"},
	} {
		if why := r.refusalOf("names-set", engine.Args{"id": bad.id, "fr": bad.fr, "en": bad.en}); why != bad.key {
			t.Errorf("%+v: %s", bad, why)
		}
	}
	for _, args := range []engine.Args{{"place": "place-salon"}, {"weapon": "weapon-3"}} {
		if why := r.refusalOf("names-pair", args); why != "table.deck.unknown" {
			t.Errorf("a pair of %v: %s", args, why)
		}
	}
	if why := r.refusalOf("names-clue", engine.Args{"id": "clue-peely-1", "kind": "nothing"}); why != "table.deck.unknown" {
		t.Errorf("a card that does nothing: %s", why)
	}
	r.doRow("names-pair", engine.Args{"place": "place-salon", "weapon": "weapon-3"}, nil)
	if u, _ := r.house.Loop.Snapshot(engine.Public); u.View.Places[1].Weapon != "weapon-3" || u.Notice == nil ||
		u.Notice.Msg.Key != "table.deck.changed" {
		t.Errorf("%+v", u.Notice)
	}
	if !r.naming().Own {
		t.Error("there is no way back")
	}
	r.doRow("names-reset", nil, nil)
	if u, _ := r.house.Loop.Snapshot(engine.Public); u.View.Places[1].Weapon != "weapon-tisonnier" || r.naming().Own {
		t.Error("the way back leads elsewhere")
	}

	r.mustHostAct("begin", nil)
	if n := r.naming(); n.Lobby || len(n.IDs) != 7+7+8+32 {
		t.Errorf("in a game: %+v", n)
	}
	steps := r.mark()
	r.doRow("names-set", engine.Args{"id": "place-4", "fr": "Véranda", "en": "Conservatory"}, nil)
	if got := r.labelOf("place-4"); got.FR != "Véranda" || got.EN != "Conservatory" || r.mark() != steps {
		t.Errorf("%+v, %d steps", got, r.mark()-steps)
	}
	for row, args := range map[string]engine.Args{"names-pair": {"place": "place-3", "weapon": "weapon-4"}, "names-reset": nil} {
		if why := r.refusalOf(row, args); why != "table.deck.lobby" {
			t.Errorf("%s in a game: %s", row, why)
		}
	}
	if why := r.refusalOf("names-adopt", engine.Args{"list": "weapon-corde\tFouet\tWhip\n"}); why != "table.deck.lobby.adopt" {
		t.Errorf("in a game: %s", why)
	}
}

// TestNamingOfClueCards: before a game, the host chooses what a clue card does, among the effects that the game has.
func TestNamingOfClueCards(t *testing.T) {
	t.Parallel()
	r := startRig(t, func(o *Opts) {
		o.Decks = []deck.Deck{cluedo.DefaultDeck("cluedo-classic")}
		o.Players = map[engine.ID][]Player{"cluedo-classic": {
			{"Anne", "suspect-rose"},
			{"Bruno", "suspect-moutarde"},
			{"Chloé", "suspect-pervenche"},
		}}
	})
	n := r.naming()
	if len(n.Clues) != 5 || len(n.Clues[0].Domain) != 29 {
		t.Fatalf("%+v", n.Clues)
	}
	says := engine.Args{"id": "clue-card-4", "kind": "show", "who": "next", "what": "room-salon", "to": "active"}
	if why := r.refusalOf("names-clue", says); why != "table.deck.clue.what" || r.naming().Own {
		t.Errorf("%s", why)
	}
	says["what"] = "choice"
	r.doRow("names-clue", says, nil)
	for _, n := range r.house.decks.RulebookOf("cluedo-classic").Names() {
		if n.ID == "clue-card-4" && *n.Does != (engine.Effect{Kind: "show", Who: "next", What: "choice", To: "active"}) {
			t.Errorf("%+v", n.Does)
		}
	}
	r.mustHostAct("begin", nil)
	if n := r.naming(); n.Clues != nil || n.Lobby {
		t.Errorf("in a game: %+v", n)
	}
	if why := r.refusalOf("names-clue", engine.Args{"id": "clue-card-4", "kind": "nothing"}); why != "table.deck.lobby.clue" {
		t.Errorf("in a game: %s", why)
	}
}

// TestAdopt: all names of another box of the same game are adopted at once, or none.
func TestAdopt(t *testing.T) {
	t.Parallel()
	r := startRig(t, func(*Opts) {})
	steps := r.mark()
	r.doRow("names-adopt", engine.Args{"list": "weapon-corde\tLacet\tLace\nplace-salon\tSalon bleu\tBlue room\n"}, nil)
	if got := r.labelOf("weapon-corde"); got != (engine.T("Lacet", "Lace")) ||
		r.labelOf("place-salon").FR != "Salon bleu" || r.mark() != steps {
		t.Errorf("%+v, %d steps", got, r.mark()-steps)
	}
	for list, why := range map[string]string{
		"weapon-corde\tFouet\tWhip\nplace-salon\t \tRoom\n":  "table.deck.empty",
		"weapon-corde\tFouet\tWhip\nplace-nowhere\tA\tB\n":   "table.deck.unknown",
		"weapon-corde\tFouet\n":                              "table.paste.again",
		strings.Repeat("weapon-corde\tFouet\tWhip\n", 256+1): "table.paste.again",
		"": "table.paste.again",
	} {
		if got := r.refusalOf("names-adopt", engine.Args{"list": list}); got != why {
			t.Errorf("%.40q: %s, want %s", list, got, why)
		} else if r.labelOf("weapon-corde").FR != "Lacet" {
			t.Errorf("%.40q is half taken", list)
		}
	}
}
