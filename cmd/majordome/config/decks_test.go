package config

import (
	"strings"
	"testing"

	"majordome/engine/games"
)

// A reader or a segment for a place that no deck has is reported with its line. A place of any known game, or a
// numbered one, is accepted.
func TestAPlaceOfNoDeckIsReported(t *testing.T) {
	c, err := parseText(t, "readers:\n  - {role: place-slaon, spi: SPI1.0}\n  - {role: place-spa, spi: SPI1.1}\n"+
		"  - {role: place-pool, spi: SPI1.2}\n  - {role: place-12, chip: node, port: /dev/n}")
	if err != nil {
		t.Fatal(err)
	}
	g, err := c.ReadDecks(games.KnownGames())
	if err != nil || g.Skipped == nil || !strings.Contains(g.Skipped.Error(), `:2:12: role: no deck has a place "place-slaon"`) ||
		strings.Count(g.Skipped.Error(), "no deck") != 1 {
		t.Errorf("%v, %v", err, g.Skipped)
	}
	c, err = parseText(t,
		"strips:\n  - chip: apa102\n    spi: SPI0.0\n    segments: {clock: 0-7, salon: 8, room-spa: 9, place-3: 10, colck: 11}")
	if err != nil {
		t.Fatal(err)
	}
	if g, err = c.ReadDecks(games.KnownGames()); err != nil || g.Skipped == nil || !strings.Contains(g.Skipped.Error(), `:4:71: `) ||
		!strings.Contains(g.Skipped.Error(), `segments: no deck has a place "colck"`) || strings.Count(g.Skipped.Error(), "no deck") != 1 {
		t.Errorf("%v, %v", err, g.Skipped)
	}
}
