package e2e_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"majordome/companion/wire"
	"majordome/devices/randtest"
	"majordome/engine"
	"majordome/engine/words"
)

// TestFirstTable lets six people who have never played sit down at a new table, each with a name typed on the own
// phone, and play until something is revealed. The host only taps the one filled key of the page, its next step, and
// fewer than fifteen times.
func TestFirstTable(t *testing.T) {
	t.Parallel()
	for _, game := range soakedGames("huis-clos", "cluedo-2008", "super-cluedo", "cluedo-classic") {
		t.Run(game, func(t *testing.T) { firstTable(t, engine.ID(game)) })
	}
}

// soakedGames returns all games in a long run, and otherwise the first.
func soakedGames(all ...string) []string {
	if len(whole(words.FR)) > 1 {
		return all
	}
	return all[:1]
}

const fewTaps = 15

// titles are the games as a table without one offers them; a box calls itself just Cluedo.
var titles = map[engine.ID]string{"huis-clos": "Huis Clos", "cluedo-2008": "Cluedo 2008", "super-cluedo": "Super Cluedo",
	"cluedo-classic": "Cluedo classique"}

func firstTable(t *testing.T, game engine.ID) {
	addr, link := serveEmptyTable(t, "")
	origin := "http://" + addr
	table := watch(t, origin)
	l := speak(t, words.FR)
	host := startUnpainted(t).open("host", link, phoneSize)
	host.waitForText(l.phrase("host.missing.game"))
	evaluate[int](host, `(window.taps = [],
		addEventListener("click", (e) => e.isTrusted &&
			window.taps.push(e.target.closest("button")?.textContent.replace(/\s+/g, " ").trim() ?? "?"), true), 0)`)
	host.takeShot("first-table-games")
	host.tap("button", titles[game])
	host.waitForText(l.phrase("host.fresh.devices"))
	host.tap("button", l.phrase("host.next", "step", l.phrase("host.step.seats")))
	host.waitForText(l.phrase("host.sit.nobody"))
	table.waitFor("the game", func(u wire.Update) bool { return u.View.Game == game })
	begun := evaluate[int](host, "window.taps.length")

	// The players scan the code on the host's page, which always invites to the next free seat.
	e := &evening{t: t, table: table, host: table, dice: rand.New(rand.NewPCG(randtest.NewSeed(t), 1))}
	for i, name := range players[:6] {
		seat := engine.Seat(i + 1)
		host.tap("button", l.phrase("ui.host.invite.link")+" : "+l.phrase("ui.seat.n", "n", seat.String()[len("seat-"):]))
		code := host.value("#invitation-link")
		host.tap("button", l.phrase("ui.host.close"))
		p := join(t, code, engine.SeatViewer(seat))
		u := p.waitFor("the question who plays here", func(u wire.Update) bool { return u.Guest != nil && len(u.View.Offers) > 0 })
		sit := e.choose(u.View.Offers[0])
		sit["name"] = name
		p.mustSend("sit", sit)
		e.seats = append(e.seats, p)
	}
	scanned := evaluate[int](host, "window.taps.length")
	for u := e.latestUpdate(); !revealed(u.View); u = e.latestUpdate() {
		e.goesOn(host, u)
	}
	taps := evaluate[[]string](host, "window.taps")
	taps = slices.Delete(taps, begun, scanned) // a camera needs none of those
	t.Logf("%s: %d taps of the host: %q", game, len(taps), taps)
	if len(taps) >= fewTaps {
		t.Errorf("%d taps of the host, want fewer than %d", len(taps), fewTaps)
	}
	host.takeShot("first-table-" + string(game))
}

// revealed reports whether the urn is open, a card was shown, or no one had one.
func revealed(v engine.View) bool {
	return len(v.Shown) > 0 || slices.ContainsFunc(v.Happened, func(h *engine.Happening) bool {
		return h.What == engine.HapShown || h.What == engine.HapUnrefuted || h.What == engine.HapWrong
	})
}

// anyoneActs lets one of the players do something, and reports whether one could.
func (e *evening) anyoneActs() bool {
	e.t.Helper()
	e.settle()
	for _, p := range e.seats {
		u := p.latest()
		offers := slices.DeleteFunc(engine.AllowedOffers(u.View.Offers), func(o engine.Offer) bool {
			return o.Act == "accuse" || o.Act == "sit"
		})
		if o, ok := e.pick(offers); ok {
			p.tries(o.Act, e.choose(o), true)
			return true
		}
	}
	return false
}

// goesOn lets one of the players do something, or the host for the table, if the game is still in the state of u.
func (e *evening) goesOn(host *tab, u wire.Update) {
	e.t.Helper()
	if !e.anyoneActs() {
		e.hostGoesOn(host, u.Rev)
	}
}

// hostGoesOn taps the one filled key of the host's page, or waits until the game has gone on from rev without it.
func (e *evening) hostGoesOn(host *tab, rev uint64) {
	e.t.Helper()
	// While the key of an open step is not filled yet, the host first chooses something.
	const filled = `((main, choice) => main.length > 0 ? main : choice.slice(0, 1))(
		[...document.querySelectorAll(".h-main:not(:disabled)")].filter((e) => e.checkVisibility({ visibilityProperty: true })),
		[...document.querySelectorAll("[role=radio]:not(:disabled):not([aria-checked=true]), .now .h-chip:not(:disabled)")])`
	host.pollUntil("the next step", func() bool {
		if e.table.latest().Rev > rev {
			return true
		}
		n := evaluate[int](host, filled+".length")
		if n > 1 {
			e.t.Fatalf("the host's page has %d next steps: %s", n, evaluate[string](host, filled+`.map((e) => e.textContent).join(" | ")`))
		}
		return n == 1 && host.tapAimed(host.waitForPoint(filled+"[0]"))
	})
	e.table.waitFor("what the host has done", func(u wire.Update) bool { return u.Rev > rev })
}
