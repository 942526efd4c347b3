package cluedo_test

import (
	"bytes"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/play"
	"majordome/engine/play/worlds"
	"majordome/engine/script/scripttest"
)

// TestReplay stores every event, reads it back, and expects the same views for all viewers at every step. A view keeps to its limits: 64
// offers, 14 KB.
func TestReplay(t *testing.T) {
	scripttest.SkipIfShort(t)
	books := []*cluedo.Book{rulebook(t), noBoard(t), classic(t)}
	most, largest := 0, 0
	for seed := range uint64(18) {
		b := books[seed%3]
		second := worlds.NewReplay(b)
		d := newDealer(b, dealing(seed/3%uint64(numDealings)), chance.New(seed))
		_, _, err := play.Run(b.NewGame(), withOverruling(eveningOpts(b, seed, d, func(s play.Step) error {
			return second.CheckStep(s)
		})))
		if most, largest = max(most, second.Most), max(largest, second.Largest); most > 64 || largest > 15<<10 {
			t.Fatalf("a view has %d offers or %d bytes", most, largest)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("at most %d offers and %d bytes in a view", most, largest)
}

// TestEveryOffer tries every combination that any viewer is offered in some games: Decide accepts each.
func TestEveryOffer(t *testing.T) {
	scripttest.SkipIfShort(t)
	books := []*cluedo.Book{rulebook(t), noBoard(t), classic(t)}
	tried := 0
	for seed := range uint64(18) {
		b := books[seed%3]
		d := newDealer(b, dealing(seed/3%uint64(numDealings)), chance.New(seed))
		_, _, err := play.Run(b.NewGame(), withOverruling(eveningOpts(b, seed, d, func(s play.Step) error {
			n, err := play.CheckOffers(s.After, s.Command.At, worlds.AllViewers)
			tried += n
			return err
		})))
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Log("combinations tried:", tried)
}

// TestDecodeIsTotal: for any stored bytes DecodeEvent returns an error or an event that Apply accepts.
func TestDecodeIsTotal(t *testing.T) {
	b := rulebook(t)
	var rows []worlds.StoredEvent
	g := table(t, b, 4, scanned, chance.New(1))
	_, _, err := play.Run(b.NewGame(), eveningOpts(b, 1, newDealer(b, scanned, chance.New(1)), func(s play.Step) error {
		for _, e := range s.Events {
			data, err := b.EncodeEvent(e)
			if err != nil {
				return err
			}
			rows = append(rows, worlds.StoredEvent{Kind: e.Kind(), Data: data})
		}
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	dice := chance.New(2)
	good, bad := 0, 0
	for range 20_000 {
		r, other := rows[dice.Intn(len(rows))], rows[dice.Intn(len(rows))]
		data := bytes.Clone(r.Data)
		switch dice.Intn(3) {
		case 0:
			data = other.Data // another event's fields
		case 1:
			data[dice.Intn(len(data))] = byte(32 + dice.Intn(95))
		default:
			data = data[:dice.Intn(len(data))]
		}
		e, err := b.DecodeEvent(r.Kind, data)
		if err != nil {
			bad++
			continue
		}
		good++
		_ = g.Apply(e)
	}
	t.Logf("%d taken, %d refused", good, bad)
}

// TestStoredDealToAnEmptyTableIsRead: a manipulated store may make an empty table begin and name a dealer there.
func TestStoredDealToAnEmptyTableIsRead(t *testing.T) {
	for game, row := range map[engine.ID]worlds.StoredEvent{
		"cluedo-2008":  {Kind: "begun", Data: []byte("{}")},
		"super-cluedo": {Kind: "dealer", Data: []byte(`{"seat":1}`)},
	} {
		b := bookOf(t, cluedo.DefaultDeck(game))
		e, err := b.DecodeEvent(row.Kind, row.Data)
		if err != nil {
			t.Fatal(err)
		}
		if v := b.NewGame().Apply(e).View(engine.Host); v.Phase != "dealing" || len(v.Seats) != 0 {
			t.Errorf("%s: %d seats in the phase %s", game, len(v.Seats), v.Phase)
		}
	}
}

// GEN-021: a claim of a card that an old store has from before the deal is void: the hand is the one that the machine has dealt.
func TestACardNamedBeforeTheDealIsVoid(t *testing.T) {
	b := rulebook(t)
	p := &playing{t, b.NewGame()}
	for i, who := range []string{"suspect-rose", "suspect-olive", "suspect-violet"} {
		p.mustDo(engine.Host, "sit", engine.Args{"seat": engine.Seat(i + 1).String(), "name": "Guest", "character": who})
	}
	p.mustDo(engine.Host, "begin", nil)
	for _, c := range b.Names() {
		if c.Kind != "weapon" {
			continue
		}
		e, err := b.DecodeEvent("held", []byte(`{"at":0,"seat":1,"card":"`+string(c.ID)+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		p.g = p.g.Apply(e)
	}
	p.mustDo(engine.Host, "deal", nil)
	if n := len(p.g.View(engine.SeatViewer(1)).Me.Hand); n != 7 {
		t.Errorf("the hand holds %d of 7 cards", n)
	}
	if err := p.g.(interface{ CheckInvariants() error }).CheckInvariants(); err != nil {
		t.Error(err)
	}
}
