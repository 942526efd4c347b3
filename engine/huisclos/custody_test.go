package huisclos

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/play"
	"majordome/engine/script/scripttest"
)

// TestChoicesOnlySee: the cards that an act may move, the limits shown to a seat and the grades shown to the host are computed without
// opening a hidden value.
func TestChoicesOnlySee(t *testing.T) {
	for _, file := range []string{"choices.go", "facts.go", "grades.go", "knowledge.go", "offers.go", "view.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && opensHidden(s) {
				t.Errorf("%s uses %s: views see, they do not open", file, s.Sel.Name)
			}
			return true
		})
	}
}

// TestOwnActsProbeNothing: whether a seat may name a clue of its own hand, or of a place that it searches, never depends on where the
// machine has that clue on record (GEN-021). In two worlds that differ by two clues which the seat has not seen, the answers are the same.
func TestOwnActsProbeNothing(t *testing.T) {
	scripttest.SkipIfShort(t)
	compared := 0
	for seed := range uint64(40) {
		dice := chance.New(seed)
		_, _, err := play.Run(dealtGame(t, 4+int(seed%5), seed), &play.Opts{Seed: seed, Check: func(st play.Step) error {
			s := st.After.(*state)
			v := engine.SeatViewer(engine.Seat(dice.Intn(int(s.startPlayers)) + 1))
			if s.active != 0 && dice.Intn(2) == 0 {
				v = engine.SeatViewer(s.active)
			}
			cs := s.unseen(v)
			if len(cs) < 2 || s.phase < phasePick {
				return nil
			}
			c, d := cs[dice.Intn(len(cs))], cs[dice.Intn(len(cs))]
			other := s.swapped(c, d)
			for _, act := range []string{"hold", "forget", "keep", "take", "take-last", "leave", "give", "deposit"} {
				for _, what := range []card{c, d} {
					cmd := engine.Command{By: v, Act: act, Args: engine.Args{"card": s.book.cardID[what]}}
					_, one := s.Decide(cmd, chance.New(1))
					_, two := other.Decide(cmd, chance.New(1))
					compared++
					if !reflect.DeepEqual(one, two) {
						return fmt.Errorf("%s reveals to %s where a clue is: %v, %v", act, v, one, two)
					}
				}
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if compared < 1000 {
		t.Errorf("only %d comparisons", compared)
	}
}

// unread is a table of which the machine knows only the numbers.
const unread = `
round 3
unknown hand seat-1 3
unknown hand seat-2 1
unknown hand seat-3 1
unknown hand seat-4 1
unknown place place-suite-bleue 3
unknown place place-salon 5
unknown place place-3 5
unknown place place-4 5
unknown place place-5 5
unknown place place-6 5
unknown place place-7 5
pawn seat-1 place-3
pawn seat-2 place-4
pawn seat-3 place-5
pawn seat-4 place-6
`

// TestKnownExcessBinds: known weapons bind the seat even if the rest of its hand is unknown (HC-043, HC-067, HC-181). For unknown cards the
// machine trusts the player.
func TestKnownExcessBinds(t *testing.T) {
	d := posed(t, unread+"claims seat-1 weapon-5 weapon-6\n")
	d.mustOfferOnly(anne, "move", "place-salon", "place-4", "place-5", "place-6", "place-7") // the fullest others
	d.mustDo(anne, "move", "place=place-salon").mustNotOffer(anne, "exchange").mustDo(anne, "search")
	d.mustDo(anne, "take", "card=clue-worms-1").mustOfferOnly(anne, "leave", "weapon-5", "weapon-6").mustNotOffer(anne, "destroy")
	d.mustRefuse("GEN-022", anne, "leave", "card=unnamed").mustDo(anne, "leave", "card=weapon-5").mustHold(anne, "weapon-6", "clue-worms-1")

	d = posed(t, unread)
	d.mustDo(anne, "move", "place=place-4").mustOffer(anne, "exchange", "search").mustDo(anne, "search").waitWindow().
		mustDo(anne, "take", "card=weapon-3")
	d.mustOffer(anne, "leave", "destroy").mustNotOffer(anne, "done").mustDo(anne, "leave", "card=unnamed")
	if v := d.view(host); v.Custody[0].Cards != engine.Partly || v.Custody[0].Role != engine.Verified {
		t.Errorf("custody of Anne: %+v", v.Custody[0])
	}
}

// TestHostPlaysByPublicFacts: when the host acts for a seat whose whole hand is recorded, no act is refused because of the cards in that
// hand (GEN-024).
func TestHostPlaysByPublicFacts(t *testing.T) {
	d := posed(t, `
round 5
hand seat-1 clue-worms-1
hand seat-2 clue-peely-1
pawn seat-1 place-3
pawn seat-2 place-4
pawn seat-3 place-4
pawn seat-4 place-5
fill place-4 3
fill place-3 3
unknown place place-6 3
`)
	d.mustDo(host, "move", "place=place-4").mustOfferOnly(host, "exchange")
	// A clue shown to all is true, unless another hand has it on record (GEN-E13).
	if r := d.refusal("GEN-E13", host, "accuse", "seat=seat-3", "card=clue-peely-1"); !isAlarm(r) {
		t.Errorf("a clue of another hand: %+v", r)
	}
	d.mustDo(host, "accuse", "seat=seat-3", "card=clue-peely-2").mustHold(bruno, "clue-peely-1")
	if v := d.view(table); v.Seats[1].Cards != 1 || v.Seats[0].Cards != 0 || v.Gone[0] != "clue-peely-2" {
		t.Errorf("seats %+v, gone %v", v.Seats[:2], v.Gone)
	}
}

// GEN-021: a clue that a seat has claimed and then takes from where it was on record is
// claimed no longer (invariant 1, which every act checks).
func TestWhatIsTakenIsClaimedNoLonger(t *testing.T) {
	d := posed(t,
		"round 3\nunknown hand seat-1 1\nclaims seat-1 weapon-3\nplace place-salon weapon-3\nunknown place place-4 2\npawn seat-1 place-5")
	d.mustDo(anne, "move", "place=place-salon").mustDo(anne, "search").mustDo(anne, "take", "card=weapon-3").mustHold(anne, "weapon-3")
}
