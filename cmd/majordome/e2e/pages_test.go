package e2e_test

import (
	"testing"

	"majordome/engine"
)

// TestPictures draws every page in the lobby and in the middle of a round.
func TestPictures(t *testing.T) {
	d := startDemo(t)
	b := startBrowser(t)
	host := b.open("host", d.links["host"], phoneSize)
	display := b.open("display", d.links["display"], tableSize)
	table := b.open("bench", d.links["bench"], laptopSize)
	var phones []*tab
	for s := engine.Seat(1); s <= 4; s++ {
		phones = append(phones, b.open(s.String(), d.links[s.String()], phoneSize))
	}
	all := map[string]*tab{"host": host, "display": display, "bench": table, "phone": phones[0]}
	table.says("Anne")
	phones[3].says("David")
	host.says("Anne")
	for name, p := range all {
		p.shot("lobby-" + name)
	}
}
