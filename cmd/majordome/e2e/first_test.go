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
	d, b := startLively(t, "--game", game), startBrowser(t)
	say, all, l := lessons(t, lang, game), lessons(t, lang, "all"), speak(t, lang)
	host := join(t, d.links["host"], engine.Host)
	newcomer := func(name, link string) *tab {
		device := b.private()
		device.green = true
		p := device.open(name, link, phoneSize)
		p.says(lessons(t, words.FR, game)["about"])
		if lang == words.EN {
			p.tap("button", "EN*")
		}
		p.says(say["about"])
		return p
	}
	anne, bruno := newcomer("anne", d.links["seat-1"]), newcomer("bruno", d.links["seat-2"])
	film := "first-" + game + "-" + string(lang) + "-"
	anne.axe(t, "the cards of a first evening")
	bruno.resize(film+"card", smallSize, phoneSize)
	bruno.inside("section.first")
	bruno.tap("button", all["know"])
	bruno.unsays(say["about"])
	for _, card := range []string{"about", "me", "round"} {
		anne.says(say[card])
		if card == "round" {
			anne.shot(film + "card-tall")
			anne.tap("button", all["got"])
		} else {
			anne.tap("button", all["next"])
		}
		anne.unsays(say[card])
	}

	// A first time is explained once: not to a player who knows the game, and not again after a reload.
	host.until("the lobby", func(wire.Update) bool { return true })
	host.must("begin", nil)
	first := "notes"
	switch game {
	case "huis-clos":
		first = "roles"
	case "super-cluedo": // the player to the left of the dealer begins
		host.must("dealer", engine.Args{"seat": "seat-3"})
		first = "move"
	case "cluedo-classic": // Anne plays Miss Scarlett
		first = "move"
	}
	if game != "huis-clos" {
		host.must("deal", nil)
	}
	anne.says(say[first])
	anne.axe(t, "a first time")
	anne.resize(film+"slip", smallSize, phoneSize)
	anne.until("the slip below the cards", `(() => {
		const [slip, hand] = ["section.slip", ".hand"].map((e) => document.querySelector(e)?.getBoundingClientRect());
		return slip && hand && slip.top >= hand.bottom && slip.bottom <= innerHeight && slip.left >= 0 && slip.right <= innerWidth;
	})()`)
	anne.shot(film + "slip-tall")
	if bruno.heard(say[first]) {
		t.Error("who knows the game is told about it")
	}
	anne.tap("button", all["got"])
	anne.unsays(say[first])
	anne.do("is loaded again", chromedp.Reload())
	anne.until("its page", `document.querySelector("section.turn")`)
	anne.tap("button", l.say("phone.goal.title"))
	anne.says(say["about"]) // the explanation of the game is there; the first time that was read is not
	anne.says(all["title.goal"])
	anne.axe(t, "goal")
	anne.shot(film + "goal")
	if anne.heard(say[first]) {
		t.Errorf("after a reload it is explained again: %s", say[first])
	}
}

// checkInside waits until a part of the page is between the page's head and the keys, within the window.
func (p *tab) inside(part string) {
	p.t.Helper()
	p.until(part+" clear of the keys", fmt.Sprintf(`(() => {
		const box = document.querySelector(%q)?.getBoundingClientRect();
		const head = document.querySelector("header")?.getBoundingClientRect(), foot = document.querySelector(".bottom")?.getBoundingClientRect();
		return box && head && foot && box.top >= head.bottom && box.bottom <= foot.top && box.left >= 0 && box.right <= innerWidth;
	})()`, part))
}

// TestPhonesExplainTheGame checks that the explanations belong to the phone. The host sees how many players have read
// them and begins without the others, whose cards wait below the question.
func TestPhonesExplainTheGame(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t), startBrowser(t), speak(t, words.FR)
	say, all := lessons(t, words.FR, "huis-clos"), lessons(t, words.FR, "all")
	host := b.open("host", d.links["host"], [2]int64{1280, 800})
	newcomer := func(name, seat string) *tab {
		device := b.private()
		device.green = true
		p := device.open(name, d.links[seat], phoneSize)
		p.says(say["about"])
		return p
	}
	anne, bruno := newcomer("anne", "seat-1"), newcomer("bruno", "seat-2")
	host.says(l.say("host.read.n", "n", "0", "of", "2"))
	bruno.tap("button", all["know"])
	host.says(l.say("host.read.n", "n", "1", "of", "2"))
	host.shot("first-host")
	host.axe(t, "who has read")
	host.tap("button", l.say("ui.act.begin"))
	anne.says(say["roles"])
	anne.unsays(say["about"])
	anne.tap("button", all["cards"])
	anne.says(say["about"])
	for _, key := range []string{"next", "next", "got"} {
		anne.tap("button", all[key])
	}
	anne.unsays(say["round"])
	anne.lacks("button", all["cards"])
	bruno.lacks("button", all["cards"])
}

// TestNamesAreAsked checks that the host's page asks for the names of things that no rulebook names, one tap each,
// and that all pages show the name from then on.
func TestNamesAreAsked(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t, "--deck", filepath.Join("..", "..", "..", "engine", "huisclos", "huis-clos.yaml")), startBrowser(t), speak(t, words.FR)
	host := b.open("host", d.links["host"], laptopSize)
	host.says(l.say("host.unnamed.still", "things", "Lieu 3, Lieu 4, …"))
	host.tap("button", l.say("host.step.box")+"*")
	host.tap("button", "Lieu 3")
	host.says(l.say("host.unnamed.ask", "thing", "Lieu 3"))
	host.axe(t, "a name is asked")
	host.resize("unnamed", smallSize, [2]int64{1280, 800})
	host.do("names it", chromedp.KeyEvent("Grenier\r")) // the field has the focus
	host.says(l.say("host.unnamed.ask", "thing", "Lieu 4"))
	host.lacks("button", "Lieu 3")
	b.open("bench", d.links["bench"], laptopSize).says("Grenier")
}
