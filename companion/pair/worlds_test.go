package pair

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// gameWithAClaim is a running game in which one phone asks for the seat of red by the pawn, and another for that of blue. It writes down
// what anybody is told.
type gameWithAClaim struct {
	*cardHouse
	wall         string
	anne, bob    askingPhone
	told         strings.Builder
	changes      int // calls of ClaimOpts.Changed
	lookedAtCard int // calls of ClaimOpts.CharacterOf
}

func newGameWithAClaim(t *testing.T) *gameWithAClaim {
	g := &gameWithAClaim{cardHouse: newCardHouse(t), anne: phoneAt("10.42.0.10"), bob: phoneAt("10.42.0.11")}
	of := g.claims.opts.CharacterOf
	g.claims.opts.CharacterOf = func(card engine.ID) engine.ID { g.lookedAtCard++; return of(card) }
	g.claims.opts.Changed = func() { g.changes++ }
	g.wall = g.lobbyCode(2)
	g.desk.SyncLobby(false, 0, nil, []engine.ID{"red", "blue"})
	return g
}

// writeTold writes down what the phones that ask, the display and all others are told now. Keys, codes and figures are random.
func (g *gameWithAClaim) writeTold() {
	for _, p := range []struct {
		askingPhone
		who string
	}{{g.anne, "red"}, {g.bob, "blue"}} {
		a := g.askSeatOf(p.askingPhone, g.wall, "name of "+p.who, p.who, true)
		a.Key, a.Code = fmt.Sprint(len(a.Key)), fmt.Sprint(len(a.Code))
		fmt.Fprintf(&g.told, "%s %+v why %+v\n", p.who, a, a.Why)
	}
	open, compared := g.desk.CardClaims()
	for i := range open {
		open[i].Figures = fmt.Sprint(len(open[i].Figures))
	}
	asking, more := g.desk.SeatRequests()
	fmt.Fprintln(&g.told, open, len(compared), asking, more, g.announced, g.changes, g.lookedAtCard)
}

// layForAWhile lays a card as the readers report it, and takes it away after a while.
func (g *gameWithAClaim) layForAWhile(laid LaidCard) {
	fmt.Fprintln(&g.told, "handled", g.claims.HandleCard(laid))
	g.writeTold()
	g.now = g.now.Add(2 * time.Second)
	g.claims.HandleLeft(laid.Reader, laid.UID)
	g.writeTold()
}

// TestAClaimInAGameTellsNothingOfHiddenCards: while phones claim seats by pawns, a card that is not a pawn changes nothing, whichever it
// is: of the hand of the claimant or another, of the envelope, a copy, on one reader or two, or an unknown tag. The table handles it as if
// nobody claimed anything; nobody is told anything else or at another moment, before, between and after the two times that a pawn is
// laid, and the desk does not even look at it. So no answer can tell where a card lies.
func TestAClaimInAGameTellsNothingOfHiddenCards(t *testing.T) {
	pawn := LaidCard{Reader: engine.ReaderShow, UID: "tag-pawn-red", Card: "pawn-red"}
	told := map[string]string{}
	for name, card := range map[string]engine.ID{"of the claimed character": "red", "of another character": "blue",
		"of no player": "green", "an unknown tag": "", "nothing": ""} {
		for _, doubled := range []bool{false, true} {
			g := newGameWithAClaim(t)
			for range 2 {
				for _, reader := range []string{engine.ReaderShow, engine.ReaderUrn, "enrol"} {
					if name == "nothing" {
						g.told.WriteString("handled false\n")
						g.writeTold()
						g.now = g.now.Add(2 * time.Second)
						g.writeTold()
						continue
					}
					if doubled { // a copy lies on another reader
						g.claims.HandleCard(LaidCard{Reader: "place-1", UID: "tag-hidden", Card: card, IsOld: true})
					}
					g.layForAWhile(LaidCard{Reader: reader, UID: "tag-hidden", Card: card})
					g.claims.HandleLeft("place-1", "tag-hidden")
				}
				g.layForAWhile(pawn)
			}
			looked := g.lookedAtCard
			told[fmt.Sprint(name, doubled)] = g.told.String()
			if _, compared := g.desk.CardClaims(); looked != 2 || len(compared) != 1 {
				t.Errorf("%s: %d cards were looked at, compared are %+v", name, looked, compared)
			}
		}
	}
	for name, text := range told {
		if want := told["nothingfalse"]; text != want {
			t.Errorf("%s tells\n%s\nand nothing\n%s", name, text, want)
		}
	}
	if strings.Count(told["nothingfalse"], "handled true") != 2 {
		t.Errorf("the pawn is not handled: %s", told["nothingfalse"])
	}
}

// TestPawnsTellOnlyWhatAllSee: what a pawn in a running game tells follows from the pawn, from who asks, and from whether it lies on two
// readers, all of which is public.
func TestPawnsTellOnlyWhatAllSee(t *testing.T) {
	for name, c := range map[string]struct {
		laid    LaidCard
		doubled bool
		handled bool
		said    string
		claims  []wire.CardClaim
	}{
		"the claimant's pawn": {LaidCard{Reader: "show", UID: "a", Card: "pawn-red"}, false, true, "",
			[]wire.CardClaim{{Character: "red"}}},
		"somebody else's":         {LaidCard{Reader: "show", UID: "b", Card: "pawn-green"}, false, false, "", nil},
		"a copy of it":            {LaidCard{Reader: "show", UID: "a", Card: "pawn-red"}, true, true, "table.card.copy", nil},
		"a copy of another's":     {LaidCard{Reader: "show", UID: "b", Card: "pawn-green"}, true, false, "", nil},
		"an unknown tag":          {LaidCard{Reader: "show", UID: "c"}, false, false, "", nil},
		"an unknown tag, doubled": {LaidCard{Reader: "show", UID: "c"}, true, false, "", nil},
	} {
		g := newGameWithAClaim(t)
		g.writeTold()
		if c.doubled {
			g.claims.HandleCard(LaidCard{Reader: "urn", UID: c.laid.UID, Card: c.laid.Card, IsOld: true})
		}
		if handled := g.claims.HandleCard(c.laid); handled != c.handled {
			t.Errorf("%s: handled %v", name, handled)
		}
		said := ""
		if len(g.announced) > 0 {
			said = g.announced[0].Key
		}
		if open := g.openClaims(); said != c.said || fmt.Sprint(open) != fmt.Sprint(c.claims) {
			t.Errorf("%s: said %q, claims %+v", name, said, open)
		}
	}
}
