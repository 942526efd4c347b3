package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/creack/pty"

	"majordome/companion/porttest"
	"majordome/engine/games"
	"majordome/engine/words"
)

// The pace of other things that a person does: a command in a shell, a code that is scanned, a letter that is typed.
const (
	paceCommand = 15 * time.Second
	paceScan    = 8 * time.Second
	paceLetter  = 400 * time.Millisecond
)

// person counts what a person does, and how long that takes. In a soak run the time really passes.
type person struct {
	taps  int
	spent time.Duration
	began time.Time
}

func (w *person) spend(d time.Duration) {
	w.spent += d
	if soaked(0, 1) == 1 {
		time.Sleep(d)
	}
}

// total returns the time until now, the machine's part included.
func (w *person) total() time.Duration {
	if soaked(0, 1) == 1 {
		return time.Since(w.began)
	}
	return w.spent + time.Since(w.began)
}

func (w *person) tap(p *tab, role, name string) {
	p.t.Helper()
	w.spend(paceTap)
	w.taps++
	p.tap(role, name)
}

func (w *person) typeText(p *tab, text string) {
	p.t.Helper()
	w.spend(time.Duration(len(text)) * paceLetter)
	p.runActions("types "+text, chromedp.KeyEvent(text))
}

// TestFromPackageToLobby starts a new table with one reader, as the package does, for four people who have never seen
// it: the host's page, the language, the reader, the deck's 39 clues, four phones, until the game can begin. It takes
// fewer than 60 taps and 10 minutes at a person's pace, of which enrolment 3.
func TestFromPackageToLobby(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	far, near, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = far.Close(); _ = near.Close() })
	config := filepath.Join(dir, "majordome.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "listen: %q\nmqtt: \"off\"\ndata: %q\n", porttest.FreeAddress(t), dir),
		0o600); err != nil {
		t.Fatal(err)
	}
	lay := func(n int) {
		t.Helper()
		fmt.Fprintf(far, "SCAN\tuid=04A1B2C3D4%04X\nREMOVE\tuid=04A1B2C3D4%04[1]X\n", n+0x100)
	}
	link, _ := serveOnce(t, config)
	b, l := startUnpainted(t), speak(t, words.FR)
	w := &person{began: time.Now()}
	w.spend(paceCommand)
	w.spend(paceScan)
	host := b.private().open("host", link, phoneSize)
	film := filmOf(host)
	// The next step is the one filled key of the page.
	next := func(name string) {
		t.Helper()
		const filled = `[...document.querySelectorAll(".h-main:not(:disabled)")]
			.filter((e) => e.checkVisibility({ visibilityProperty: true })).map((e) => e.innerText.replace(/\s+/g, " ").trim())`
		host.waitUntil("the one filled key "+name,
			fmt.Sprintf(`((all) => all.length === 1 && all[0] === %q.replace(/\s+/g, " "))(%s)`, name, filled))
		w.tap(host, "button", name)
	}
	host.waitForText(l.phrase("host.missing.game"))
	film("1-first")
	w.tap(host, "button", "fr")
	w.tap(host, "button", "Huis Clos")
	host.waitForText(l.phrase("host.fresh.devices"))

	// The reader: one tap adds a reader that a search finds; the search cannot find this one, so it is typed.
	next(l.phrase("host.set.attached"))
	film("2-settings")
	next(l.phrase("host.act.settings-search"))
	host.waitForText(l.phrase("host.next", "step", l.phrase("host.step.seats"))) // the end of the search
	w.taps += 2
	w.spend(2 * paceTap)
	evaluate[bool](host, `((e) => {
		e.value = "serial"; e.dispatchEvent(new Event("change", { bubbles: true })); return true;
	})([...document.querySelectorAll(".add select")][0])`)
	w.tap(host, "button", l.phrase("host.set.add"))
	host.waitForText(l.phrase("host.set.mend"))
	w.taps++
	w.spend(paceTap + time.Duration(len(near.Name()))*paceLetter)
	host.fill("port", near.Name())
	host.waitForText(l.phrase("host.set.changes.one"))
	film("3-reader")
	next(l.phrase("host.act.settings-keep"))
	host.waitForText(l.phrase("host.set.kept"))
	w.tap(host, "button", l.phrase("host.try.start"))
	w.spend(paceCard)
	host.pollUntil("the tag", func() bool { lay(0x500); return strings.Contains(host.text(), "04A1B2C3D4") })
	film("4-proof")
	next(l.phrase("host.try.stop"))
	next(l.phrase("host.next", "step", l.phrase("host.step.box")))

	// The deck.
	film("5-box")
	enrolment := w.total()
	next(l.phrase("host.enrol.cards"))
	book, err := games.KnownGames().DefaultDecks()[0].NewRulebook()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, card := range book.Names() {
		if !card.IsCard() || n > fewClues {
			continue
		}
		host.waitUntil("card "+card.Text.FR,
			fmt.Sprintf(`document.querySelector("#enrol-now .card")?.textContent.replace(/[\u00a0\u202f]/g, " ") === %q`, card.Text.FR))
		if n == fewClues {
			break
		}
		w.spend(paceCard)
		lay(n)
		n++
	}
	film("6-enrolled")
	w.tap(host, "button", l.phrase("host.enrol.end"))
	enrolment = w.total() - enrolment

	// The phones.
	film("7-players")
	for i, name := range players[:4] {
		host.waitUntil("a code", `document.querySelector(".code svg")`)
		// no camera here: the code as a text
		host.tap("button", l.phrase("ui.host.invite.link")+" : "+l.phrase("ui.seat.n", "n", fmt.Sprint(i+1)))
		code := host.value("#invitation-link")
		host.tap("button", l.phrase("ui.host.close"))
		w.spend(paceScan)
		p := b.private().open(fmt.Sprint("seat-", i+1), code, phoneSize)
		w.tap(p, "textbox", l.phrase("phone.guest.name"))
		w.typeText(p, name)
		w.tap(p, "radio", p.textOf(".who button:not(:disabled)"))
		w.tap(p, "button", l.phrase("phone.guest.do"))
		p.waitForText(l.phrase("phone.guest.asked"))
	}
	film("8-asked")
	next(l.phrase("host.sit.all", "names", l.list(players[:4]...)))
	next(l.phrase("host.next", "step", l.phrase("host.step.first")))
	w.tap(host, "radio", players[1])
	host.waitForText(l.phrase("host.ready"))
	film("9-lobby")
	next(l.phrase("ui.act.begin"))
	host.waitForText(l.phrase("host.step.roles"))
	t.Logf("from the package to the lobby: %d taps and %v at a person's pace, of which enrolment %v", w.taps, w.total().Round(time.Second),
		enrolment.Round(time.Second))
	if w.taps >= 60 || w.total() >= 10*time.Minute || enrolment >= 3*time.Minute {
		t.Errorf("%d taps, %v, enrolment %v", w.taps, w.total(), enrolment)
	}
}

// filmOf returns a function that takes pictures of the host's page on a phone and on a desk, in both languages, if
// the run keeps pictures.
func filmOf(host *tab) func(name string) {
	return func(name string) {
		host.t.Helper()
		if !filmed() {
			return
		}
		for _, lang := range []string{"en", "fr"} {
			evaluate[bool](host, fmt.Sprintf(`(document.querySelector(".langs button[lang=%s]").click(), true)`, lang))
			host.resize("lobby-"+name+"-"+lang, [2]int64{1280, 800}, phoneSize)
		}
	}
}
