package e2e_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/companion/wire"
	"majordome/engine/words"
)

// inStory returns a sentence of the story as the page prints it.
func inStory(t testing.TB, l words.Lang, key string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "engine", "words", "story."+string(l)+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]string
	if err := json.Unmarshal(data, &all); err != nil || all[key] == "" {
		t.Fatalf("%s: %q, %v", key, all[key], err)
	}
	return all[key]
}

// checkStory checks the story of the evening after its end: on the display, on a phone that was there, and on one
// that loads its page again and shows the same. The phone draws the picture itself and saves the page.
func (r *room) checkStory() {
	r.t.Helper()
	r.screen.waitUntil("the story on the display", `document.querySelector(".plan nav button")`)
	r.screen.checkAxe(r.t, "the story")
	r.screen.tap("button", inStory(r.t, r.lang, "halt"))

	there, anew := r.phones[0], r.phones[1]
	anew.runActions("reload", chromedp.Reload())
	pages := [2]string{}
	for i, p := range []*tab{there, anew} {
		p.tap("button", r.phrase("phone.story.open"))
		p.waitUntil("the house", `document.querySelector("dialog .house svg")`)
		pages[i] = evaluate[string](p, `document.querySelector("dialog .body").innerText`)
	}
	if pages[0] != pages[1] || pages[0] == "" {
		r.t.Errorf("a phone that comes later is shown\n%s\nand the other\n%s", pages[1], pages[0])
	}
	if one, two := r.story(), r.story(); one != two {
		r.t.Errorf("asked twice, the story is\n%s\nand\n%s", one, two)
	}
	there.checkAxe(r.t, "the story")
	r.pictures("story", there)
	there.runActions("chapter",
		chromedp.Evaluate[chromedp.Void](`window.made = [],
			((f) => URL.createObjectURL = (b) => (made.push(b), f.call(URL, b)))(URL.createObjectURL),
		document.querySelectorAll("dialog nav button")[2].click(), ({})`))
	there.waitUntil("the first chapter", `document.querySelectorAll("dialog nav button")[2].ariaPressed === "true"`)
	r.pictures("story-chapter", there)
	there.tap("button", inStory(r.t, r.lang, "save"))
	there.waitUntil("a picture", `made.length === 1 && made[0].type === "image/png" && made[0].size > 20000`)
	there.waitForText(inStory(r.t, r.lang, "kept"))
	there.tap("button", inStory(r.t, r.lang, "keep"))
	there.waitUntil("a page", `made.length === 2 && made[1].type === "text/html" && made[1].size > made[0].size`)
	there.tap("button", r.phrase("ui.close"))
	there.waitUntil("the phone again", `!document.querySelector("dialog")`)
}

// story returns the story as the daemon serves it to anyone.
func (r *room) story() string {
	r.t.Helper()
	res, err := http.Get(r.d.origin() + "/story.json")
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	var told wire.Story
	if err == nil {
		err = json.Unmarshal(body, &told)
	}
	if last := r.publicView().LastHappeningNumber(); err != nil || len(told.Happened) != last {
		r.t.Fatalf("%s: %d of %d happenings: %v", res.Status, len(told.Happened), last, err)
	}
	return fmt.Sprintf("%s %s", res.Status, body)
}
