package e2e_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/engine/words"
)

// TestPhoneFits checks every sample of a phone on the smallest screen: the player's name is at the top, uncut and
// next to the state of the connection; a card that another player shows fits on its paper, and the paper on the page.
func TestPhoneFits(t *testing.T) {
	t.Parallel()
	p := openSamples(t, "phone", "phone", [2]int64{360, 640})
	p.stopPainting()
	const inside = `(() => {
		const box = (e) => e.getBoundingClientRect(), said = (e) => e.className + " " + e.textContent.trim(), wrong = [];
		for (const e of document.querySelectorAll("header h1, header i, header .live, .paper small, .paper b")) {
			if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0) wrong.push("cut: " + said(e));
		}
		const [who, side] = ["header .who", "header .side"].map((s) => document.querySelector(s));
		if (who && box(who).right > box(side).left) wrong.push("over one another: " + said(who) + ", " + said(side));
		const demo = document.querySelector("header strong");
		if (demo && (box(demo).top < box(who).top || box(demo).bottom > box(who).bottom)) wrong.push("a line of its own: " + said(demo));
		const paper = document.querySelector(".peek .paper");
		for (const e of paper ? [paper, ...paper.children] : []) {
			const at = box(e), on = e === paper ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : box(paper);
			if (at.left < on.left || at.top < on.top || at.right > on.right || at.bottom > on.bottom)
				wrong.push("beyond its paper: " + said(e));
		}
		return wrong;
	})()`
	type look struct {
		Sample, Lang string
		Wrong        []string
		Paper        bool
	}
	// One evaluation for all samples: a request to the page takes longer than to show a sample.
	ctx, cancel := context.WithTimeout(p.ctx, 2*patience)
	defer cancel()
	looks, err := chromedp.Run(ctx, chromedp.Evaluate[[]look](`(async () => {
		const all = [];
		for (const Sample of window.samples) for (const Lang of ["fr", "en"]) {
			await show(Sample, Lang);
			document.body.offsetHeight; // it asks for its fonts
			await document.fonts.ready;
			if (document.querySelector("header .who")) all.push({ Sample, Lang,
				Wrong: `+inside+`, Paper: document.querySelector(".peek .see") !== null });
		}
		return all;
	})()`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	papers := 0
	for _, at := range looks {
		for _, wrong := range at.Wrong {
			t.Errorf("%s, %s: %s", at.Sample, at.Lang, wrong)
		}
		if !at.Paper {
			continue
		}
		papers++
		p.runActions("show "+at.Sample,
			chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`show(%q, %q)`, at.Sample, at.Lang), chromedp.EvalAwaitPromise))
		p.holdWhile(nthElement("button", speak(t, words.Lang(at.Lang)).phrase("phone.peek")+"*", 0), func() {
			p.waitUntil("the paper", `document.querySelector(".peek .paper b")`)
			for _, wrong := range evaluate[[]string](p, inside) {
				t.Errorf("%s, %s, held: %s", at.Sample, at.Lang, wrong)
			}
		})
	}
	if len(looks) == 0 || papers == 0 {
		t.Errorf("%d headers, %d papers: there is nothing to look at", len(looks), papers)
	}
	t.Logf("%d headers, %d papers", len(looks), papers)
}

// TestNoteSheetFits checks that the sheet of a Cluedo has the page of a small phone for itself, upright and on its
// side, and that a question meanwhile is above it on one line.
func TestNoteSheetFits(t *testing.T) {
	t.Parallel()
	url := startSamples(t) + "?page=phone&sample=c-answer&lang="
	b := startBrowser(t)
	for _, lang := range words.Langs {
		l := speak(t, lang)
		p := b.open("notes-"+string(lang), url+string(lang), smallSize)
		p.tap("button", l.phrase("phone.tab.notes"))
		p.waitUntil("the sheet", `document.querySelectorAll(".note tr th[scope=row]").length > 20`)
		for _, at := range []struct {
			size [2]int64
			rows int
		}{{smallSize, 8}, {phoneSize, 13}, {[2]int64{640, 360}, 4}} {
			p.runActions("is held", chromedp.EmulateViewport(at.size[0], at.size[1]))
			p.waitUntil("its size", fmt.Sprintf("innerWidth === %d", at.size[0]))
			rows := evaluate[int](p, `(() => {
				const on = document.querySelector(".note .scroll").getBoundingClientRect(),
					head = document.querySelector(".note thead").getBoundingClientRect().bottom;
				return [...document.querySelectorAll(".note tr:has(th[scope=row])")]
					.map((e) => e.getBoundingClientRect())
					.filter((r) => r.top >= head - 1 && r.bottom <= Math.min(on.bottom, innerHeight) + 1).length;
			})()`)
			t.Logf("%s, %dx%d: %d rows", lang, at.size[0], at.size[1], rows)
			if rows < at.rows {
				t.Errorf("%s, %dx%d: %d rows of the sheet are seen, want %d", lang, at.size[0], at.size[1], rows, at.rows)
			}
			if tall := evaluate[int](p, `Math.round(document.querySelector(".fold p").getBoundingClientRect().height /
				parseFloat(getComputedStyle(document.querySelector(".fold p")).lineHeight))`); tall > 2 {
				t.Errorf("%s, %dx%d: what is asked takes %d lines", lang, at.size[0], at.size[1], tall)
			}
			p.takeShot(fmt.Sprintf("notes-%s-%dx%d", lang, at.size[0], at.size[1]))
		}
	}
}
