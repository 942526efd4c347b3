package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"majordome/engine"
	"majordome/engine/words"
)

// inPage begins an expression that finds elements as people do, by role and by name. "})()" closes it; the text in
// between returns the answer.
const inPage = `(() => {
const norm = (s) => s.replace(/\s+/g, " ").trim().toLowerCase();
const tags = { button: "button,summary,[role=button]", link: "a[href]", region: "section,[role=region]", status: "[role=status]",
  alert: "[role=alert]", heading: "h1,h2,h3", image: "[role=img]", dialog: "dialog", group: "[role=group]", listitem: "li",
  textbox: "input,textarea", combobox: "select", navigation: "nav", radio: "[role=radio]" };
// The browser's own answer is dear, for it reads the whole page each time. It is asked only about what can have
// the name: labels say all of it; otherwise it is made of what the thing says, in that order, or of labels in it.
const labelled = "[aria-label],[aria-labelledby],[title],[alt],title,input,select,textarea";
const may = (e, letters, fits) => {
  const by = (e.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)).filter((l) => l !== null);
  if (by.length > 0 && by.every((l) => !l.matches(labelled) && !l.querySelector(labelled + ",[aria-hidden]")))
    return fits(norm(by.map((l) => l.textContent).join(" ")));
  const label = by.length === 0 ? e.getAttribute("aria-label") : null;
  if (label !== null) return fits(norm(label));
  if (letters.length === 0 || e.matches(labelled) || e.querySelector(labelled)) return true;
  const says = norm(e.textContent);
  let at = 0;
  return letters.every((c) => (at = says.indexOf(c, at) + 1) > 0);
};
// What it has answered is kept until the page changes; how a thing is painted changes neither role nor name.
const heard = (e) => {
  const k = (window.known ??= (() => {
    const k = { all: new WeakMap(), watch: new MutationObserver(() => (k.all = new WeakMap())) };
    k.watch.observe(document, { subtree: true, childList: true, characterData: true,
      attributeFilter: ["aria-hidden", "aria-label", "aria-labelledby", "alt", "hidden", "id", "role", "title"] });
    return k;
  })());
  if (k.watch.takeRecords().length > 0) k.all = new WeakMap();
  if (!k.all.has(e)) k.all.set(e, { role: e.computedRole, name: norm(e.computedName) });
  return k.all.get(e);
};
const all = (role, name) => {
  const want = norm(name);
  const letters = [...want].filter((c) => /[\p{L}\p{N}]/u.test(c));
  const fits = (is) => want.endsWith("*") ? is.startsWith(want.slice(0, -1)) : is === want;
  return [...document.querySelectorAll(tags[role])].filter((e) =>
    may(e, letters, fits) && e.checkVisibility({ visibilityProperty: true }) && heard(e).role === role && fits(heard(e).name));
};
const point = (e) => {
  e.scrollIntoView({ block: "nearest", inline: "nearest" });
  const r = e.getBoundingClientRect();
  // Of a card in a high pile a hand sees its left edge only.
  for (const fy of [.5, .3, .7, .12, .88]) for (const fx of [.5, .3, .7, .12, .88, .04]) {
    const x = r.left + r.width * fx, y = r.top + r.height * fy;
    const hit = document.elementFromPoint(x, y);
    if (hit && (hit === e || e.contains(hit))) return { x, y };
  }
  return null;
};
// Only what is aimed at feels the hand: what has come to lie there since does not.
const aim = () => {
  if (window.aim) return window.aim;
  const a = (window.aim = { at: null, felt: false, done: false });
  const pass = (e) => {
    if (!e.isTrusted || e.type === "click" && e.detail === 0) return; // a keyboard clicks, too
    if (!a.at?.contains(e.target)) {
      e.stopImmediatePropagation();
      e.preventDefault();
    } else if (e.type === "pointerdown") a.felt = true;
    else a.done = true;
  };
  for (const type of ["pointerdown", "click"]) addEventListener(type, pass, true);
  return a;
};
return `

// evaluate returns the value of an expression in terms of inPage. After an error it asks again, for the page may be
// loading: a missing answer never counts as one.
func evaluate[T any](p *tab, js string) T {
	p.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		ctx, cancel := context.WithDeadline(p.ctx, deadline)
		answer, err := chromedp.Run(ctx, chromedp.Evaluate[T](inPage+js+"})()"))
		cancel()
		if err == nil {
			return answer
		}
		if time.Now().After(deadline) {
			p.fail(fmt.Sprintf("cannot be asked: %v", err))
		}
	}
}

// pollUntil tries until ok, and saves a picture when that fails. It polls less and less often, because each poll
// reads the page.
func (p *tab) pollUntil(what string, ok func() bool) {
	p.t.Helper()
	pause := 15 * time.Millisecond
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(pause) {
		if time.Now().After(deadline) {
			p.fail("waits in vain for " + what)
		}
		pause = min(pause*5/4, 120*time.Millisecond)
	}
}

func (p *tab) fail(what string) {
	p.t.Helper()
	p.savePicture("failed-" + p.name)
	p.t.Fatalf("%s: %s\nthe page says: %s", p.name, what, p.text())
}

// waitForElement waits until an element with this role and name is on the page; a name that ends with * is the
// beginning of one.
func (p *tab) waitForElement(role, name string) {
	p.t.Helper()
	p.waitUntil(role+" "+name, inPage+fmt.Sprintf(`all(%q, %q).length > 0`, role, name)+"})()")
}

// hasElement reports whether such an element is on the page now.
func (p *tab) hasElement(role, name string) bool {
	return evaluate[int](p, fmt.Sprintf(`all(%q, %q).length`, role, name)) > 0
}

// hasText reports whether the page shows one of these texts now.
func (p *tab) hasText(words ...string) bool { return evaluate[bool](p, anyTextJS(words)) }

// anyTextJS returns an expression in terms of inPage that is true when the page shows one of these texts.
func anyTextJS(words []string) string {
	list, err := json.Marshal(words)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`((says) => %s.some((w) => says.includes(norm(w))))(norm(document.body.innerText))`, list)
}

// waitForNoElement waits until no element with this role and name is on the page.
func (p *tab) waitForNoElement(role, name string) {
	p.t.Helper()
	p.waitUntil("no "+role+" "+name, inPage+fmt.Sprintf(`all(%q, %q).length === 0`, role, name)+"})()")
}

// waitForNoText waits until the page no longer shows a text.
func (p *tab) waitForNoText(words string) {
	p.t.Helper()
	p.waitUntil("silence about "+words, inPage+"!"+anyTextJS([]string{words})+"})()")
}

type spot struct{ X, Y float64 }

// nthElement returns an expression in terms of inPage for the n-th element of this role and name.
func nthElement(role, name string, n int) string {
	return fmt.Sprintf("all(%q, %q)[%d]", role, name, n)
}

// waitForPoint returns a point where a finger can touch an element, once it is enabled and has stopped moving.
func (p *tab) waitForPoint(thing string) (at spot) {
	p.t.Helper()
	last := spot{}
	p.pollUntil("a free "+thing, func() bool {
		at = p.aimAt(thing)
		still := at != spot{} && at == last
		last = at
		return still
	})
	return at
}

// aimAt returns a point where the element can be touched now, and takes it as the aim; zero when it cannot be
// touched.
func (p *tab) aimAt(thing string) (at spot) {
	p.t.Helper()
	_ = json.Unmarshal([]byte(evaluate[string](p, `((e) => {
		const at = e && !e.matches(":disabled") && point(e);
		Object.assign(aim(), { at: at ? e : null, felt: false, done: false });
		return JSON.stringify(at || {});
	})(`+thing+")")), &at)
	return at
}

// pressAimed presses the aim. It returns false, with the hand up again, when another element covers it meanwhile.
func (p *tab) pressAimed(at spot) bool {
	p.t.Helper()
	p.press(at)
	if evaluate[bool](p, "((a) => { if (!a.felt) a.at = null; return a.felt; })(aim())") { // a late press is none
		return true
	}
	p.lift(at)
	return false
}

// tapAimed presses the aim and lifts; false when that was no tap, because the element moved or went meanwhile.
func (p *tab) tapAimed(at spot) (done bool) {
	p.t.Helper()
	if !p.pressAimed(at) {
		return false
	}
	p.lift(at)
	for range 100 { // The tap of a finger follows a moment after the lift.
		// Another page without a press on it: the tap led there.
		if done = evaluate[bool](p, "aim().done || !aim().felt"); done {
			return true
		}
		time.Sleep(15 * time.Millisecond)
	}
	return evaluate[bool](p, "((a) => { a.at = null; return a.done; })(aim())")
}

// press puts a finger or the mouse down; lift takes it up.
func (p *tab) press(at spot) {
	p.t.Helper()
	if p.touch {
		p.fingers(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: at.X, Y: at.Y})
		return
	}
	p.mouse(input.DispatchMouseEventTypeMouseMoved, at, 0)
	p.mouse(input.DispatchMouseEventTypeMousePressed, at, 1)
}

func (p *tab) lift(at spot) {
	p.t.Helper()
	if p.touch {
		p.fingers(input.DispatchTouchEventTypeTouchEnd)
		return
	}
	p.mouse(input.DispatchMouseEventTypeMouseReleased, at, 1)
}

func (p *tab) fingers(what input.DispatchTouchEventType, points ...*input.TouchPoint) {
	p.t.Helper()
	if points == nil {
		points = []*input.TouchPoint{}
	}
	p.runActions(string(what), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: what, TouchPoints: points})
		return err
	}))
}

func (p *tab) mouse(what input.DispatchMouseEventType, at spot, clicks int64) {
	p.t.Helper()
	p.runActions(string(what), chromedp.MouseEvent(what, at.X, at.Y, func(e *input.DispatchMouseEventParams) {
		e.ClickCount, e.Button = clicks, input.MouseButtonNone
		if clicks > 0 {
			e.Button = input.MouseButtonLeft
		}
		if what == input.DispatchMouseEventTypeMousePressed || what == input.DispatchMouseEventTypeMouseMoved && clicks > 0 {
			e.Buttons = 1
		}
	}))
}

// tap presses and lifts.
func (p *tab) tap(role, name string) { p.t.Helper(); p.tapNth(role, name, 0) }

func (p *tab) tapNth(role, name string, n int) {
	p.t.Helper()
	thing := nthElement(role, name, n)
	p.pollUntil("a tap on "+thing, func() bool { return p.tapAimed(p.waitForPoint(thing)) })
}

// openQuestion taps the key of an act that asks something, unless its question has opened unasked.
func (p *tab) openQuestion(name string) {
	p.t.Helper()
	p.pollUntil("the question of "+name, func() bool {
		if p.hasElement("dialog", name) {
			return true
		}
		if at := p.aimAt(nthElement("button", name, 0)); at != (spot{}) {
			p.tapAimed(at)
		}
		return p.hasElement("dialog", name)
	})
}

// glide puts a finger down on an element, moves it to another that may come only then, and lifts it there: one touch.
func (p *tab) glide(from string, to func() string) {
	p.t.Helper()
	at := p.pressElement(from)
	p.fingers(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: at.X, Y: at.Y - 60})
	there := p.waitForPoint(to())
	p.fingers(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: there.X, Y: there.Y})
	time.Sleep(400 * time.Millisecond) // what is left at once is a swipe
	p.fingers(input.DispatchTouchEventTypeTouchEnd)
}

// typeText types a text where the cursor is.
func (p *tab) typeText(text string) {
	p.t.Helper()
	p.runActions("types "+text, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.InsertText, input.InsertTextParams{Text: text})
		return err
	}))
}

// holdWhile keeps a finger on an element while f runs.
func (p *tab) holdWhile(thing string, f func()) {
	p.t.Helper()
	at := p.pressElement(thing)
	f()
	p.lift(at)
}

// pressElement presses an element.
func (p *tab) pressElement(thing string) (at spot) {
	p.t.Helper()
	p.pollUntil("a hand on "+thing, func() bool {
		at = p.waitForPoint(thing)
		return p.pressAimed(at)
	})
	return at
}

// drag carries an element to the middle of a region.
func (p *tab) drag(thing, region string) {
	p.t.Helper()
	to := p.waitForPoint(nthElement("region", region, 0))
	from := p.pressElement(thing)
	for _, part := range []float64{0.2, 0.6, 1} {
		p.mouse(input.DispatchMouseEventTypeMouseMoved, spot{from.X + (to.X-from.X)*part, from.Y + (to.Y-from.Y)*part}, 1)
	}
	p.lift(to)
}

// elementNames returns the names of all elements of a role whose name has this beginning.
func (p *tab) elementNames(role, beginning string) (all []string) {
	_ = json.Unmarshal(
		[]byte(evaluate[string](p, fmt.Sprintf(`JSON.stringify(all(%q, %q).map((e) => e.computedName))`, role, beginning+"*"))), &all)
	return all
}

// recordText records from now on every text that the page shows, however short. The function that it returns waits
// for a text after the one waited for before.
func (p *tab) recordText() (then func(words string)) {
	p.t.Helper()
	evaluate[bool](p, `(() => {
		window.said = "";
		window.since = 0;
		new MutationObserver(() => (window.said += "\n" + norm(document.body.innerText)))
			.observe(document.body, { subtree: true, childList: true, characterData: true });
		return true;
	})()`)
	return func(words string) {
		p.t.Helper()
		p.waitUntil(words, inPage+
			fmt.Sprintf(`((at) => at >= 0 && ((window.since = at), true))(window.said.indexOf(norm(%q), window.since))`, words)+"})()")
	}
}

// source returns everything in a page: its text and its HTML, with plain spaces only, as language.phrase writes them.
func (p *tab) source() string {
	s := evaluate[string](p, `document.documentElement.outerHTML.replaceAll("&nbsp;", " ") + "\n" + document.body.innerText`)
	return strings.Join(strings.Fields(s), " ")
}

// language renders the texts of the catalogue in one language, as the pages show them.
type language struct {
	t    testing.TB
	book *words.Catalogue
	and  string            // before the last of some names
	own  map[string]string // sentences of the game that replace those of the catalogue
}

func speak(t testing.TB, lang words.Lang) language {
	t.Helper()
	book, err := words.Open(lang)
	if err != nil {
		t.Fatal(err)
	}
	and := map[words.Lang]string{words.FR: " et ", words.EN: " and "}[lang]
	return language{t: t, book: book, and: and}
}

// list joins names as the pages do.
func (l language) list(names ...string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + l.and + names[last]
}

// phrase returns a sentence; args are pairs of placeholder and text.
func (l language) phrase(key string, args ...string) string {
	l.t.Helper()
	if !l.book.HasKey(key) {
		l.t.Fatalf("no words for %s", key)
	}
	if own := l.own[key]; own != "" {
		return own
	}
	return strings.Join(
		strings.Fields(l.book.Render(engine.NewMsg(key, args...), func(string) (engine.Text, bool) { return engine.Text{}, false })), " ")
}

// begins returns the beginning of a sentence, up to the first of these placeholders.
func (l language) begins(key string, blanks ...string) string {
	l.t.Helper()
	var args []string
	for _, b := range blanks {
		args = append(args, b, "|")
	}
	return upToBlank(l.phrase(key, args...))
}

// upToBlank returns the beginning of a sentence, up to its first placeholder, open or filled with a bar.
func upToBlank(said string) string {
	begins, _, _ := strings.Cut(strings.ReplaceAll(said, "{", "|"), "|")
	return strings.TrimSpace(begins)
}
