package game

import (
	"cmp"
	"slices"

	"majordome/companion/master"
	"majordome/companion/master/box"
	"majordome/companion/master/checks"
	"majordome/companion/master/corrections"
	"majordome/companion/master/countdown"
	"majordome/companion/master/ghosts"
	"majordome/companion/master/group"
	"majordome/companion/master/hints"
	"majordome/companion/master/hold"
	"majordome/companion/master/lessons"
	"majordome/companion/master/losses"
	"majordome/companion/master/oversight"
	"majordome/companion/master/room"
	"majordome/companion/master/seats"
	"majordome/companion/master/seed"
	"majordome/companion/master/watch"
	"majordome/companion/proof"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// partNeeds holds what some parts use in addition to the table.
type partNeeds struct {
	desk     func() seats.Desk
	stock    func(game engine.ID) []wire.StockHint // the prepared hints of a game
	recovery losses.Recovery
	salt     func() proof.Salt
}

// newParts returns the parts of the game master, in the order in which their offers and fields are added; own
// are parts of the loop itself. With a nil table the parts can only apply events.
func newParts(t master.Table, with partNeeds, own ...master.Part) []master.Part {
	given := hints.New(t, with.stock)
	limit := countdown.New(t)
	given.Cost = limit.HintCost
	return slices.Concat([]master.Part{
		losses.New(t, with.recovery), // the host decides about them first
		hold.New(t),
		limit,
		given,
		oversight.New(t),
		lessons.New(t),
		seed.New(t, with.salt),
		checks.New(t),
		box.New(t),
		room.New(t),
		watch.New(t),
		seats.New(t, with.desk),
		corrections.New(t),
		ghosts.New(t),
	}, own, []master.Part{
		group.New(t, with.desk),
	})
}

// partList lists the parts, by the interfaces that they implement.
type partList struct {
	all []master.Part

	// These are called at each step, and are therefore listed once.
	observers      []master.Observer
	publicShowers  []master.PublicShower
	hostShowers    []master.HostShower
	hintShowers    []master.HintShower
	offerers       []master.Offerer
	seatOfferers   []master.SeatOfferer
	timers         []master.Timer
	cardTakers     []master.CardTaker
	gatekeepers    []master.Gatekeeper
	guestListers   []master.GuestLister
	secretsShowers []master.SecretsShower
}

func newPartList(all ...master.Part) *partList {
	return &partList{
		all, partsWith[master.Observer](all), partsWith[master.PublicShower](all),
		partsWith[master.HostShower](all), partsWith[master.HintShower](all),
		partsWith[master.Offerer](all), partsWith[master.SeatOfferer](all), partsWith[master.Timer](all),
		partsWith[master.CardTaker](all), partsWith[master.Gatekeeper](all),
		partsWith[master.GuestLister](all), partsWith[master.SecretsShower](all),
	}
}

// newFoldingParts returns parts without a table, which can only apply events.
func newFoldingParts() *partList { return newPartList(newParts(nil, partNeeds{})...) }

// partsWith returns the parts that implement T.
func partsWith[T any](all []master.Part) (some []T) {
	for _, p := range all {
		if one, ok := p.(T); ok {
			some = append(some, one)
		}
	}
	return some
}

// eachPart calls do with each part that implements T.
func eachPart[T any](all *partList, do func(T)) {
	for _, one := range partsWith[T](all.all) {
		do(one)
	}
}

// nonStepKinds are the kinds of events of the loop and its parts that are not steps of a game, with their words
// for the minutes.
var nonStepKinds = func() map[string]master.EventKind {
	all := map[string]master.EventKind{}
	eachPart(newFoldingParts(), func(r master.Recorder) {
		for _, k := range r.EventKinds() {
			all[k.Name] = k
		}
	})
	return all
}()

// overseerView returns the secrets for the one device of the host that sees them; nil if none does.
func (all *partList) overseerView() *master.OverseerView {
	for _, o := range all.secretsShowers {
		if one := o.OverseerView(); one != nil {
			return one
		}
	}
	return nil
}

// filterAct passes an act of the game to the parts before the game gets it (master.ActFilter).
func (all *partList) filterAct(by master.Actor, act string, args engine.Args) (changed engine.Args, done bool, r *engine.Reject) {
	eachPart(all, func(f master.ActFilter) {
		if !done {
			args, done, r = f.FilterAct(by, act, args)
		}
	})
	return args, done, r
}

// listGuests returns the guests of all parts.
func (all *partList) listGuests() (guests []wire.Guest) {
	for _, g := range all.guestListers {
		guests = append(guests, g.Guests()...)
	}
	return guests
}

// activeCardTaker returns the part that takes the cards now in place of the game; nil if none does.
func (all *partList) activeCardTaker() master.CardTaker {
	for _, t := range all.cardTakers {
		if t.IsTakingCards() {
			return t
		}
	}
	return nil
}

// startPauseReason returns why the table must pause from its start; nil: it need not.
func (all *partList) startPauseReason() (why *engine.Msg) {
	eachPart(all, func(b master.StartBlocker) { why = cmp.Or(why, b.StartPause()) })
	return why
}

// closedGatekeeper returns the part that keeps a game from beginning now; nil if none does.
func (all *partList) closedGatekeeper() master.Gatekeeper {
	for _, g := range all.gatekeepers {
		if g.IsGateClosed() {
			return g
		}
	}
	return nil
}

// applyEvents applies events of a game to the parts.
func (all *partList) applyEvents(rows ...store.Event) {
	if len(rows) == 0 { // the usual case
		return
	}
	eachPart(all, func(r master.Recorder) {
		for _, e := range rows {
			if _, own := nonStepKinds[e.Kind]; own || e.Kind == master.KindUndo {
				r.ApplyEvent(e)
			}
		}
	})
}

// foldEvents resets the parts and applies all events of a game.
func (all *partList) foldEvents(rows []store.Event) {
	eachPart(all, func(r master.Recorder) { r.ResetEvents() })
	all.applyEvents(rows...)
}

func (all *partList) loadSettings() { eachPart(all, func(l master.Loader) { l.LoadSettings() }) }

// hintFor returns the hint that one viewer is shown; nil if there is none.
func (all *partList) hintFor(v engine.Viewer) *wire.Hint {
	for _, h := range all.hintShowers {
		if one := h.HintFor(v); one != nil {
			return one
		}
	}
	return nil
}

// listSuspicions returns the votes that all may know after the end.
func (all *partList) listSuspicions() (votes []engine.Suspicion) {
	eachPart(all, func(s master.Suspecter) { votes = append(votes, s.Suspicions()...) })
	return votes
}

// collectEvening returns the summary of a game that is over.
func (all *partList) collectEvening(played engine.Millis) wire.Evening {
	e := wire.Evening{Played: played}
	eachPart(all, func(t master.EveningAdder) { t.AddToEvening(&e) })
	return e
}
