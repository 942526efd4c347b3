package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// lessons returns the explanations of a game that its phones show.
func lessons(t testing.TB, lang words.Lang, game string) map[string]string {
	t.Helper()
	folder, name := filepath.Join("..", "..", "..", "engine", "words"), "lessons."+string(lang)+".json"
	families, err := filepath.Glob(filepath.Join(folder, "*", name))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]map[string]string
	for _, file := range append(families, filepath.Join(folder, name)) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &all); err != nil {
			t.Fatal(err)
		}
	}
	return all[game]
}

// TestFirstEvening checks a table where no game was played yet: each phone has three cards before the roles, and
// every first time is explained once, even after a reload. A phone whose player knows the game explains nothing.
func TestFirstEvening(t *testing.T) {
	for i, game := range []string{"huis-clos", "cluedo-2008", "super-cluedo", "cluedo-classic"} {
		for _, lang := range whole(words.Langs[i%len(words.Langs)]) { // by turns
			t.Run(game+"/"+string(lang), func(t *testing.T) { firstEvening(t, game, lang) })
		}
	}
}

func firstEvening(t *testing.T, game string, lang words.Lang) {
	d, b := startLively(t, "--game", game), startUnpainted(t)
	say, all, l := lessons(t, lang, game), lessons(t, lang, "all"), speak(t, lang)
	host := join(t, d.links["host"], engine.Host)
	newcomer := func(name, link string) *tab {
		device := b.private()
		device.newPlayers = true
		p := device.open(name, link, phoneSize)
		p.waitForText(lessons(t, words.FR, game)["about"])
		if lang == words.EN {
			p.tap("button", "EN*")
		}
		p.waitForText(say["about"])
		return p
	}
	anne, bruno := newcomer("anne", d.links["seat-1"]), newcomer("bruno", d.links["seat-2"])
	film := "first-" + game + "-" + string(lang) + "-"
	anne.checkAxe(t, "the cards of a first evening")
	bruno.resize(film+"card", smallSize, phoneSize)
	bruno.checkInside("section.first")
	bruno.tap("button", all["know"])
	bruno.waitForNoText(say["about"])
	for _, card := range []string{"about", "me", "round"} {
		anne.waitForText(say[card])
		if card == "round" {
			anne.takeShot(film + "card-tall")
			anne.tap("button", all["got"])
		} else {
			anne.tap("button", all["next"])
		}
		anne.waitForNoText(say[card])
	}

	// A first time is explained once: not to a player who knows the game, and not again after a reload.
	host.waitFor("the lobby", func(wire.Update) bool { return true })
	host.mustSend("begin", nil)
	first := "notes"
	switch game {
	case "huis-clos":
		first = "roles"
	case "super-cluedo": // the player to the left of the dealer begins
		host.mustSend("dealer", engine.Args{"seat": "seat-3"})
		first = "move"
	case "cluedo-classic": // Anne plays Miss Scarlett
		first = "move"
	}
	if game != "huis-clos" {
		host.mustSend("deal", nil)
	}
	anne.waitForText(say[first])
	anne.checkAxe(t, "a first time")
	anne.resize(film+"slip", smallSize, phoneSize)
	anne.waitUntil("the slip below the cards", `(() => {
		const [slip, hand] = ["section.slip", ".hand"].map((e) => document.querySelector(e)?.getBoundingClientRect());
		return slip && hand && slip.top >= hand.bottom && slip.bottom <= innerHeight && slip.left >= 0 && slip.right <= innerWidth;
	})()`)
	anne.takeShot(film + "slip-tall")
	if bruno.hasText(say[first]) {
		t.Error("a player who knows the game gets it explained")
	}
	anne.tap("button", all["got"])
	anne.waitForNoText(say[first])
	anne.runActions("is loaded again", chromedp.Reload())
	anne.waitUntil("its page", `document.querySelector("section.turn")`)
	anne.tap("button", l.phrase("phone.goal.title"))
	anne.waitForText(say["about"]) // the explanation of the game is there; the first time that was read is not
	anne.waitForText(all["title.goal"])
	anne.checkAxe(t, "goal")
	anne.takeShot(film + "goal")
	if anne.hasText(say[first]) {
		t.Errorf("after a reload it is explained again: %s", say[first])
	}
}

// checkInside waits until a part of the page is between the page's head and the keys, within the window.
func (p *tab) checkInside(part string) {
	p.t.Helper()
	p.waitUntil(part+" clear of the keys", fmt.Sprintf(`(() => {
		const box = document.querySelector(%q)?.getBoundingClientRect();
		const head = document.querySelector("header")?.getBoundingClientRect(),
			foot = document.querySelector(".bottom")?.getBoundingClientRect();
		return box && head && foot && box.top >= head.bottom && box.bottom <= foot.top && box.left >= 0 && box.right <= innerWidth;
	})()`, part))
}

// TestPhonesExplainTheGame checks that the explanations belong to the phone. The host sees how many players have read
// them and begins without the others, whose cards wait below the question.
func TestPhonesExplainTheGame(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t), startUnpainted(t), speak(t, words.FR)
	say, all := lessons(t, words.FR, "huis-clos"), lessons(t, words.FR, "all")
	host := b.open("host", d.links["host"], [2]int64{1280, 800})
	newcomer := func(name, seat string) *tab {
		device := b.private()
		device.newPlayers = true
		p := device.open(name, d.links[seat], phoneSize)
		p.waitForText(say["about"])
		return p
	}
	anne, bruno := newcomer("anne", "seat-1"), newcomer("bruno", "seat-2")
	host.waitForText(l.phrase("host.read.n", "n", "0", "of", "2"))
	bruno.tap("button", all["know"])
	host.waitForText(l.phrase("host.read.n", "n", "1", "of", "2"))
	host.takeShot("first-host")
	host.checkAxe(t, "who has read")
	host.tap("button", l.phrase("ui.act.begin"))
	anne.waitForText(say["roles"])
	anne.waitForNoText(say["about"])
	anne.tap("button", all["cards"])
	anne.waitForText(say["about"])
	for _, card := range []string{"about", "me", "round"} {
		anne.waitForText(say[card])
		if card == "round" {
			anne.tap("button", all["got"])
		} else {
			anne.tap("button", all["next"])
		}
		anne.waitForNoText(say[card])
	}
	anne.waitForNoElement("button", all["cards"])
	bruno.waitForNoElement("button", all["cards"])
}

// TestNamesAreAsked checks that the host's page asks for the names of things that no rulebook names, one tap each,
// and that all pages show the name from then on.
func TestNamesAreAsked(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t, "--deck", filepath.Join("..", "..", "..", "engine", "huisclos", "huis-clos.yaml")),
		startUnpainted(t), speak(t, words.FR)
	host := b.open("host", d.links["host"], laptopSize)
	host.waitForText(l.phrase("host.unnamed.still", "things", "Lieu 3, Lieu 4, …"))
	host.tap("button", l.phrase("host.step.box")+"*")
	host.tap("button", "Lieu 3")
	host.waitForText(l.phrase("host.unnamed.ask", "thing", "Lieu 3"))
	host.checkAxe(t, "a name is asked")
	host.resize("unnamed", smallSize, [2]int64{1280, 800})
	host.runActions("names it", chromedp.KeyEvent("Grenier\r")) // the field has the focus
	host.waitForText(l.phrase("host.unnamed.ask", "thing", "Lieu 4"))
	host.waitForNoElement("button", "Lieu 3")
	b.open("bench", d.links["bench"], laptopSize).waitForText("Grenier")
}
