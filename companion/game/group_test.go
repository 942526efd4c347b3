package game

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"majordome/companion/master/group"
	"majordome/companion/master/hold"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
)

// For the next group every key of the last group is invalid, its names and notes are gone, and the signature is in
// the minutes of its game.
func TestNextGroup(t *testing.T) {
	m := newMemory()
	r := rigWithBox(t)
	r.journal = m
	r.start()
	r.core().Enrolled = []engine.ID{"role-1", "clue-1"}
	r.mustAct(engine.Host, "sit")
	r.mustAct(engine.Host, "sit")
	r.mustAct(engine.Host, "begin")
	r.desk.phones = []wire.SeatPhones{{Seat: 1, Phones: []int{1, 2}}, {Seat: 2, Phones: []int{1}}}
	r.submitNotes(engine.SeatViewer(1), "CANARY")
	for _, sign := range []string{"", " ", "a\nb", string(make([]byte, 41))} {
		if r.act(engine.Host, group.ActNext, "sign", sign).OK || r.act(engine.SeatViewer(1), group.ActNext, "sign", "Zo").OK {
			t.Errorf("signed %q", sign)
		}
	}
	r.mustAct(engine.Host, hold.ActPause)
	r.mustAct(engine.Host, group.ActNext, "sign", "Zo")
	if s := r.last(); len(s.SeatUpdates()) > 0 || s.Public.Hold != nil || len(r.desk.phones) > 0 || !r.core().isInLobby() ||
		m.notes[1][1] != "" || s.Host.Box == nil || !s.Host.Box.Gate {
		t.Errorf("seats %d, hold %+v, phones %v, notes %q, box %+v", len(s.SeatUpdates()), s.Public.Hold, r.desk.phones,
			m.notes[1][1], s.Host.Box)
	}
	all, err := BuildMinutes(r.books[0], m.events[1])
	if err != nil || len(all) == 0 || all[len(all)-1].Said.Key != "minutes.signed" || all[len(all)-1].Said.Args.Get("sign") != "Zo" {
		t.Errorf("minutes %+v, %v", all, err)
	}
	r.mustAct(engine.Host, "sit")
	if o, ok := hostOffer(r.last(), "begin"); ok && (!o.Grave || o.Fixed["force"] != yes) {
		t.Errorf("the beginning is offered as %+v", o)
	}
	if out := r.act(engine.Host, "begin"); out.OK || out.Reject.Why.Key != "table.gate.missing" {
		t.Errorf("the game begins without a full box: %+v", out.Reject)
	}
	r.core().pressControl(wire.ControlStart)
	r.start()
	r.core().Enrolled = []engine.ID{"role-1", "clue-1"}
	r.core().parts.loadSettings()
	if !r.core().isInLobby() || !r.needsFullBox() {
		t.Error("a button or a restart opens the gate")
	}
	r.mustAct(engine.Host, "begin", "force", yes)
	rows := m.events[int64(len(m.games))]
	if e := rows[len(rows)-1]; e.Kind != "table.forced" || string(e.Data) != `{"missing":5}` || r.needsFullBox() {
		t.Errorf("on record: %s %s", e.Kind, e.Data)
	}
}

// After each reset each missing card that was seen is listed with its place and time, in the order of the table. A
// full box opens the gate, and a box that is not full does not.
func TestResetListsTheMissingCards(t *testing.T) {
	m := newMemory()
	r := rigWithBox(t)
	r.journal = m
	r.start()
	cards := []string{"role-1", "role-2", "weapon-1", "clue-1", "clue-2"}
	r.core().Enrolled = []engine.ID{"role-1"}
	dice := chance.New(16)
	readers := []string{engine.ReaderUrn, engine.ReaderShow}
	named := 0
	for n := range eveningCount(60, 1000) {
		r.mustAct(engine.Host, "sit")
		begin := []string{}
		if r.needsFullBox() {
			begin = []string{"force", yes}
		}
		r.mustAct(engine.Host, "begin", begin...)
		r.dropInUrn("card-x")
		r.mustAct(engine.Host, "open")
		where := map[engine.ID]string{}
		at := map[engine.ID]time.Time{}
		for range 1 + dice.Intn(8) { // the table is cleared, and cards pass the readers
			card, reader := cards[dice.Intn(len(cards))], readers[dice.Intn(2)]
			r.core().handleReading(r.clock.at, reader, Reading{Tags: tags(card)})
			r.core().removeLeftTag(reader, "uid-"+card)
			where[engine.ID(card)], at[engine.ID(card)] = reader, r.clock.at
			r.passTime(time.Duration(1+dice.Intn(90)) * time.Second)
		}
		r.mustAct(engine.Host, group.ActNext, "sign", fmt.Sprint("n", n))
		missing := map[engine.ID]bool{}
		for _, card := range cards {
			if dice.Intn(2) == 0 {
				missing[engine.ID(card)] = true
			} else {
				presentCards(r, engine.ReaderShow, card)
			}
		}
		box := r.last().Host.Box
		if box == nil {
			t.Fatalf("reset %d: no box check", n)
		}
		if got := len(missing); got != len(box.Missing) || r.needsFullBox() != (got > 0) {
			t.Fatalf("reset %d: %d cards are missing, %v named, gate %v", n, got, box.Missing, r.needsFullBox())
		}
		told := map[engine.ID]bool{}
		last := -1
		for _, w := range box.Where {
			told[w.Card] = true
			if w.At != where[w.Card] || !missing[w.Card] || w.Ago != engine.Millis(r.clock.at.Sub(at[w.Card]).Milliseconds()) {
				t.Fatalf("reset %d: %+v, it was at %s, %v ago", n, w, where[w.Card], r.clock.at.Sub(at[w.Card]))
			}
			if i := slices.Index(readers, w.At); i < last {
				t.Fatalf("reset %d: a way back to %s: %+v", n, w.At, box.Where)
			} else {
				last = i
			}
			named++
		}
		for card := range missing {
			if where[card] != "" && !told[card] {
				t.Fatalf("reset %d: nobody says where %s was", n, card)
			}
		}
	}
	if named == 0 {
		t.Error("nothing was missing")
	}
	t.Logf("%d missing cards were named with their place", named)
}
