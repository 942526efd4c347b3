package e2e_test

import (
	"strings"
	"testing"

	"majordome/companion/proof"
	"majordome/companion/wire"
	"majordome/engine"
)

// TestPhonesAddToTheSeed begins a Cluedo with the pages of two phones: both add to the seed of the deal, and both find that it was
// dealt from there.
func TestPhonesAddToTheSeed(t *testing.T) {
	t.Parallel()
	d, b := startDemo(t, "--game", "cluedo-2008"), startBrowser(t)
	host := join(t, d.links["host"], engine.Host)
	for _, seat := range []string{"seat-1", "seat-2"} {
		b.open(seat, d.links[seat], phoneSize)
	}
	host.waitFor("the hashes of two phones", func(u wire.Update) bool {
		return u.Proof != nil && u.Proof.Seed != nil && len(u.Proof.Seed.Phones) == 2
	})
	host.mustSend("begin", nil)
	begun := host.latest().Proof.Seed
	for _, p := range begun.Phones {
		if _, part, _ := strings.Cut(p, ":"); len(part) > proof.SaltSize*2 { // a hash
			t.Errorf("%s was left out", p)
		}
	}
	host.mustSend("deal", nil)
	host.waitFor("both phones to check the deal", func(u wire.Update) bool { return len(u.Proof.Checked) == 2 })
}
