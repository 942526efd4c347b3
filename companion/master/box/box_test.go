package box_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"majordome/companion/master"
	"majordome/companion/master/box"
	"majordome/companion/master/mastertest"
	"majordome/companion/wire"
	"majordome/engine"
)

// lobbyWithTags returns a lobby of the toy game whose eight cards all have tags.
func lobbyWithTags() *mastertest.Table {
	m := mastertest.New(func(t master.Table) []master.Part { return []master.Part{box.New(t)} })
	m.View.Phase = engine.PhaseLobby
	for n := 1; n <= 8; n++ {
		m.Tags = append(m.Tags, card(n))
	}
	return m
}

func card(n int) engine.ID { return engine.ID(fmt.Sprintf("clue-%d", n)) }

// gatedTable returns a table whose box must be full again before the next group begins.
func gatedTable(t *testing.T) *mastertest.Table {
	t.Helper()
	m := lobbyWithTags()
	if r := m.Parts[0].(master.GroupListener).PrepareNextGroup(); r != nil {
		t.Fatal(r)
	}
	m.Number++
	m.Restart()
	return m
}

// layCards presents cards at the urn, one by one; 0 is a tag of no card.
func layCards(m *mastertest.Table, cards ...int) {
	for _, n := range cards {
		tag := master.Tag{UID: fmt.Sprint(n), Card: card(n)}
		if n == 0 {
			tag.Card = ""
		}
		m.Parts[0].(master.CardTaker).TakeCards(engine.ReaderUrn, []master.Tag{tag})
	}
}

func isGateClosed(m *mastertest.Table) bool { return m.Parts[0].(master.Gatekeeper).IsGateClosed() }

// begin does the host's act of beginning, as the loop does it.
func begin(m *mastertest.Table, args engine.Args) *engine.Reject {
	rest, done, r := m.Parts[0].(master.ActFilter).FilterAct(mastertest.Host, "begin", args)
	if !done {
		r = m.PlayAct("host", "begin", rest)
	}
	return r
}

func resetFigures(m *mastertest.Table) *wire.Reset {
	f := &wire.GameFigures{}
	m.Parts[0].(master.FiguresAdder).AddToFigures(f, 0)
	return f.Reset
}

// While a check is open, cards are counted once each, and no game gets them.
func TestACheckCounts(t *testing.T) {
	m := lobbyWithTags()
	takes := m.Parts[0].(master.CardTaker).IsTakingCards
	if takes() || m.ForHost().Box != nil {
		t.Error("the gate is open before the host has opened it")
	}
	if m.DoAct(mastertest.Host, box.ActCheck, "on", "yes"); !takes() || m.Discarded != 1 {
		t.Fatal("the gate is not open")
	}
	layCards(m, 1, 1, 0, 0, 2)
	b := m.ForHost().Box
	k := b.Kinds
	if len(k) != 1 || k[0] != (wire.KindCount{Kind: "clue", Seen: 2, Of: 8}) || b.Foreign != 1 || b.Last != card(2) || len(b.Missing) != 6 {
		t.Errorf("%+v", b)
	}
	want := []string{"table.accepted", "table.accepted", "table.box.foreign", "table.box.foreign", "table.accepted"}
	if !slices.Equal(m.Notices, want) {
		t.Errorf("the reader says %q", m.Notices)
	}
	if r := begin(m, nil); r != nil {
		t.Errorf("a game without a gate: %v", r)
	}
	m.AdvanceGame(func(v *engine.View) { v.Phase = "play" })
	if takes() || m.DoAct(mastertest.Host, box.ActCheck, "on", "yes") == nil {
		t.Error("the gate is open in the midst of a game")
	}
}

// For the next group the gate opens when the box is full, and the times are recorded. A restart keeps the gate
// closed.
func TestTheGateOpensWhenTheBoxIsFull(t *testing.T) {
	m := gatedTable(t)
	if r := begin(m, nil); r == nil || r.Code != engine.Forbidden || !isGateClosed(m) {
		t.Errorf("a game begins with an empty box: %v", r)
	}
	if m.Restart(); !isGateClosed(m) || !m.ForHost().Box.Gate {
		t.Fatal("a restart opens it")
	}
	m.PassTime(8 * time.Second)
	layCards(m, 1, 2, 3, 4, 5, 6, 7)
	m.PassTime(2 * time.Second)
	if !isGateClosed(m) {
		t.Error("the gate opens with a card missing")
	}
	if layCards(m, 8); isGateClosed(m) || begin(m, nil) != nil {
		t.Error("a full box does not open it")
	}
	is := resetFigures(m)
	if is == nil || is.Took != 10_000 || len(is.Missing) != 0 || is.Cards[0] != (wire.ResetCard{Card: card(1), At: 8000, Cost: 1000}) ||
		is.Cards[7] != (wire.ResetCard{Card: card(8), At: 10_000, Cost: 3000}) {
		t.Errorf("on record: %+v", is)
	}
	if m.Restart(); isGateClosed(m) {
		t.Error("a restart shuts it")
	}
}

// The host may insist on beginning. The missing cards are recorded, and the game gets no trace of the insistence.
func TestTheHostInsists(t *testing.T) {
	m := gatedTable(t)
	layCards(m, 1, 2, 3, 4, 5, 6)
	if _, done, _ := m.Parts[0].(master.ActFilter).FilterAct(mastertest.PhoneActor(1), "begin", engine.Args{"force": "yes"}); done {
		t.Error("a seat's act is taken for the host's")
	}
	if r := begin(m, engine.Args{"force": "yes"}); r != nil || !slices.Equal(m.PlayedActs, []string{"begin"}) {
		t.Fatalf("%v, the game was asked for %q", r, m.PlayedActs)
	}
	if is := resetFigures(m); is == nil || !slices.Equal(is.Missing, []engine.ID{card(7), card(8)}) {
		t.Errorf("on record: %+v", is)
	}
	if last := m.Events[len(m.Events)-1]; last.Kind != "table.forced" || string(last.Data) != `{"missing":2}` {
		t.Errorf("on record: %s %s", last.Kind, last.Data)
	}
	if isGateClosed(m) || m.Settings["gate"] != "" {
		t.Error("the opened gate holds for the game after")
	}
}

// The gate stays closed when the game refuses to begin for another reason and when the disk is full. Without tags
// there is no gate.
func TestTheGateStaysShut(t *testing.T) {
	m := gatedTable(t)
	m.DecideAct = func(string, engine.Args) *engine.Reject { return master.Refuse(engine.NotNow, "TOY-001", "toy.seats") }
	if begin(m, engine.Args{"force": "yes"}) == nil || !isGateClosed(m) || len(m.Events) > 0 {
		t.Error("a game that does not begin opens it")
	}
	m.DiskFull = true
	if layCards(m, 1, 2, 3, 4, 5, 6, 7, 8); !isGateClosed(m) {
		t.Error("the gate opens though that is not on the disk")
	}
	m = lobbyWithTags()
	m.Tags = nil
	m.Parts[0].(master.GroupListener).PrepareNextGroup()
	if m.Restart(); isGateClosed(m) {
		t.Error("the gate waits for cards that no reader can see")
	}
}

// The host sees where each missing card was last: in a game of the last group, or at a reader since then.
func TestWhereMissingCardsWereSeen(t *testing.T) {
	m := lobbyWithTags()
	m.Positions = map[int64]map[engine.ID]string{1: {card(1): "kitchen", card(2): engine.ReaderUrn, card(3): ""}}
	m.Parts[0].(master.CardTaker).ObserveCards(m.Time, engine.ReaderShow, []master.Tag{{UID: "1", Card: card(1)}})
	m.Parts[0].(master.GroupListener).PrepareNextGroup()
	m.Number++
	m.Parts[0].(master.Loader).LoadSettings()
	want := []wire.LastSeen{{Card: card(2), At: engine.ReaderUrn, Ago: 3600_000, Game: true}, {Card: card(1), At: engine.ReaderShow}}
	if got := m.ForHost().Box.Where; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	layCards(m, 1, 2)
	if got := m.ForHost().Box.Where; len(got) > 0 {
		t.Errorf("found ones are looked for: %+v", got)
	}
}
