package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine/games/toy"
	"majordome/engine/words"
)

// toyTable builds the program with one more game in its table of games: the test binary of the command line, which
// runs as that program under the name toytable.
func toyTable(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "toytable")
	build := exec.Command("go", "test", "-c", "-trimpath", "-o", program, "majordome/cmd/majordome")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, out)
	}
	return program
}

// TestToy plays a game that no page knows on host, phones, bench and display: the turns use the phone and the urn's
// reader alternately.
func TestToy(t *testing.T) {
	t.Parallel()
	rules, err := toy.TableEntry().Parse("toy.yaml", toy.TableEntry().Default)
	if err != nil {
		t.Fatal(err)
	}
	book, err := rules.NewRulebook()
	if err != nil {
		t.Fatal(err)
	}
	r := open(t, startWith(t, toyTable(t), "--game", "toy"), startUnpainted(t), words.FR, "toy", book.Names(), 2)
	known := func(p *tab) {
		t.Helper()
		if text := p.text(); strings.Contains(text, "toy.") || strings.Contains(text, "character-") || strings.Contains(text, "clue-") {
			t.Errorf("%s shows a key or an id: %s", p.name, text)
		}
	}
	r.pictures("lobby", r.phones[0])
	if step := r.phrase("host.step.first"); r.host.hasText(step) {
		t.Errorf("the host is asked for %q, which this game does not know", step)
	}
	r.host.tap("button", r.phrase("ui.act.begin"))
	for turn := range 4 {
		seat, p := r.waitForTurn(r.phrase("toy.prompt.play.you"))
		for _, other := range r.allPages() {
			if other != p {
				other.waitForText(r.phrase("toy.prompt.play", "seat", players[seat]))
			}
			known(other)
		}
		r.pictures("turn", p)
		if turn%2 == 0 {
			r.choose(p, "deposit", func(string) bool { return true })
		} else {
			p.tap("button", r.phrase("ui.act.deposit"))
			card, _ := r.mark(p, "choose-deposit", func(string) bool { return true })
			hand := r.phrase("ui.bench.spot.hand", "name", players[seat])
			r.bring(hand, "ui.bench.spot.slot", func(name string) bool { return name == card })
		}
		p.waitForNoText(r.phrase("toy.prompt.play.you"))
	}
	winner := r.public.waitFor("the end", func(u wire.Update) bool { return u.View.Result != nil }).View.Result.Winners[0]
	for _, p := range append([]*tab{r.host, r.screen}, r.phones...) {
		p.waitForText(r.phrase("toy.won", "seat", players[winner-1]))
		known(p)
	}
	r.bench.waitForText(r.phrase("toy.prompt.over"))
	known(r.bench)
	r.pictures("end", r.phones[0])
}
