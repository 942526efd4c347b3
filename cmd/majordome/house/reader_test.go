package house

import (
	"bytes"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/cmd/majordome/lamps"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// TestCardToUpdate: a tag in the field becomes a card in the game.
func TestCardToUpdate(t *testing.T) {
	r := startRoles(t, nil)
	from := r.mark()
	r.placeTags(engine.ReaderShow, tagOf(t, "role-murderer"))
	u := r.waitSignal(from, engine.ReaderShow, "accepted")
	if !u.View.Seats[0].Done || u.View.Active[0] != 2 {
		t.Errorf("Anne has drawn: %+v, active %v", u.View.Seats[0], u.View.Active)
	}
	if me, _ := r.house.Loop.Snapshot(engine.SeatViewer(1)); me.View.Me.Role != "role-murderer" {
		t.Errorf("Anne is %q", me.View.Me.Role)
	}
}

// TestTagsOfOneSnapshotAreOnePresentation: all tags that come in one snapshot are one presentation (GEN-E06), and each of them is accepted
// afterwards when presented on its own.
func TestTagsOfOneSnapshotAreOnePresentation(t *testing.T) {
	r := startRoles(t, nil)
	show := r.sims[engine.ReaderShow]
	r.eyes[engine.ReaderShow].waitReady(t, engine.ReaderShow)
	show.Unplug(0) // both are there at the reader's first look
	r.waitUpdate(0, "the reader is lost", hasReaderState(engine.ReaderShow, "lost"))
	from := r.mark()
	r.placeTags(engine.ReaderShow, tagOf(t, "role-innocent-1"), tagOf(t, "role-innocent-2"))
	show.Plug()
	r.waitSignal(from, engine.ReaderShow, "again")
	if s := r.signals(from, engine.ReaderShow); !slices.Equal(s, []string{"again"}) {
		t.Errorf("two cards gave %v", s)
	}
	u, _ := r.house.Loop.Snapshot(engine.SeatViewer(1))
	if u.View.Seats[0].Done {
		t.Error("one of two cards was taken")
	}
	show.RemoveTag(tagOf(t, "role-innocent-1"))
	show.RemoveTag(tagOf(t, "role-innocent-2"))
	third := tagOf(t, "role-innocent-3")
	r.presentAccepted(engine.ReaderShow, func() { r.placeTags(engine.ReaderShow, third) })
}

// TestSecondCardNextToAnAcceptedOneIsTwoAtOnce: a second card next to an accepted one counts as two at once, and not as the card of the
// next seat (GEN-E06).
func TestSecondCardNextToAnAcceptedOneIsTwoAtOnce(t *testing.T) {
	r := startRoles(t, nil)
	from := r.mark()
	r.placeTags(engine.ReaderShow, tagOf(t, "role-innocent-1"))
	r.waitSignal(from, engine.ReaderShow, "accepted")
	from = r.mark()
	r.placeTags(engine.ReaderShow, tagOf(t, "role-innocent-2"))
	u := r.waitSignal(from, engine.ReaderShow, "again")
	if u.View.Seats[1].Done {
		t.Error("Bruno has drawn what Anne laid there")
	}
}

// TestSlowPolls: two cards that follow each other count one after the other, even at a reader polled so rarely that it
// has missed the first only once when the second is put down.
func TestSlowPolls(t *testing.T) {
	r := startRoles(t, func(o *Opts) {
		for i := range o.Readers {
			o.Readers[i].Period = 200 * time.Millisecond
		}
	})
	for i, card := range []engine.ID{"role-innocent-1", "role-innocent-2", "role-innocent-3"} {
		from := r.mark()
		r.placeTags(engine.ReaderShow, tagOf(t, card))
		u := r.waitUpdate(from, "an answer to "+string(card), func(u wire.Update) bool { return u.Notice != nil })
		if u.Notice.Signal != "accepted" || !u.View.Seats[i].Done {
			t.Fatalf("%s: %+v", card, u.Notice)
		}
		r.sims[engine.ReaderShow].RemoveTag(tagOf(t, card))
		r.eyes[engine.ReaderShow].waitMissed(t, engine.ReaderShow)
	}
}

func hasReaderState(role, state string) func(wire.Update) bool {
	return func(u wire.Update) bool { return u.Table.Readers[role] == state }
}

// TestReaderLost: the display shows it, the game does not go on, and the reader works again as soon as it is back.
func TestReaderLost(t *testing.T) {
	r := startRoles(t, nil)
	r.eyes[engine.ReaderShow].waitReady(t, engine.ReaderShow)
	from := r.mark()
	r.sims[engine.ReaderShow].Unplug(0xFF)
	u := r.waitUpdate(from, "the reader is lost", hasReaderState(engine.ReaderShow, "lost"))
	if u.Table.Readers[engine.ReaderUrn] != "ok" || u.View.Phase != "roles" || lamps.CueOf(u).Show != (lamps.CueOf(wire.Update{}).Show) {
		t.Errorf("%+v, phase %s, glow %+v", u.Table.Readers, u.View.Phase, lamps.CueOf(u).Show)
	}
	from = r.mark()
	r.placeTags(engine.ReaderShow, tagOf(t, "role-innocent-1"))
	r.sims[engine.ReaderShow].Plug()
	r.waitUpdate(from, "the reader is back", hasReaderState(engine.ReaderShow, "ok"))
	r.waitSignal(from, engine.ReaderShow, "accepted")
}

// TestStopWithoutReader: a daemon whose reader is gone still ends without an error.
func TestStopWithoutReader(t *testing.T) {
	r := startRig(t, nil)
	r.sims[engine.ReaderShow].Unplug(0)
	r.sims[engine.ReaderUrn].FailBus(errBroken)
	r.waitUpdate(0, "both are lost", func(u wire.Update) bool {
		return u.Table.Readers[engine.ReaderShow] == "lost" && u.Table.Readers[engine.ReaderUrn] == "lost"
	})
}

// TestUnfitTagsOfTheStore: a tag whose number cannot identify one card for certain is no card, even if an older program
// or a backup recorded it. The log says so in both languages.
func TestUnfitTagsOfTheStore(t *testing.T) {
	var log bytes.Buffer
	unfit := []string{"08A1B2C3", "DEADBEEF", "00000000", "no tag"}
	r := openRig(t, func(o *Opts) {
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
		s, err := store.Open(o.Config.Data+"/majordome.db", nil)
		for _, u := range unfit {
			err = errors.Join(err, s.SetTag("huis-clos", store.Tag{UID: u, Card: "weapon-5"}))
		}
		if err = errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
	})
	t.Cleanup(func() { _ = r.house.Close() })
	if known := r.house.cards.EnrolledCards(); len(known) != len(deckTags(t)) {
		t.Errorf("%d tags are known, want %d", len(known), len(deckTags(t)))
	}
	for _, want := range []string{
		"08A1B2C3 will not do", "08A1B2C3 ne convient pas", "DEADBEEF ne convient pas", "00000000 will not do", "n’a pas de sens",
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, &log)
		}
	}
}

// TestStrangeTags: only the seat that is to act reads that a tag is unknown or of another game; to the table both look
// like a bad reading.
func TestStrangeTags(t *testing.T) {
	r := startRoles(t, func(o *Opts) {
		s, err := store.Open(o.Config.Data+"/majordome.db", nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.SetTag("cluedo", store.Tag{UID: uid(t, 201).String(), Card: "suspect-plum"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
	for _, n := range []byte{200, 201} {
		from := r.mark()
		r.placeTags(engine.ReaderShow, uid(t, n))
		u := r.waitSignal(from, engine.ReaderShow, "again")
		if u.Notice.Rule != "GEN-004" || u.Notice.Msg.Key != "gen.again" {
			t.Errorf("tag %d: the table is shown %+v", n, u.Notice)
		}
		if own := r.updateFor(u, 1); own.Notice == nil || own.Notice.Rule != "GEN-E01" || !own.Notice.Private {
			t.Errorf("tag %d: Anne is shown %+v", n, own.Notice)
		}
		r.sims[engine.ReaderShow].RemoveTag(uid(t, n))
	}
	from := r.mark()
	r.placeTags(engine.ReaderShow, tagOf(t, "clue-worms-1")) // a card of this game, but not now
	r.waitSignal(from, engine.ReaderShow, "again")
}

// TestNoise: something unreadable makes the table ask for the card again and changes nothing; a readable card after it
// counts.
func TestNoise(t *testing.T) {
	r := startRoles(t, nil)
	from := r.mark()
	take := r.placeUnreadable(engine.ReaderShow)
	r.waitSignal(from, engine.ReaderShow, "again")
	take()
	r.placeTags(engine.ReaderShow, tagOf(t, "role-innocent-1"))
	u := r.waitSignal(from, engine.ReaderShow, "accepted")
	if s := r.signals(from, engine.ReaderShow); !slices.Equal(s, []string{"again", "accepted"}) || !u.View.Seats[0].Done {
		t.Errorf("noise and then a card gave %v", s)
	}
}

// TestCardsAreIgnoredWhereNoneIsExpected: cards and noise at a reader where no card is expected are ignored (GEN-E11).
func TestCardsAreIgnoredWhereNoneIsExpected(t *testing.T) {
	r := startRig(t, nil)
	from := r.mark()
	r.placeTags(engine.ReaderShow, tagOf(t, "clue-worms-1"))
	r.placeTags(engine.ReaderUrn, tagOf(t, "clue-worms-2"))
	r.waitUpdate(from, "both have been judged", func(wire.Update) bool { return r.mark() >= from+2 })
	if a, b := r.signals(from, engine.ReaderShow), r.signals(from, engine.ReaderUrn); len(a)+len(b) > 0 {
		t.Errorf("signals %v and %v", a, b)
	}
}
