package seats_test

import (
	"slices"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// TestASeatByACard: a claim that a card has confirmed seats its player in the lobby without the host, unless the game or the
// table would not.
func TestASeatByACard(t *testing.T) {
	for name, tc := range map[string]struct {
		claim wire.Guest
		want  []string
	}{
		"a newcomer":            {wire.Guest{Ask: "4711", Name: " Cléo ", Character: "red"}, []string{"seat 4711 seat-3"}},
		"the name of a player":  {wire.Guest{Ask: "4711", Name: "Bob", Character: "red"}, []string{"refuse claim 4711 table.guest.name"}},
		"what the game refuses": {wire.Guest{Ask: "4711", Name: "Cléo", Character: "gone"}, []string{"refuse claim 4711 forbidden"}},
	} {
		m, d := lobby()
		m.DecideAct = func(act string, args engine.Args) *engine.Reject {
			if args["character"] == "gone" {
				return &engine.Reject{Code: engine.Forbidden, Why: engine.NewMsg("forbidden")}
			}
			return nil
		}
		d.confirmed = []wire.Guest{tc.claim}
		m.PassTime(0)
		if !slices.Equal(d.calls, tc.want) || len(d.confirmed) > 0 {
			t.Errorf("%s: %q, left %+v", name, d.calls, d.confirmed)
		}
		played := slices.Equal(m.PlayedActs, []string{"sit character=red name=Cléo seat=seat-3"})
		if played != (name == "a newcomer") {
			t.Errorf("%s: the game plays %q", name, m.PlayedActs)
		}
	}
}

// TestAPawnMovesTheSeat: in a running game a pawn that has a tag gives the seat of its character to another phone, and all are
// told; a character without a player has no seat to give.
func TestAPawnMovesTheSeat(t *testing.T) {
	m, d := lobby()
	m.View.Phase, m.View.Seats[0].Character, m.View.Seats[1].Character = "playing", "red", "blue"
	m.Tags = []engine.ID{engine.PawnID("red"), "blue"}
	m.PublicUpdate()
	if d.lobby != "false 0 [] [red]" {
		t.Errorf("phones can claim %s", d.lobby)
	}
	d.confirmed = []wire.Guest{{Ask: "4711", Character: "red", Played: true}, {Ask: "0815", Character: "green", Played: true}}
	if u := m.PublicUpdate(); len(u.Table.Claims) != 2 || u.Table.Claims[0].Figures != "4711" {
		t.Errorf("the display shows %+v", u.Table.Claims)
	}
	m.PassTime(0)
	if want := []string{"seat 4711 seat-1", "refuse claim 0815 table.ask.gone"}; !slices.Equal(d.calls, want) {
		t.Errorf("%q", d.calls)
	}
	if !slices.Equal(m.Notices, []string{"table.card.moved"}) || len(m.PlayedActs) > 0 {
		t.Errorf("all are told %q, the game plays %q", m.Notices, m.PlayedActs)
	}
}

// TestACardMovesTheSeatInTheLobby: a phone that asks for the seat of a player gets it by a card, also the first phone of a seat; one
// that asks for a free character does not get the seat of a player who was faster.
func TestACardMovesTheSeatInTheLobby(t *testing.T) {
	m, d := lobby()
	m.View.Seats[0].Character, m.View.Seats[1].Character = "red", "blue"
	m.PublicUpdate()
	if !strings.HasSuffix(d.lobby, " [red blue]") {
		t.Errorf("phones can claim %s", d.lobby)
	}
	d.confirmed = []wire.Guest{{Ask: "4711", Name: "Ada", Character: "red", Played: true},
		{Ask: "0815", Name: "B", Character: "blue", Played: true}}
	m.PassTime(0)
	if want := []string{"seat 4711 seat-1", "seat 0815 seat-2"}; !slices.Equal(d.calls, want) || len(m.PlayedActs) > 0 {
		t.Errorf("%q, the game plays %q", d.calls, m.PlayedActs)
	}
	if !slices.Equal(m.Notices, []string{"table.card.moved"}) { // seat 2 had no phone
		t.Errorf("all are told %q", m.Notices)
	}
	m.DecideAct = func(string, engine.Args) *engine.Reject {
		return &engine.Reject{Code: engine.Forbidden, Why: engine.NewMsg("taken")}
	}
	d.calls, d.confirmed = nil, []wire.Guest{{Ask: "1234", Name: "Cléo", Character: "red"}}
	m.PassTime(0)
	if want := []string{"refuse claim 1234 taken"}; !slices.Equal(d.calls, want) {
		t.Errorf("%q", d.calls)
	}
}
