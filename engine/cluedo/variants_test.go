package cluedo_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/play"
	"majordome/engine/script/scripttest"
)

// TestEditionsWithOneChangePlayToAnEnd plays editions that differ from one of the program in one policy or one word of
// the walk, as the edition of a deck may: each is refused with a reason, or plays to an end.
func TestEditionsWithOneChangePlayToAnEnd(t *testing.T) {
	scripttest.SkipIfShort(t)
	n := 10
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		n = 300
	}
	played, refused := 0, 0
	for _, game := range cluedo.Editions() {
		for _, change := range cluedo.OneChanges() {
			text := strings.Replace(string(cluedo.DefaultYAML(game)), "game: "+string(game)+"\n",
				"game: mine\nedition:\n  like: "+string(game)+
					"\n  name: {fr: Mien, en: Mine}\n"+
					"  rules: {again: XY-01, spy: XY-02, back: XY-03, combine: XY-04, displaced: XY-05, displaced-now: XY-06, no-card: "+
					"XY-07}\n  "+change+"\n", 1)
			text = strings.Replace(text, "preset: booklet\n", "", 1)
			text = strings.Replace(text, "{id: suspect-olive, colour", "{id: suspect-olive, fr: Olive, en: Green, colour", 1)
			d, err := cluedo.ParseDeck("mine.yaml", []byte(text))
			if err != nil {
				t.Logf("%s, %s: %v", game, change, err)
				refused++
				continue
			}
			played++
			b := bookOf(t, d)
			for seed := range uint64(n) {
				d := newDealer(b, dealing(seed%uint64(numDealings)), chance.New(seed))
				_, _, err := play.Run(b.NewGame(), eveningOpts(b, seed, d, func(s play.Step) error {
					if err := checkStranded(s.After); err != nil {
						return err
					}
					return s.After.(interface{ CheckInvariants() error }).CheckInvariants()
				}))
				if err != nil {
					t.Errorf("%s, %s: %v", game, change, fmt.Sprint(err)[:min(300, len(fmt.Sprint(err)))])
					break
				}
			}
		}
	}
	t.Logf("%d played, %d refused", played, refused)
}
