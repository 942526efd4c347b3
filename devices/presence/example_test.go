package presence_test

import (
	"context"
	"fmt"
	"time"

	"majordome/devices"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/devices/presence"
)

// A card falls past a reader. With real hardware, mfrc522.Open("SPI1.0", nil)
// takes the place of the simulator and both clocks are left out.
func Example() {
	sim := mfrc522sim.New(nil)
	card, _ := devices.ParseUID("04:A1:B2:C3:D4:E5:F6")
	_ = sim.PlaceTags(mfrc522sim.Tag{UID: card, Arrive: time.Second, Stay: 17 * time.Millisecond})

	reader, err := mfrc522.New(sim.Port(), &mfrc522.Opts{Clock: sim.Clock()})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	_ = presence.Watch(ctx, reader, &presence.WatchOpts{Clock: sim.Clock()}, func(e presence.Event) {
		fmt.Println(e.Kind, e.Tag.UID)
		if e.Kind == presence.Left {
			stop()
		}
	})
	// Output:
	// arrived 04A1B2C3D4E5F6
	// left 04A1B2C3D4E5F6
}
