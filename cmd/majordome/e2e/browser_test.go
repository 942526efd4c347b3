package e2e_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// browser is one headless Chromium. Its tabs share their storage, as on a newcomer's computer.
type browser struct {
	t          testing.TB
	ctx        context.Context
	newPlayers bool // its phones belong to players who have never played: they explain the game
	noTree     bool // few elements are looked up by role and name: the browser keeps no accessibility tree
	unpainted  bool // nothing of its pages is drawn, unless pictures are kept
}

// startUnpainted starts a browser that lays its pages out and draws nothing, which saves a third of its work: for tests
// that read and tap. A page of which a picture is taken is drawn from then on.
func startUnpainted(t testing.TB) *browser {
	t.Helper()
	b := startBrowser(t)
	b.unpainted = !filmed()
	return b
}

func startBrowser(t testing.TB) *browser {
	t.Helper()
	path := ""
	// The headless shell draws pages only, without a browser window around them: a quarter less work.
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("no browser: apt install chromium-headless-shell")
		}
		t.Skip("SKIPPED: no browser: apt install chromium-headless-shell")
	}
	// it keeps its data in a folder of its own, and tries again to remove it
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.WSURLReadTimeout(patience), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("lang", "fr-FR"), chromedp.Flag("accept-lang", "fr-FR"),
		// The browser's lists below the address line are never visible, but they are pages, too: they paint without
		// end and need more than all of our pages together.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"),
		// The browser itself computes roles and names, as for a screen reader.
		chromedp.Flag("enable-blink-features", "ComputedAccessibilityInfo"))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	alloc, cancelAlloc := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(alloc)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for the browser to end, so that its folder can be removed
		cancel()
		cancelAlloc()
	})
	return &browser{t: t, ctx: ctx}
}

// private returns a separate device in the same browser: its pages share no storage with the others.
func (b *browser) private() *browser {
	b.t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	b.t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		b.t.Fatalf("another device: %v", err)
	}
	return &browser{t: b.t, ctx: ctx, unpainted: b.unpainted}
}

// tab is one page.
type tab struct {
	t     testing.TB
	name  string
	ctx   context.Context
	touch bool // it is used with fingers
}

// phoneSize, tableSize and laptopSize are window sizes in pixels: a phone held upright, a table screen, a laptop.
var (
	phoneSize  = [2]int64{390, 844}
	tableSize  = [2]int64{1920, 1080}
	laptopSize = [2]int64{1440, 900}
)

func (b *browser) open(name, url string, size [2]int64) *tab {
	b.t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	b.t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil { // the tab lives as long as this context, so it has no timeout
		b.t.Fatalf("open a tab: %v", err)
	}
	p := &tab{t: b.t, name: name, ctx: ctx, touch: size == phoneSize}
	viewport := []chromedp.EmulateViewportOption{}
	if size == phoneSize {
		viewport = append(viewport, chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	p.runActions("open "+url,
		chromedp.EmulateViewport(size[0], size[1], viewport...),
		chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			// The browser keeps the accessibility tree, so that it need not build it for each lookup; benchmarks do
			// without.
			if _, measured := b.t.(*testing.B); !measured && !b.noTree {
				if _, err := cdp.Call(ctx, t, accessibility.Enable, cdp.Empty{}); err != nil {
					return err
				}
			}
			if _, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}}); err != nil {
				return err
			}
			scripts := []string{}
			if !b.newPlayers {
				scripts = append(scripts, `try { localStorage.setItem("majordome:lessons", "off") } catch {}`)
			}
			if b.unpainted {
				scripts = append(scripts, hidePage)
			}
			for _, s := range scripts {
				if _, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument,
					page.AddScriptToEvaluateOnNewDocumentParams{Source: s}); err != nil {
					return err
				}
			}
			// Each tab counts as the front one, like a device on its own.
			_, err := cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
			return err
		}),
		chromedp.Navigate(url))
	return p
}

// hidePage makes a page transparent: its layout stays as it is, and the browser draws nothing. showPage ends that.
const (
	hidePage = `(() => {
		const s = new CSSStyleSheet();
		s.replaceSync(":root { opacity: 0 !important }");
		document.adoptedStyleSheets = [s];
	})()`
	showPage = `document.adoptedStyleSheets = [], ({})`
)

// stopPainting hides the page, for tests that only measure the layout.
func (p *tab) stopPainting() {
	p.t.Helper()
	p.runActions("is not painted", chromedp.Evaluate[chromedp.Void](hidePage+`, ({})`))
}

// close closes the tab before its test ends.
func (p *tab) close() {
	p.t.Helper()
	if err := chromedp.Cancel(p.ctx); err != nil {
		p.t.Errorf("%s: close: %v", p.name, err)
	}
}

func (p *tab) runActions(what string, actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		p.savePicture("failed-" + p.name)
		p.t.Fatalf("%s: %s: %v\nthe page says: %s", p.name, what, err, p.text())
	}
}

// text returns the visible text of the page, with single spaces.
func (p *tab) text() string {
	ctx, cancel := context.WithTimeout(p.ctx, 5*time.Second)
	defer cancel()
	s, _ := chromedp.Run(ctx, chromedp.Evaluate[string](`document.body ? document.body.innerText : ""`))
	return strings.Join(strings.Fields(s), " ")
}

// waitUntil waits until a JavaScript condition is true in the page. The page checks it after each change of its
// document, and four times a second for changes that leave no trace there, such as styles: reading a whole page is
// expensive. After a reload the condition is evaluated again.
func (p *tab) waitUntil(what, js string) {
	p.t.Helper()
	wait := `new Promise((held, failed) => {
		let due, beat;
		const stop = () => { seen.disconnect(); clearTimeout(due); clearInterval(beat); };
		const look = () => {
			due = undefined;
			try {
				if (!(` + js + `)) return;
				held(true);
			} catch (e) {
				failed(e);
			}
			stop();
		};
		const seen = new MutationObserver(() => (due ??= setTimeout(look, 20)));
		seen.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
		beat = setInterval(look, 250);
		look();
	})`
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		ctx, cancel := context.WithDeadline(p.ctx, deadline)
		_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](wait, chromedp.EvalAwaitPromise))
		cancel()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			p.fail(fmt.Sprintf("waits in vain for %s: %v", what, err))
		}
	}
}

// waitForText waits until the page shows one of these texts. Capitals do not count, because the styles write many
// lines in capitals.
func (p *tab) waitForText(words ...string) {
	p.t.Helper()
	p.waitUntil(strings.Join(words, " / "), inPage+anyTextJS(words)+"})()")
}

// artefacts returns the folder for pictures; git ignores it.
func artefacts(t testing.TB) string {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "artefacts")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// filmed reports whether the tests photograph the pages on the way.
func filmed() bool {
	return os.Getenv("MAJORDOME_PICTURES") == "1" || os.Getenv("MAJORDOME_SOAK") == "1"
}

// takeShot saves a picture of the page if the run keeps pictures.
func (p *tab) takeShot(name string) {
	p.t.Helper()
	if filmed() {
		p.savePicture(name)
	}
}

// savePicture saves a picture of the page in the folder artefacts.
func (p *tab) savePicture(name string) {
	p.t.Helper()
	png, err := p.png()
	if err == nil {
		err = os.WriteFile(filepath.Join(artefacts(p.t), name+".png"), png, 0o644)
	}
	if err != nil {
		p.t.Errorf("picture of %s: %v", name, err)
	}
}

// png returns a picture of the visible page.
func (p *tab) png() ([]byte, error) {
	fast := true // a larger file, and a third of the time
	return p.capture(page.CaptureScreenshotParams{OptimizeForSpeed: &fast})
}

// capture returns a picture of the visible page in the given format.
func (p *tab) capture(as page.CaptureScreenshotParams) ([]byte, error) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](showPage)); err != nil {
		return nil, err
	}
	return chromedp.Run(ctx, chromedp.Action[[]byte](func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		r, err := cdp.Call(ctx, t, page.CaptureScreenshot, as)
		if err != nil {
			return nil, err
		}
		return r.Data, nil
	}))
}
