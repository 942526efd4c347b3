package cluedo_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/play"
	"majordome/engine/play/worlds"
)

// TestReplay stores every event, reads it back, and expects the same views for
// everybody at every step. A view keeps to its limits: 64 offers, 14 KB.
func TestReplay(t *testing.T) {
	books := []*cluedo.Book{rulebook(t), noBoard(t)}
	most, largest := 0, 0
	for seed := range uint64(12) {
		b := books[seed%2]
		second := b.New()
		again := func(evs []engine.Event) error {
			for _, e := range evs {
				data, err := b.EncodeEvent(e)
				if err != nil {
					return err
				}
				back, err := b.DecodeEvent(e.Kind(), data)
				if err != nil {
					return fmt.Errorf("%s: %w", e.Kind(), err)
				}
				if twice, err := b.EncodeEvent(back); err != nil || !bytes.Equal(twice, data) {
					return fmt.Errorf("event %s changes in the store", e.Kind())
				}
				second = second.Evolve(back)
			}
			return nil
		}
		g := table(t, b, 3+int(seed/2%4), dealing(seed/3%uint64(numDealings)), chance.New(seed), func(evs []engine.Event) {
			if err := again(evs); err != nil {
				t.Fatal(err)
			}
		})
		_, _, err := play.Run(g, &play.Opts{Seed: seed, Weigh: brisk, Check: func(s play.Step) error {
			if err := again(s.Events); err != nil {
				return err
			}
			for _, v := range worlds.Everybody {
				view := s.After.View(v)
				one, _ := json.Marshal(view)
				two, _ := json.Marshal(second.View(v))
				if !bytes.Equal(one, two) {
					return fmt.Errorf("the replayed view of %s differs", v)
				}
				most, largest = max(most, len(view.Offers)), max(largest, len(one))
				if len(view.Offers) > 64 || len(one) > 14<<10 {
					return fmt.Errorf("the view of %s has %d offers in %d bytes", v, len(view.Offers), len(one))
				}
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("at most %d offers and %d bytes in a view", most, largest)
}

// TestEveryOffer tries every combination that is offered to anybody in some games:
// Decide accepts each.
func TestEveryOffer(t *testing.T) {
	books := []*cluedo.Book{rulebook(t), noBoard(t)}
	tried := 0
	for seed := range uint64(12) {
		g := table(t, books[seed%2], 3+int(seed/2%4), dealing(seed/3%uint64(numDealings)), chance.New(seed), nil)
		_, _, err := play.Run(g, &play.Opts{Seed: seed, Weigh: brisk, Check: func(s play.Step) (bad error) {
			for _, v := range worlds.Everybody {
				for _, o := range play.Offers(s.After, v) {
					play.Each(o, func(args engine.Args) {
						tried++
						if _, r := s.After.Decide(engine.Command{At: s.Command.At, By: v, Act: o.Act, Args: args}, chance.New(1)); r != nil {
							bad = fmt.Errorf("%s is offered %s and refused: %v", v, o.Act, r)
						}
					})
				}
			}
			return bad
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Log("combinations tried:", tried)
}

// TestDecodeIsTotal: whatever stands in the store, DecodeEvent gives an error or an
// event that Evolve takes.
func TestDecodeIsTotal(t *testing.T) {
	b := rulebook(t)
	var rows []worlds.Row
	g := table(t, b, 4, scanned, chance.New(1), nil)
	_, _, err := play.Run(g, &play.Opts{Seed: 1, Weigh: brisk, Check: func(s play.Step) error {
		for _, e := range s.Events {
			data, err := b.EncodeEvent(e)
			if err != nil {
				return err
			}
			rows = append(rows, worlds.Row{Kind: e.Kind(), Data: data})
		}
		return nil
	}})
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
		_ = g.Evolve(e)
	}
	t.Logf("%d taken, %d refused", good, bad)
}
