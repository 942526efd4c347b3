package e2e_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"majordome/companion/wire"
	"majordome/engine"
)

// opening notes, from the first line of a phone's page on, when its hand and when a live connection have been
// painted.
const opening = `(() => {
	const seen = (window.opening = {});
	const channel = new MessageChannel();
	let due = [];
	let end;
	seen.all = new Promise((done) => (end = done)); // nobody asks meanwhile: that would cost the page time
	channel.port1.onmessage = () => {
		for (const k of due) seen[k] ??= performance.now();
		due = [];
		if (seen.hand !== undefined && seen.live !== undefined) end(true);
	};
	const marks = { hand: "section.hand", live: ".live.ok" };
	const eyes = new MutationObserver(() => {
		const fresh = Object.keys(marks).filter((k) => seen[k] === undefined && !due.includes(k) && document.querySelector(marks[k]));
		if (fresh.length > 0) requestAnimationFrame(() => { due.push(...fresh); channel.port2.postMessage(0); });
		if (seen.hand !== undefined && seen.live !== undefined) eyes.disconnect();
	});
	eyes.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
})()`

// opened has the figures of one opening of a page. Times are in ms since the page was requested.
type opened struct {
	Hand, Live float64
	Paint      float64 // the first one with any content
	CPU        float64 // ms of the main thread
	Heap       float64 // MB
	Requests   float64
	All        float64 // bytes of all files
	Before     float64 // bytes of files that had come when the hand was painted
	Socket     float64 // bytes received over MQTT
}

// slowPhone is a page of a phone that is so many times slower, on a Wi-Fi of 1 MB/s down, half of it up, and 20 ms
// latency.
type slowPhone struct {
	*tab
	mu     sync.Mutex
	socket int
}

func (b *browser) slowPhone(name, url string, slower float64) *slowPhone {
	b.t.Helper()
	p := &slowPhone{tab: b.open(name, url, phoneSize)}
	if err := chromedp.Listen(p.ctx, func(ev any) {
		if frame, ok := ev.(*network.EventWebSocketFrameReceived); ok {
			p.mu.Lock()
			p.socket += len(frame.Response.PayloadData)
			p.mu.Unlock()
		}
	}); err != nil {
		b.t.Fatal(err)
	}
	p.runActions("is slow", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		return slow(ctx, t, slower)
	}))
	return p
}

func slow(ctx context.Context, t *chromedp.Target, slower float64) error {
	if _, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{}); err != nil {
		return err
	}
	wifi := &network.Conditions{Latency: 20, DownloadThroughput: 1e6, UploadThroughput: 5e5}
	if _, err := cdp.Call(ctx, t, network.EmulateNetworkConditionsByRule,
		network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{wifi}}); err != nil {
		return err
	}
	if _, err := cdp.Call(ctx, t, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slower}); err != nil {
		return err
	}
	if _, err := cdp.Call(ctx, t, performance.Enable,
		performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
		return err
	}
	_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: opening})
	return err
}

// metric returns one figure of the browser about this page.
func (p *slowPhone) metric(name string) (value float64) {
	p.t.Helper()
	p.runActions("tells "+name, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		all, err := cdp.Call(ctx, t, performance.GetMetrics, cdp.Empty{})
		if err != nil {
			return err
		}
		for _, m := range all.Metrics {
			if m.Name == name {
				value = m.Value
			}
		}
		return nil
	}))
	return value
}

// measureLoad runs the action that opens the page, waits until the page has its hand and its connection, and returns
// the figures.
func (p *slowPhone) measureLoad(how chromedp.Action[chromedp.Void]) (o opened) {
	p.t.Helper()
	p.mu.Lock()
	p.socket = 0
	p.mu.Unlock()
	p.runActions("arrives", how)
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("window.opening.all", chromedp.EvalAwaitPromise)); err != nil || !ok {
		p.fail(fmt.Sprintf("waits in vain for its hand and its connection: %v", err))
	}
	o.CPU = p.metric("TaskDuration") * 1000 // of this page only: each begins at 0
	o.Heap = p.metric("JSHeapUsedSize") / 1e6
	o.Hand, o.Live = evaluate[float64](p.tab, "window.opening.hand"), evaluate[float64](p.tab, "window.opening.live")
	o.Paint = evaluate[float64](p.tab, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0`)
	const files = `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]`
	o.Requests = evaluate[float64](p.tab, files+`.filter((f) => f.transferSize > 0).length`)
	o.All = evaluate[float64](p.tab, files+`.reduce((n, f) => n + f.transferSize, 0)`)
	o.Before = evaluate[float64](p.tab, files+`.filter((f) => f.responseEnd < window.opening.hand).reduce((n, f) => n + f.transferSize, 0)`)
	p.mu.Lock()
	o.Socket = float64(p.socket)
	p.mu.Unlock()
	return o
}

// anonymous is the address of a tab that has no page yet.
const anonymous = "about:blank"

// dealt returns a table where seat 1 has a card in its hand, and a browser that has joined as it.
func dealt(t testing.TB) (*demo, *browser) {
	t.Helper()
	d := startLively(t)
	host := join(t, d.links["host"], engine.Host)
	b := startBrowser(t)
	p := b.open("joins", d.links["seat-1"], phoneSize)
	p.waitUntil("its seat", `document.querySelector("section.hand")`)
	host.waitFor("the lobby", func(wire.Update) bool { return true })
	host.mustSend("begin", nil)
	host.mustSend("draw-roles", nil)
	p.runActions("leaves", chromedp.Navigate(anonymous))
	return d, b
}

// measureOpening measures a first visit with nothing in the cache, then a reload, by a phone so many times slower
// than this machine.
func measureOpening(d *demo, b *browser, slower float64) (cold, reload opened) {
	b.t.Helper()
	p := b.slowPhone(fmt.Sprintf("phone-%g", slower), anonymous, slower)
	p.runActions("forgets", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, network.ClearBrowserCache, cdp.Empty{})
		return err
	}))
	cold = p.measureLoad(chromedp.Navigate(d.origin() + "/#seat=1"))
	reload = p.measureLoad(chromedp.Reload())
	p.close() // a slowed page uses its share of a core while it idles, and the next one would suffer from it
	return cold, reload
}

// BenchmarkOpening measures how a phone opens its page: at this machine's speed, at a fourth and at a sixth of it,
// for the first time and again. Times are medians; the least is given too, because other processes can only lengthen
// them. The processor time does not depend on them.
func BenchmarkOpening(b *testing.B) {
	d, web := dealt(b)
	for _, slower := range []float64{1, 4, 6} {
		b.Run(fmt.Sprintf("%gx", slower), func(b *testing.B) {
			var cold, reload []opened
			for range 5 {
				c, r := measureOpening(d, web, slower)
				cold, reload = append(cold, c), append(reload, r)
			}
			b.Run("first", func(b *testing.B) { report(b, cold) })
			b.Run("reload", func(b *testing.B) { report(b, reload) })
		})
	}
}

func report(b *testing.B, all []opened) {
	at := func(p float64, get func(opened) float64) float64 {
		var values []float64
		for _, o := range all {
			values = append(values, get(o))
		}
		slices.Sort(values)
		return percentile(values, p)
	}
	for name, get := range map[string]func(opened) float64{
		"hand":  func(o opened) float64 { return o.Hand },
		"live":  func(o opened) float64 { return o.Live },
		"paint": func(o opened) float64 { return o.Paint },
	} {
		b.ReportMetric(at(.5, get), name+"-ms")
		b.ReportMetric(at(0, get), name+"-least-ms")
	}
	b.ReportMetric(at(.5, func(o opened) float64 { return o.CPU }), "cpu-ms")
	b.ReportMetric(at(.5, func(o opened) float64 { return o.Heap }), "heap-MB")
	b.ReportMetric(at(.5, func(o opened) float64 { return o.Requests }), "requests")
	b.ReportMetric(at(.5, func(o opened) float64 { return o.All })/1000, "files-KB")
	b.ReportMetric(at(.5, func(o opened) float64 { return o.Before })/1000, "before-hand-KB")
	b.ReportMetric(at(.5, func(o opened) float64 { return o.Socket })/1000, "mqtt-KB")
	b.ReportMetric(0, "ns/op")
}
