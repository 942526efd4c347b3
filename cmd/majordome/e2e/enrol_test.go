package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/creack/pty"

	"majordome/companion/porttest"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/words"
)

// paceCard and paceTap are the pace of a person who enrols: the time to take up, place and put aside a card, and to
// find and tap a key.
const (
	paceCard = 3 * time.Second
	paceTap  = 2 * time.Second
	fewClues = 39
)

// TestEnrolOnThePage checks that a new table with a reader, its daemon running, learns all cards of a box on the
// host's page: in the order of the deck, with a conflict, unfit tags, an unknown tag, and steps taken back. A person
// needs under three minutes for 39 cards. The readers know each card at once, and the list of tags can be exported
// and read back.
func TestEnrolOnThePage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	far, near, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	defer near.Close()
	config := filepath.Join(dir, "majordome.yaml")
	if err := os.WriteFile(config,
		fmt.Appendf(nil, "listen: %q\nmqtt: \"off\"\ndata: %q\nreaders:\n  - {role: show, chip: serial, port: %q}\n",
			porttest.FreeAddress(t), dir, near.Name()), 0o600); err != nil {
		t.Fatal(err)
	}
	link, _ := serveOnce(t, config)
	l := speak(t, words.FR)
	host := startUnpainted(t).open("host", link, phoneSize)
	lay := func(uid string) { t.Helper(); fmt.Fprintf(far, "SCAN\tuid=%s\nREMOVE\tuid=%s\n", uid, uid) }
	uid := func(n int) string { return fmt.Sprintf("04A1B2C3D4%04X", n+0x100) }
	var deck engine.Names
	book, err := games.KnownGames().DefaultDecks()[0].NewRulebook() // without the names that the demonstration gives
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range book.Names() {
		if n.IsCard() {
			deck = append(deck, n)
		}
	}
	asked := func(n int) {
		t.Helper()
		host.waitUntil("card "+deck[n].Text.FR,
			fmt.Sprintf(`document.querySelector("#enrol-now .card")?.textContent.replace(/[\u00a0\u202f]/g, " ") === %q`, deck[n].Text.FR))
	}

	host.tap("button", "Huis Clos")
	host.waitForText(l.phrase("host.enrol.why")) // a new table with a reader begins there
	evaluate[int](host, `(window.taps = 0, addEventListener("click", (e) => e.isTrusted && window.taps++, true), 0)`)
	host.tap("button", l.phrase("host.enrol.cards"))
	began := time.Now()
	for n := range fewClues {
		asked(n)
		lay(uid(n))
	}
	asked(fewClues)
	machine, taps := time.Since(began), evaluate[int](host, "window.taps")
	person := fewClues*paceCard + time.Duration(taps)*paceTap
	t.Logf("%d cards: %d taps; %v at a person's pace (%v a card, %v a tap), of which the machine needs %v", fewClues, taps, person,
		paceCard, paceTap, machine.Round(time.Millisecond))
	if person+machine >= 3*time.Minute || taps > 5 {
		t.Errorf("%d cards take %v and %d taps", fewClues, person+machine, taps)
	}
	host.takeShot("enrol-order")

	lay(uid(0))
	host.waitForText(l.phrase("host.enrol.last.conflict", "card", deck[0].Text.FR))
	host.resize("enrol-conflict", [2]int64{360, 640}, laptopSize)
	host.checkAxe(t, "a conflict")
	host.tap("button", "en")
	host.waitForText(speak(t, words.EN).phrase("host.enrol.last.conflict", "card", deck[0].Text.EN))
	host.resize("enrol-conflict-en", [2]int64{360, 640}, laptopSize)
	host.tap("button", "fr")
	host.runActions("as before", chromedp.EmulateViewport(phoneSize[0], phoneSize[1]))
	for _, bad := range []string{"08A1B2C3", "DEADBEEF"} {
		lay(bad)
		host.waitForText("la puce " + bad + " ne convient pas")
	}
	host.takeShot("enrol-unfit")
	lay(uid(0))
	host.tap("button", l.phrase("host.enrol.move"))
	asked(fewClues + 1)
	host.tap("button", l.phrase("host.enrol.undo"))
	host.waitForText(l.phrase("host.enrol.last.undone", "card", deck[fewClues].Text.FR))
	for n := fewClues; n < len(deck); n++ {
		asked(n)
		lay(uid(n))
	}
	host.waitForText(l.phrase("host.enrol.every"))
	lay(uid(9))
	host.waitForText(l.phrase("host.enrol.last.known", "card", deck[9].Text.FR)) // the readers know the card at once
	lay(uid(300))
	host.waitForText(l.phrase("host.enrol.last.unknown", "tag", uid(300)))
	host.tap("button", l.phrase("host.enrol.pick"))
	host.resize("enrol-unknown", [2]int64{360, 640}, laptopSize)
	host.checkAxe(t, "an unknown tag")
	host.runActions("as before", chromedp.EmulateViewport(phoneSize[0], phoneSize[1]))
	host.tap("button", deck[8].Text.FR+"*")
	host.tap("button", l.phrase("host.enrol.give", "tag", uid(300)))
	host.waitForText(l.phrase("host.enrol.last.kept", "card", deck[8].Text.FR))

	host.tap("button", l.phrase("host.enrol.list"))
	host.tap("button", l.phrase("host.enrol.list.show"))
	host.waitForElement("link", l.phrase("host.enrol.list.save"))
	list := host.value("textarea[readonly]")
	if !strings.Contains(list, uid(300)+", "+string(deck[8].ID)) || strings.Contains(list, uid(8)+",") ||
		strings.Count(list, "\n") != 3+len(deck) {
		t.Errorf("the list:\n%s", list)
	}
	host.resize("enrol-list", [2]int64{360, 640}, laptopSize)
	host.checkAxe(t, "the list of tags")
	host.runActions("as before", chromedp.EmulateViewport(phoneSize[0], phoneSize[1]))
	host.tap("button", l.phrase("host.enrol.list.hide"))
	paste := func(text string) {
		t.Helper()
		evaluate[int](host, fmt.Sprintf(`((a) => {
			a.value = %q; a.dispatchEvent(new Event("input", { bubbles: true })); return 0
		})(document.querySelector("textarea:not([readonly])"))`, text))
		host.tap("button", l.phrase("host.enrol.list.read"))
	}
	paste("04A1B2C3D40999; " + string(deck[8].ID))
	host.waitForText("Ligne 1 :")
	host.takeShot("enrol-list-fault")
	paste(strings.ReplaceAll(list, uid(300), uid(8)))
	host.waitForText(l.phrase("host.enrol.list.sum", "new", "1", "moved", "0", "same", fmt.Sprint(len(deck)-1)))
	host.tap("button", l.phrase("host.enrol.list.take"))
	host.waitForText(l.phrase("host.enrol.last.listed"))
	host.tap("button", l.phrase("host.enrol.end"))
	host.tap("button", l.phrase("host.step.box")+"*")
	host.tap("button", l.phrase("host.box.start"))
	lay(uid(8))
	host.waitForText(l.phrase("host.box.last", "card", deck[8].Text.FR))
}

// TestSpareInAGame checks that the host can replace a lost card in a game, in under a minute at a person's pace. The
// table learns that a new tag is enrolled, and only the host learns for which card; another card on the reader means
// the same as in any game.
func TestSpareInAGame(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t), startUnpainted(t), speak(t, words.FR)
	bench, host := d.bench(), b.open("host", d.links["host"], phoneSize)
	screen := b.open("display", d.links["display"], tableSize)
	all := bench.waitFor("the cards", func(wire.Bench) bool { return true }).Cards
	blank := all[slices.IndexFunc(all, func(c wire.BenchCard) bool { return c.Kind == "foreign" })].Tag
	murderer := all[slices.IndexFunc(all, func(c wire.BenchCard) bool { return c.Card == "role-murderer" })].Tag
	host.tap("button", l.phrase("ui.act.begin"))
	evaluate[int](host, `(window.taps = 0, addEventListener("click", (e) => e.isTrusted && window.taps++, true), 0)`)
	host.tap("button", l.phrase("host.mend.open"))
	spare := l.phrase("host.enrol.spare")
	host.waitForElement("button", spare)
	evaluate[int](host, `(addEventListener("click", (e) => (window.finger = e.clientY), { capture: true, once: true }), 0)`)
	host.tap("button", spare)
	host.waitForElement("group", spare)
	host.waitUntil("the question under the finger",
		`Math.abs(document.querySelector("[role=group].h-stack")?.getBoundingClientRect().top - window.finger) < 60`)
	host.resize("enrol-spare", [2]int64{360, 640}, laptopSize)
	host.runActions("as before", chromedp.EmulateViewport(phoneSize[0], phoneSize[1]))
	host.tap("button", "Corde")
	host.waitForText(l.phrase("host.enrol.lay"))
	host.checkAxe(t, "another tag in a game")
	bench.sendAct(wire.BenchAct{Act: "move", Card: murderer, Spot: wire.SpotShow})
	screen.waitForText(l.phrase("hc.prompt.roles", "seat", players[1])) // Anne's role was read as ever
	if host.hasText(l.phrase("host.enrol.last.kept", "card", "Corde")) {
		t.Error("a card of the game was taken for a new tag")
	}
	bench.sendAct(wire.BenchAct{Act: "move", Card: murderer, Spot: "hand:seat-1"})
	bench.sendAct(wire.BenchAct{Act: "move", Card: blank, Spot: wire.SpotShow})
	host.waitForText(l.phrase("host.enrol.last.kept", "card", "Corde"))
	host.takeShot("enrol-spare-kept")
	screen.waitForText(l.phrase("table.enrol.spare"))
	screen.takeShot("enrol-spare-display")
	if screen.hasText("Corde :") || screen.hasText(l.phrase("host.enrol.last.kept", "card", "Corde")) {
		t.Error("the display says which card it is")
	}
	host.tap("button", l.phrase("host.enrol.end"))
	taps := evaluate[int](host, "window.taps")
	if person := paceCard + time.Duration(taps)*paceTap; person >= time.Minute {
		t.Errorf("%d taps, %v", taps, person)
	}
	t.Logf("%d taps, %v at a person's pace", taps, paceCard+time.Duration(taps)*paceTap)
}

// TestAdoptABox pastes the names of another box of the same game on the host's page. The page checks them while they
// are typed and accepts them all at once: the table plays with them tonight, and prints them.
func TestAdoptABox(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t, "--game", "cluedo-2008"), startUnpainted(t), speak(t, words.FR)
	host, bench := b.open("host", d.links["host"], phoneSize), b.open("bench", d.links["bench"], laptopSize)
	host.tap("button", l.phrase("host.step.box")+"*")
	host.tap("button", l.phrase("host.deck.open"))
	host.tap("button", l.phrase("host.adopt.title"))
	paste := func(kind, text string) {
		t.Helper()
		evaluate[int](host, fmt.Sprintf(`((a) => {
			a.value = %q; a.dispatchEvent(new Event("input", { bubbles: true })); return 0
		})(document.querySelector("textarea[id$=-%s]"))`, text, kind))
	}
	weapons, rooms := 0, 0
	for _, n := range namesOf(t, "cluedo-2008") {
		switch n.Kind {
		case "weapon":
			weapons++
		case "room":
			rooms++
		}
	}
	list := func(n int, name string) (lines string) {
		for i := range n {
			lines += fmt.Sprintf("%s %c = %s %[2]c\n", name, 'A'+rune(i), strings.ToUpper(name))
		}
		return lines
	}
	paste("weapon", list(weapons-1, "Sabre")+"Sabre A\n\nUn nom bien trop long pour tenir sur la carte d’un téléphone\n")
	host.waitForText(l.phrase("host.enrol.line", "n", fmt.Sprint(weapons), "said", l.phrase("host.adopt.twice")))
	host.waitForText(l.phrase("host.adopt.many", "n", fmt.Sprint(weapons+1), "of", fmt.Sprint(weapons)))
	host.resize("adopt-wrong", [2]int64{360, 640}, laptopSize)
	host.checkAxe(t, "a list of names with faults")
	host.tap("button", "en")
	host.resize("adopt-wrong-en", [2]int64{360, 640}, laptopSize)
	host.tap("button", "fr")
	host.runActions("as before", chromedp.EmulateViewport(phoneSize[0], phoneSize[1]))
	paste("weapon", list(weapons, "Sabre"))
	paste("room", list(rooms, "Cabine"))
	host.tap("button", l.phrase("host.adopt.take"))
	host.waitForText(l.phrase("host.adopt.done"))
	host.takeShot("adopt-done")
	bench.waitForText("Cabine A")
	host.tap("button", l.phrase("host.print"))
	host.waitForElement("link", l.phrase("host.print.cards"))
	sheet := b.open("sheet", d.origin()+"/print?what=cards&lang=en", laptopSize)
	sheet.waitForText("CABINE A")
	sheet.waitForText("SABRE A")
	sheet.takeShot("print-cards")
	sheet.checkAxe(t, "sheets to print")
}
