package e2e_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// TestPingsAreSentFromAWorker checks that a page sends pings to the broker from a worker, which the page's security policy lets it
// start: the timers of a hidden tab would be throttled.
func TestPingsAreSentFromAWorker(t *testing.T) {
	t.Parallel()
	d, b := startDemo(t), startBrowser(t)
	p := b.open("phone", anonymous, phoneSize)
	asked, answered := make(chan bool, 8), make(chan bool, 8)
	if err := chromedp.Listen(p.ctx, func(ev any) {
		switch ev := ev.(type) {
		case *network.EventWebSocketFrameSent:
			if bytes.Equal(ev.Response.PayloadData, []byte{0xc0, 0}) { // PINGREQ, MQTT 3.1.1 section 3.12
				asked <- true
			}
		case *network.EventWebSocketFrameReceived:
			if bytes.Equal(ev.Response.PayloadData, []byte{0xd0, 0}) {
				answered <- true
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	p.runActions("is watched", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{})
		return err
	}), chromedp.Navigate(d.links["seat-1"]))
	p.waitUntil("a connection", `document.querySelector(".live.ok")`)
	for _, sign := range []chan bool{asked, answered} {
		select {
		case <-sign:
		case <-p.ctx.Done():
			t.Fatal("the page has gone")
		case <-time.After(patience):
			t.Fatal("no sign of life was asked for, or none was given")
		}
	}
	if !evaluate[bool](p, `performance.getEntriesByType("resource").some((r) => r.name.includes("beat.worker"))`) {
		t.Error("by a timer of the page")
	}
}
