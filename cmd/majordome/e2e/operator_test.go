package e2e_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/companion/wire"
	"majordome/devices/randtest"
	"majordome/engine"
	"majordome/engine/words"
)

// mostTaps is the limit of an operator's taps for one group, outside of the play of the game itself.
const mostTaps = 40

// TestOperatorsEvening plays the evening of the operator of a room, on the host's page of a phone: for each group a
// sheet and the beginning, a hint, a pause, an overruling, the end, the sign-off, the box with missing cards, and at
// last the figures of all groups.
func TestOperatorsEvening(t *testing.T) {
	t.Parallel()
	groups := 2 * len(whole(words.FR)) // the long run: more of them
	if groups > 2 {
		groups = 6
	}
	d, b, l := startDemo(t), startUnpainted(t), speak(t, words.FR)
	o := &operator{t: t, l: l, host: b.open("host", d.links["host"], phoneSize), room: d.bench(),
		e: &evening{t: t, table: watch(t, d.origin()), dice: rand.New(rand.NewPCG(randtest.NewSeed(t), 1))}}
	o.e.host = o.e.table
	for s := engine.Seat(1); s <= four; s++ {
		o.e.seats = append(o.e.seats, join(t, d.links[s.String()], engine.SeatViewer(s)))
	}
	for n := 1; n <= groups; n++ {
		o.taps = 0
		if n == 1 {
			o.tap(o.phrase("host.master")) // it stays open on this device
			o.keepRoom()
			o.tap(o.phrase("host.act.secrets.yes"))
		}
		o.sheet(fmt.Sprint("Groupe ", n))
		if n > 1 {
			o.guests()
		}
		o.begin()
		o.playDuring(n)
		o.endByKills(fmt.Sprint("Groupe ", n))
		o.reset(n)
		t.Logf("group %d: %d taps outside of play", n, o.taps)
		if o.taps >= mostTaps {
			t.Errorf("group %d: %d taps, want fewer than %d", n, o.taps, mostTaps)
		}
	}
	o.figures(groups)
}

// operator is the person who runs the room, with the evening.
type operator struct {
	t    *testing.T
	l    language
	host *tab
	room *bench
	e    *evening
	taps int // of the present group, outside of play
}

func (o *operator) phrase(key string, pairs ...string) string { return o.l.phrase(key, pairs...) }

func (o *operator) tap(name string) {
	o.t.Helper()
	o.host.tap("button", name)
	o.taps++
}

// write types a text into a field.
func (o *operator) write(label, what string) {
	o.t.Helper()
	o.host.tap("textbox", label)
	o.taps++
	o.host.runActions("types", chromedp.KeyEvent(what))
}

// keepRoom allows hints for every group of this room.
func (o *operator) keepRoom() {
	o.tap(o.phrase("host.room"))
	o.tap(o.phrase("host.room.keep"))
	o.host.waitForText(o.phrase("table.room.kept"))
}

func (o *operator) sheet(name string) {
	o.tap(o.phrase("host.team.open"))
	o.write(o.phrase("host.team.name"), name)
	o.tap(o.phrase("host.team.save"))
	o.e.table.waitFor("the name of the group", func(u wire.Update) bool { return u.Table.Team == name })
	o.host.takeShot("operator-sheet")
}

// guests lets the players join by the codes on the page, which cameras read without a tap.
func (o *operator) guests() {
	o.e.seats = nil
	for i, name := range players[:four] {
		seat := engine.Seat(i + 1)
		o.host.tap("button", o.phrase("ui.host.invite.link")+" : "+o.phrase("ui.seat.n", "n", fmt.Sprint(i+1)))
		code := o.host.value("#invitation-link")
		o.host.tap("button", o.phrase("ui.host.close"))
		p := join(o.t, code, engine.SeatViewer(seat))
		u := p.waitFor("the question who plays here", func(u wire.Update) bool { return u.Guest != nil && len(u.View.Offers) > 0 })
		sit := o.e.choose(u.View.Offers[0])
		sit["name"] = name
		p.mustSend("sit", sit)
		o.e.seats = append(o.e.seats, p)
	}
}

// begin taps the filled key until the game has begun.
func (o *operator) begin() {
	for u := o.e.latestUpdate(); u.View.Phase == "lobby"; u = o.e.latestUpdate() {
		o.e.hostGoesOn(o.host, u.Rev)
		o.taps++
	}
}

// playDuring does the operator's acts during a game, and lets the players play the rest.
func (o *operator) playDuring(n int) {
	o.play("investigation")
	if n == 1 {
		o.tap(o.phrase("host.hints.limit", "most", o.phrase("host.hints.off")))
		o.tap(o.phrase("host.hints.free"))
		o.secrets()
	}
	o.write(o.phrase("host.hints.text"), "Sous le tapis")
	o.tap(o.phrase("host.hints.send", "to", o.phrase("host.hints.to.all")))
	o.e.table.waitFor("the hint", func(u wire.Update) bool { return u.Hint != nil })
	o.tap(o.phrase("host.bar.pause"))
	o.e.table.waitFor("the pause", func(u wire.Update) bool { return u.Hold != nil })
	o.tap(o.phrase("host.act.resume"))
	o.e.table.waitFor("its end", func(u wire.Update) bool { return u.Hold == nil })
}

// secrets shows the secrets on this device and covers them again; the table sees as long that they are shown.
func (o *operator) secrets() {
	unlock := o.phrase("host.act.unlock-secrets")
	o.tap(unlock)
	o.tap(o.phrase("ui.host.yes", "act", unlock))
	o.e.table.waitFor("somebody sees the secrets", func(u wire.Update) bool { return u.Overseen != nil })
	o.host.waitForText(o.phrase("host.secrets.open"))
	o.host.takeShot("operator-secrets")
	o.tap(o.phrase("host.act.cover-secrets"))
	o.e.table.waitFor("nobody sees them", func(u wire.Update) bool { return u.Overseen == nil })
}

// play lets the players, and the host for the table, go on to a phase.
func (o *operator) play(phase string) {
	for u := o.e.latestUpdate(); u.View.Phase != phase; u = o.e.latestUpdate() {
		o.e.goesOn(o.host, u)
	}
}

// tapIfThere taps an element once it has stopped moving; false when it is not on the page, or leaves it before.
func (o *operator) tapIfThere(thing string) (done bool) {
	last := spot{}
	o.host.pollUntil("a thing that is free, or gone", func() bool {
		if !evaluate[bool](o.host, "!!("+thing+")") {
			return true
		}
		at := o.host.aimAt(thing)
		still := at != spot{} && at == last
		last = at
		done = still && o.host.tapAimed(at)
		return done
	})
	return done
}

// endByKills kills players until one has won, as an overruling that all see: the shortest evening.
func (o *operator) endByKills(team string) {
	o.tap(o.phrase("host.over.open"))
	for {
		u := o.e.latestUpdate()
		if u.View.Result != nil {
			break
		}
		alive := slices.DeleteFunc(slices.Clone(u.View.Seats), func(s engine.SeatView) bool { return !s.Alive })
		kill := fmt.Sprintf(`[...document.querySelectorAll("section[aria-labelledby=overrule] form")]
			.filter((f) => f.querySelector("h3")?.textContent === %q)
			.flatMap((f) => [...f.querySelectorAll(".h-chip:not(:disabled)")]).find((c) => c.textContent.trim() === %q)`,
			o.phrase("host.act.kill"), alive[0].Name)
		if o.tapIfThere(kill) { // an act that a player has just begun removes this key, which the page shows a moment later
			o.tap(o.phrase("ui.host.yes", "act", o.phrase("host.act.kill")))
			o.taps++
			o.e.table.waitFor("the death", func(u wire.Update) bool {
				return u.View.Result != nil ||
					slices.ContainsFunc(u.View.Seats, func(s engine.SeatView) bool { return s.Seat == alive[0].Seat && !s.Alive })
			})
			continue
		}
		o.e.goesOn(o.host, u)
	}
	o.host.waitForText(o.phrase("host.picture"))
	o.host.takeShot("operator-end")
	o.tap(o.phrase("host.picture"))
	o.host.waitForText(o.storied("title"))
	o.host.takeShot("operator-story")
	o.tap(o.phrase("ui.close"))
}

// storied returns a word of the story's own catalogue.
func (o *operator) storied(key string) string {
	return map[string]string{"title": "L’histoire de la soirée"}[key]
}

// reset signs for the table, and fills the box: first all but a few cards, which the page names, and then those.
func (o *operator) reset(n int) {
	o.write(o.phrase("host.ask.sign"), "Zo")
	o.tap(o.phrase("host.group.sign"))
	o.e.table.waitFor("the lobby of the next group", func(u wire.Update) bool {
		return u.View.Phase == "lobby" && len(u.View.Seats) == 0 && u.Table.Team == ""
	})
	for _, p := range o.e.seats { // the guests leave with their phones
		p.close()
	}
	o.host.waitForText(o.phrase("host.gate"))
	var cards []wire.BenchCard
	var tags []string
	for _, c := range o.room.waitFor("the cards", func(wire.Bench) bool { return true }).Cards {
		if c.Card != "" {
			cards, tags = append(cards, c), append(tags, c.Tag)
		}
	}
	o.room.sendAct(wire.BenchAct{Act: "move", Cards: tags, Spot: wire.SpotBox}) // the table is cleared
	o.e.dice.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
	slices.SortStableFunc(cards, func(a, b wire.BenchCard) int { return cmp.Compare(onReader(a), onReader(b)) })
	const few = 3 // of those that no reader has seen yet
	o.pass(cards[few:])
	o.host.waitForText(o.phrase("host.box.missing", "n", fmt.Sprint(few)))
	o.host.takeShot(fmt.Sprint("operator-gate-", n))
	watch := func() string {
		return evaluate[string](o.host, `document.querySelector(".gate [role=timer]").textContent`)
	}
	at := watch()
	o.host.pollUntil("the stop-watch runs", func() bool { return watch() != at })
	if n == 1 {
		o.host.checkAxe(o.t, "the next group")
	}
	o.pass(cards[:few])
	o.host.waitForText(o.phrase("host.box.all"))
	o.tap(o.phrase("host.box.stop"))
}

// onReader is 1 for a card that was on a reader when the box began to be filled: it may be counted already.
func onReader(c wire.BenchCard) int {
	if c.Spot == wire.SpotSlot || c.Spot == wire.SpotShow {
		return 1
	}
	return 0
}

// pass moves cards over a reader, one after the other, and into the box.
func (o *operator) pass(cards []wire.BenchCard) {
	seen := func() int { return evaluate[int](o.host, `Number(document.querySelector(".big b")?.textContent ?? 0)`) }
	for _, c := range cards {
		before := seen()
		o.room.sendAct(wire.BenchAct{Act: "move", Card: c.Tag, Spot: wire.SpotShow})
		if onReader(c) == 1 {
			o.host.waitForText(o.phrase("host.box.last", "card", c.Name.FR))
		} else { // several have the same name
			o.host.pollUntil("the card is counted", func() bool { return seen() > before })
		}
		o.room.sendAct(wire.BenchAct{Act: "move", Card: c.Tag, Spot: wire.SpotBox})
	}
}

// figures opens the figures of the evening at its end.
func (o *operator) figures(groups int) {
	o.taps = 0
	o.tap(o.phrase("host.figures.open"))
	o.host.waitForText(o.phrase("host.figures.list"))
	for n := range groups {
		o.host.waitForText(fmt.Sprint("Groupe ", n+1))
	}
	o.host.waitForText(o.phrase("host.figures.cards"))
	said := o.host.text()
	if strings.Count(said, o.phrase("host.figures.hints", "n", "1")) != groups {
		o.t.Errorf("a hint a group is missing in\n%s", said)
	}
	o.host.takeShot("operator-figures")
	o.host.checkAxe(o.t, "figures")
	o.tap(o.phrase("ui.host.close"))
	o.t.Logf("figures: %d taps", o.taps)
}
