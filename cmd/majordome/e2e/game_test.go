package e2e_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// plan is the strategy of the four players of a whole evening. The test knows all cards, as no one at a table does;
// it uses the phones and the bench as people use them.
type plan interface {
	destination(r *room, seat int) string             // the id of the place to which a seat goes
	wantsCard(r *room, seat int, card engine.ID) bool // whether it wants a card
	givesCard(r *room, seat int, card engine.ID) bool // whether it gives a card to the urn
	accuses(r *room, seat int) (accused int, ok bool) // whether it accuses now
}

// whole returns the languages in which a whole evening is played: one in the plain run, both in the long one.
func whole(first words.Lang) []words.Lang {
	if os.Getenv("MAJORDOME_SOAK") != "1" {
		return []words.Lang{first}
	}
	return words.Langs
}

// TestAccusation plays the round in which accusations are open, up to a right one. The four rounds before it are
// played without a page, and then all seats change their phones.
func TestAccusation(t *testing.T) {
	t.Parallel()
	for _, lang := range whole(words.FR) {
		t.Run(string(lang), func(t *testing.T) {
			d, b := startDemo(t), startUnpainted(t)
			r := sit(t, d, lang, "round", namesOf(t, "huis-clos"), four)
			var phones []*phone
			for s := engine.Seat(1); s <= four; s++ {
				phones = append(phones, join(t, d.links[s.String()], engine.SeatViewer(s)))
			}
			r.host = b.open("host", d.links["host"], laptopSize)
			if lang == words.EN {
				r.host.tap("button", "EN")
			}
			r.host.tap("button", r.phrase("ui.act.begin"))
			r.playAhead(&hunt{}, phones, four+1)
			for s := range phones {
				r.changePhone(s)
			}
			r.openPages(b, four)
			r.playOn(&hunt{})
			r.checkEnd("HC-150", "hc.over.unmasked")
			r.checkStory()
		})
	}
}

// TestConfrontation plays from the lobby to two murders and the Confrontation to its end: wrong cards in the first
// round, then round after round.
func TestConfrontation(t *testing.T) {
	t.Parallel()
	for _, lang := range whole(words.EN) {
		t.Run(string(lang), func(t *testing.T) {
			r := enter(t, startDemo(t), startUnpainted(t), lang)
			r.play(&kill{})
			r.playOn(&kill{})
			r.checkEnd("HC-209", "hc.over.duel")
		})
	}
}

// asked lists the prompts of a whole evening.
var asked = []string{"pick", "move", "act", "take", "finish", "settle", "purge", "deposit", "reveal", "recovery", "lay"}

// waitForAnyPrompt waits until a phone shows a question that the public view shows, too, and returns its seat and the
// question; what is "" when the game is over.
func (r *room) waitForAnyPrompt() (seat int, what string) {
	r.t.Helper()
	r.screen.pollUntil("a phone that is asked for something, or the end", func() bool {
		for i, p := range r.phones {
			public := r.publicView().Prompt
			for _, key := range asked {
				if public.Key == "hc.prompt."+key && public.Args.Get("seat") == engine.Seat(i+1).String() && r.isAsked(p, key) {
					seat, what = i, key
					return true
				}
			}
		}
		return r.publicView().Result != nil
	})
	return seat, what
}

// promptStart returns the beginning of the question to a seat, up to the first name in it.
func (r *room) promptStart(what string) string {
	return r.begins("hc.prompt."+what+".you", "place", "n")
}

// publicView returns the latest public view.
func (r *room) publicView() engine.View { return r.public.latest().View }

// playOn plays until the game is over.
func (r *room) playOn(p plan) {
	r.t.Helper()
	for last := r.publicView().Clock.At; r.publicView().Result == nil; {
		seat, what := r.waitForAnyPrompt()
		if what == "" {
			return
		}
		if at := r.publicView().Clock.At; at != last {
			last = at
			r.pictures(fmt.Sprintf("round-%d", at), r.phones[seat])
		}
		r.playAct(p, seat, what)
	}
}

// playAct performs one act of a seat, and waits for its effect.
func (r *room) playAct(p plan, seat int, what string) {
	r.t.Helper()
	phone := r.phones[seat]
	rev := r.public.latest().Rev
	r.performAct(p, seat, what)
	r.screen.pollUntil("what comes of "+what, func() bool { return r.public.latest().Rev > rev })
	phone.pollUntil("another question than "+what, func() bool {
		return r.publicView().Result != nil || !r.isAsked(phone, what) || r.public.latest().Rev > rev+1
	})
}

// performAct performs an act with phones and cards.
func (r *room) performAct(p plan, seat int, what string) {
	r.t.Helper()
	phone := r.phones[seat]
	likes := func(name string) bool { return p.wantsCard(r, seat, r.idOf(name)) }
	switch what {
	case "move":
		place := r.name(p.destination(r, seat))
		phone.tap("button", r.phrase("ui.act.move"))
		phone.tap("button", place+" *")
	case "act":
		if accused, ok := p.accuses(r, seat); ok {
			r.accuse(seat, accused)
			break
		}
		phone.tap("button", r.phrase("ui.act.search"))
	case "pick":
		r.bring(r.name(r.placeOf(seat)), "ui.bench.spot.show", likes)
	case "take":
		r.taken = ""
		if r.publicView().Clock.At%2 == 0 {
			card := r.choose(phone, "take", likes)
			r.taken = r.idOf(card)
			r.carry(card, seat)
			return
		}
		r.taken = r.idOf(r.bring(r.name(r.placeOf(seat)), "ui.bench.spot.show", likes))
	case "finish":
		phone.tap("button", r.phrase("ui.act.done"))
	case "settle": // a fourth card: one goes back, through the reader
		r.bring(r.handOf(seat), "ui.bench.spot.show", func(name string) bool {
			return p.givesCard(r, seat, r.idOf(name)) && !r.isFresh(r.idOf(name))
		})
	case "purge":
		r.choose(phone, "destroy", isClue)
	case "deposit":
		r.bring(r.handOf(seat), "ui.bench.spot.slot", func(name string) bool { return p.givesCard(r, seat, r.idOf(name)) })
	case "reveal":
		phone.tap("button", r.phrase("ui.act.open"))
		phone.tap("button", r.phrase("ui.act.open"))
	case "recovery":
		r.recover(p, seat)
	case "lay":
		r.layRest(phone)
	}
}

// isAsked reports whether a phone shows this question, or a narrower one.
func (r *room) isAsked(p *tab, what string) bool {
	prompts := []string{r.promptStart(what)}
	for _, less := range narrower[what] {
		prompts = append(prompts, r.promptStart(less))
	}
	return p.hasText(prompts...)
}

// narrower lists, for a question, those that replace it when less can be done.
var narrower = map[string][]string{
	"act":    {"act.search", "act.exchange", "act.pass"},
	"take":   {"take.watched"},
	"finish": {"finish.leave"},
	"settle": {"settle.leave"},
	"purge":  {"purge.free", "purge.none"},
}

// recover takes back the first open card that the plan wants.
func (r *room) recover(p plan, seat int) {
	r.t.Helper()
	phone := r.phones[seat]
	shown := r.publicView().Shown
	at := slices.IndexFunc(shown, func(c engine.ID) bool { return p.wantsCard(r, seat, c) })
	if at < 0 {
		at = 0
	}
	phone.tap("button", r.phrase("ui.act.recover"))
	phone.waitForElement("dialog", r.phrase("ui.act.recover"))
	phone.tap("button", r.name(string(shown[at]))+"*")
	phone.waitForNoElement("dialog", r.phrase("ui.act.recover"))
}

// layRest puts the first of the remaining cards on the first crime place.
func (r *room) layRest(phone *tab) {
	phone.tap("button", r.phrase("ui.act.lay"))
	phone.tap("button", r.name(string(r.publicView().Shown[0]))+"*")
}

// accuse names the accused, and chooses the clue that was kept for it.
func (r *room) accuse(seat, accused int) {
	r.t.Helper()
	phone := r.phones[seat]
	who := string(r.publicView().Seats[accused].Character)
	key := strings.TrimPrefix(who, "character-")
	r.pictures("before-the-accusation", phone)
	phone.tap("button", r.phrase("ui.act.accuse"))
	phone.waitForElement("dialog", r.phrase("ui.act.accuse"))
	r.mark(phone, "choose-accuse", func(name string) bool { return strings.Contains(string(r.idOf(name)), "-"+key+"-") })
	phone.tap("button", r.phrase("ui.choose.next"))
	phone.waitForText(r.phrase("ui.choose.sure"))
	phone.takeShot("game-" + string(r.lang) + "-sure-to-accuse")
	phone.tap("button", r.phrase("ui.act.accuse"))
}

// checkEnd checks the result on every page.
func (r *room) checkEnd(rule, key string) {
	r.t.Helper()
	r.public.waitFor("the end", func(u wire.Update) bool { return u.View.Result != nil })
	result := r.publicView().Result
	if result.Rule != rule || len(result.Winners) != 1 {
		r.t.Fatalf("ended by %s, won by %v; want %s and one winner", result.Rule, result.Winners, rule)
	}
	said := r.phrase(key, "seat", players[result.Winners[0]-1])
	for _, p := range append([]*tab{r.screen}, r.phones...) {
		p.waitForText(said)
	}
	r.pictures("the-end", r.phones[result.Winners[0]-1])
	if log := r.d.log.String(); strings.Contains(log, "ERROR") {
		r.t.Errorf("the daemon complains:\n%s", log)
	}
	r.t.Logf("%s: %s", time.Since(r.since).Round(time.Second), said)
}

// placeOf returns the place in which a seat's pawn is recorded.
func (r *room) placeOf(seat int) string { return string(r.publicView().Seats[seat].Place) }

func (r *room) handOf(seat int) string { return r.phrase("ui.bench.spot.hand", "name", players[seat]) }

// name returns the name of a thing of the deck in this language.
func (r *room) name(id string) string {
	for _, n := range r.names {
		if string(n.ID) == id {
			if r.lang == words.EN {
				return n.Text.EN
			}
			return n.Text.FR
		}
	}
	r.t.Fatalf("nothing is called %s", id)
	return ""
}

// idOf returns the card of a name.
func (r *room) idOf(name string) engine.ID {
	if called := r.cards[name]; len(called) == 3 {
		return engine.ID(called[2])
	}
	return ""
}

// spotOf returns the spot where a card really is: "hand:seat-1", "place-salon", ...
func (r *room) spotOf(card engine.ID) string {
	s := r.table.waitFor("the table", func(wire.Bench) bool { return true })
	for _, c := range s.Cards {
		if c.Card == card {
			return c.Spot
		}
	}
	return ""
}

// murderer returns the index of the seat that drew the Murderer card.
func (r *room) murderer() int {
	seat, err := engine.ParseSeat(strings.TrimPrefix(r.spotOf("role-murderer"), "hand:"))
	if err != nil {
		r.t.Fatalf("nobody drew the Murderer: %v", err)
	}
	return int(seat) - 1
}

// isFresh reports whether the seat took the card just now, so that it cannot leave it.
func (r *room) isFresh(card engine.ID) bool { return r.taken == card }

// tour returns the next place for a seat without pawns and with a character's clue, and never the one where the rope
// kills.
func tour(r *room, seat int) string {
	places := r.publicView().Places
	clues := map[string]bool{}
	for _, c := range r.table.waitFor("the table", func(wire.Bench) bool { return true }).Cards {
		clues[c.Spot] = clues[c.Spot] || c.Kind == "clue"
	}
	for i := range places {
		p := places[(seat+r.publicView().Clock.At+i)%len(places)]
		if p.Open && clues[string(p.Place)] && len(p.Pawns) == 0 && p.Place != blue {
			return string(p.Place)
		}
	}
	r.t.Fatalf("there is nowhere to go for %s", players[seat])
	return ""
}

// hunt is the plan of TestAccusation: an Innocent finds a clue of the Murderer's character, keeps it, and accuses as
// soon as the rules allow.
type hunt struct{}

// clue returns a clue of the Murderer's character that another seat has, and that seat, the hunter.
func (hunt) clue(r *room) (card engine.ID, hunter int) {
	m := r.murderer()
	key := strings.TrimPrefix(string(r.publicView().Seats[m].Character), "character-")
	for n := 1; n <= 4; n++ {
		card = engine.ID(fmt.Sprintf("clue-%s-%d", key, n))
		seat, err := engine.ParseSeat(strings.TrimPrefix(r.spotOf(card), "hand:"))
		if err == nil && int(seat)-1 != m {
			return card, int(seat) - 1
		}
	}
	return "", 0
}

func (h hunt) destination(r *room, seat int) string {
	found, hunter := h.clue(r)
	m := r.murderer()
	switch {
	case found != "" && seat == hunter && r.publicView().Clock.Open && r.placeOf(m) != r.placeOf(seat):
		return r.placeOf(m)
	case found == "" && seat != m: // go to a place with such a clue
		key := strings.TrimPrefix(string(r.publicView().Seats[m].Character), "character-")
		for n := 1; n <= 4; n++ {
			at := r.spotOf(engine.ID(fmt.Sprintf("clue-%s-%d", key, n)))
			if strings.HasPrefix(at, "place-") && at != r.placeOf(seat) {
				return at
			}
		}
	}
	return tour(r, seat)
}

func (h hunt) wantsCard(r *room, seat int, card engine.ID) bool {
	m := r.murderer()
	key := strings.TrimPrefix(string(r.publicView().Seats[m].Character), "character-")
	if found, _ := h.clue(r); found == "" && seat != m {
		for n := 1; n <= 4; n++ {
			if c := engine.ID(fmt.Sprintf("clue-%s-%d", key, n)); r.spotOf(c) == r.placeOf(seat) {
				return card == c
			}
		}
	}
	return strings.HasPrefix(string(card), "clue-")
}

func (h hunt) givesCard(r *room, seat int, card engine.ID) bool {
	found, _ := h.clue(r)
	return card != found && strings.HasPrefix(string(card), "clue-")
}

func (h hunt) accuses(r *room, seat int) (int, bool) {
	found, hunter := h.clue(r)
	m := r.murderer()
	return m, found != "" && seat == hunter && r.publicView().Clock.Open && r.placeOf(seat) == r.placeOf(m)
}

// kill is the plan of TestConfrontation: the Murderer keeps the rope, two guests meet where it kills in round 2, and
// the last one goes there in round 3.
type kill struct{}

const rope, blue = "weapon-corde", "place-suite-bleue"

// last returns the guest who is left for the Confrontation.
func (kill) last(r *room) int {
	if m := r.murderer(); m == 3 {
		return 2
	}
	return 3
}

func (k kill) destination(r *room, seat int) string {
	m, last, round := r.murderer(), k.last(r), r.publicView().Clock.At
	if seat != m && (round == 2 && seat != last || round > 2) && r.placeOf(seat) != blue {
		return blue
	}
	return tour(r, seat)
}

func (k kill) wantsCard(r *room, seat int, card engine.ID) bool {
	if seat == r.murderer() && r.spotOf(rope) != "hand:"+engine.Seat(seat+1).String() &&
		(r.spotOf(rope) == r.placeOf(seat) || slices.Contains(r.publicView().Shown, rope)) {
		return card == rope
	}
	return strings.HasPrefix(string(card), "clue-")
}

func (k kill) givesCard(r *room, seat int, card engine.ID) bool {
	if seat == r.murderer() && r.publicView().Phase == "deposit" && r.publicView().Clock.At >= 2 {
		return card == rope
	}
	return strings.HasPrefix(string(card), "clue-")
}

func (kill) accuses(*room, int) (int, bool) { return 0, false }
