package light_test

import (
	"context"
	"fmt"
	"time"

	"majordome/devices"
	"majordome/devices/apa102"
	"majordome/devices/apa102/apa102sim"
	"majordome/devices/light"
)

// A simulated strip, the production driver, and the table's newest cue on it.
func Example() {
	layout := light.DefaultLayout(7)
	seen := make(chan string, 1)
	sim := apa102sim.New(&apa102sim.Opts{NumPixels: layout.MinStripLen(), OnFrame: func(px []devices.RGB) {
		urn := layout.Urn.AppendPixels(nil, px)
		if c := light.ScreenColour(urn[0], nil); c.B == 255 && c.R < c.G && c.G < c.B { // the fade has arrived
			select {
			case seen <- "the urn glows blue":
			default:
			}
		}
	}})
	strip, err := apa102.New(sim, &apa102.Opts{NumPixels: layout.MinStripLen()})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), 30*time.Second)
	cues, done := light.NewMailbox(), make(chan error, 1)
	go func() { done <- light.Run(ctx, strip, layout, cues.Cues(), &light.Opts{Calm: true}) }()

	cues.PostCue(light.Cue{Urn: light.Glow{State: light.GlowWaiting, Seat: 3}})
	select {
	case text := <-seen:
		fmt.Println(text)
	case <-ctx.Done():
		fmt.Println("no light")
	}
	stop()
	fmt.Println(<-done)
	// Output:
	// the urn glows blue
	// <nil>
}
