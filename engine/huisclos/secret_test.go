package huisclos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/play"
	"majordome/engine/script/scripttest"
)

// TestViewsOnlySee: the code that builds views and offers never opens a hidden value.
func TestViewsOnlySee(t *testing.T) {
	for _, file := range []string{"view.go", "offers.go", "prompt.go", "knowledge.go", "../internal/story/story.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && (opensHidden(s) || s.Sel.Name == "findMurderer") {
				t.Errorf("%s uses %s: views see, they do not open", file, s.Sel.Name)
			}
			return true
		})
	}
}

// opensHidden reports whether an expression reads a hidden value or the ledger of cards without checking for which viewer.
func opensHidden(s *ast.SelectorExpr) bool {
	if of, ok := s.X.(*ast.SelectorExpr); ok && fmt.Sprint(of.X) == "s" && of.Sel.Name == "ledger" {
		return s.Sel.Name != "AddCardsVisibleTo" && s.Sel.Name != "ClaimsVisibleTo" && s.Sel.Name != "CountAt" && s.Sel.Name != "ClaimCount"
	}
	return s.Sel.Name == "Open"
}

// TestPrintingIsMasked: a game, an event or an error that ends in a log shows
// no hidden card.
func TestPrintingIsMasked(t *testing.T) {
	things := func(hand string, c card, r role) []any {
		d := posed(t, "hand seat-1 "+hand+"\nplace place-3 clue-peely-1")
		evs, no := d.g.Decide(engine.Command{By: engine.SeatViewer(1), Act: "move", Args: engine.Args{"place": "place-3"}}, d.dice)
		if no != nil {
			t.Fatal(no)
		}
		s, e := d.g.(*state), evs[0].(*event)
		e.card, e.role = hideCard(c), hideRole(newDrawnRole(r, 1))
		return []any{s, e, *s, *e, e.card, e.role, s.ledger, []any{d.g}, struct{ G engine.Game }{d.g}}
	}
	two := things("weapon-3 clue-worms-2", 9, innocent)
	for i, x := range things("weapon-corde clue-worms-1", 7, murderer) {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d"} {
			s := fmt.Sprintf(verb, x)
			if len(s) > 120 || strings.Contains(s, "0x") || strings.Contains(s, "corde") || s != fmt.Sprintf(verb, two[i]) {
				t.Errorf("printing %T with %s says %q", x, verb, s)
			}
		}
		if data, err := json.Marshal(x); err != nil || len(data) > 12 {
			t.Errorf("%T marshals as %s", x, data)
		}
	}
}

// lobbyWith is a lobby with n players, and a function that plays the host's next acts in it.
func lobbyWith(t testing.TB, n int, dice engine.Dice) (*engine.Game, func(act string, args engine.Args)) {
	t.Helper()
	b := newBook(t)
	g := b.NewGame()
	do := func(act string, args engine.Args) {
		t.Helper()
		evs, r := g.Decide(engine.Command{By: engine.Host, Act: act, Args: args}, dice)
		if r != nil {
			t.Fatal(r)
		}
		g = g.Apply(evs...)
	}
	for i := 1; i <= n; i++ {
		do("sit", engine.Args{"seat": engine.Seat(i).String(), "name": "Guest", "character": b.characterID[i]})
	}
	return &g, do
}

// dealtGame starts a game of n seats from the roles on.
func dealtGame(t testing.TB, n int, seed uint64) engine.Game {
	t.Helper()
	g, do := lobbyWith(t, n, chance.New(seed))
	do("first", engine.Args{"seat": "seat-1"})
	do("begin", nil)
	return *g
}

// swapped is the world in which clues c and d are exchanged; each viewer knows of the clue that is now in a place what it knew of the other
// there.
func (s *state) swapped(c, d card) *state {
	t := *s
	t.ledger.RecordCard(c, s.ledger.LocationOf(d), s.ledger.AudienceOf(d))
	t.ledger.RecordCard(d, s.ledger.LocationOf(c), s.ledger.AudienceOf(c))
	return &t
}

// unseen lists the clues whose place v does not know.
func (s *state) unseen(v engine.Viewer) (cs []card) {
	for c := card(1); c <= numCards; c++ {
		if !s.ledger.AudienceOf(c).Contains(v) {
			cs = append(cs, c)
		}
	}
	return cs
}

func bytesOf(t *testing.T, v engine.View) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestTwoWorlds: at every step of random games, swapping two clues that a
// viewer has not seen, or two unseen roles, changes no byte of that viewer's
// view.
func TestTwoWorlds(t *testing.T) {
	scripttest.SkipIfShort(t)
	for seed := range uint64(25) {
		dice := chance.New(seed)
		_, _, err := play.Run(dealtGame(t, 4+int(seed%5), seed), &play.Opts{Seed: seed, Check: func(st play.Step) error {
			s := st.After.(*state)
			v := viewer(dice.Intn(10) - 1)
			one := bytesOf(t, s.View(v))
			if cs := s.unseen(v); len(cs) > 1 {
				c, d := cs[dice.Intn(len(cs))], cs[dice.Intn(len(cs))]
				if !bytes.Equal(one, bytesOf(t, s.swapped(c, d).View(v))) {
					return fmt.Errorf("the view of %s depends on clues that it has not seen", v)
				}
			}
			x, y := dice.Intn(maxSeats)+1, dice.Intn(maxSeats)+1
			if !s.isRoleKnown(engine.Seat(x)) || !s.isRoleKnown(engine.Seat(y)) || s.roles[x].Audience().Contains(v) ||
				s.roles[y].Audience().Contains(v) {
				return nil
			}
			t2 := *s
			t2.roles[x], t2.roles[y] = s.roles[y], s.roles[x]
			if !bytes.Equal(one, bytesOf(t, t2.View(v))) {
				return fmt.Errorf("the view of %s depends on roles that it has not seen", v)
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestLogNumbers: every viewer's lines are numbered without gaps, so that no gap shows that another seat received a line. A seat may skip
// old ones.
func TestLogNumbers(t *testing.T) {
	scripttest.SkipIfShort(t)
	for seed := range uint64(10) {
		_, _, err := play.Run(dealtGame(t, 4+int(seed%5), seed), &play.Opts{Seed: seed, Check: func(st play.Step) error {
			for x := table; x <= maxSeats; x++ {
				lines := st.After.View(viewer(x)).Log
				if x > 0 {
					lines = lines[max(0, len(lines)-recentLines):]
				}
				for i := 1; i < len(lines); i++ {
					if lines[i].N != lines[i-1].N+1 {
						return fmt.Errorf("viewer %d: line %d follows line %d", x, lines[i].N, lines[i-1].N)
					}
				}
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestRefusedScansLookAlike: for any card at a waiting reader, the table hears the same words or none at all (GEN-004).
func TestRefusedScansLookAlike(t *testing.T) {
	for seed := range uint64(12) {
		_, _, err := play.Run(dealtGame(t, 4+int(seed%5), seed), &play.Opts{Seed: seed, Check: func(st play.Step) error {
			s := st.After.(*state)
			for _, reader := range s.View(engine.Public).Readers {
				if reader.Kind != "clue" || s.phase == phaseLaying {
					continue
				}
				_, bad := s.Decide(engine.ScanCommand(0, reader.Reader, nil, 0), chance.New(1))
				for c := card(1); c <= numCards; c++ {
					_, r := s.Decide(engine.ScanCommand(0, reader.Reader, []engine.ID{engine.ID(s.book.cardID[c])}, 0), chance.New(1))
					if r == nil || r.Rule == "GEN-E04" && r.Public.IsEmpty() || isAlarm(r) {
						continue
					}
					if !reflect.DeepEqual(r.Public, bad.Public) || r.To != s.active {
						return fmt.Errorf("a refusal by %s shows", r.Rule)
					}
				}
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
}
