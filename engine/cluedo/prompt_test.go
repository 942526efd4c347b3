package cluedo_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/play"
	"majordome/engine/script/scripttest"
	"majordome/engine/words"
)

// names are the acts that a prompt can name, with what it says of each; one that is named in
// another way than by itself has several acts.
var names = []struct {
	said *regexp.Regexp
	acts []string
}{
	{regexp.MustCompile(`(?i)\baccuse`), []string{"accuse"}},
	{regexp.MustCompile(`(?i)\bhypothesis`), []string{"hypothesis"}},
	{regexp.MustCompile(`pool cards`), []string{"peek"}},
	{regexp.MustCompile(`(?i)\bend your turn|\bend it\b|the end of your turn|or stop\b`), []string{"end"}},
	{regexp.MustCompile(`(?i)\bstay here|or stay|^stay|[,:] stay`), []string{"stay", "move"}}, // of no step: to say where one is
	{regexp.MustCompile(`the passage`), []string{"passage"}},
	{regexp.MustCompile(`Power`), []string{"power"}},
	{regexp.MustCompile(`(?i)\bplay a card`), []string{"play"}},
	{regexp.MustCompile(`^Roll`), []string{"roll"}},
	{regexp.MustCompile(`^(Move|Walk|Go|Choose how)\b`), []string{"move", "roll", "passage"}},
	{regexp.MustCompile(`(?i)^draw|: draw`), []string{"draw"}},
}

// TestPromptsNameWhatIsOffered: in random games of every edition no seat is asked for what has no key, and
// where a prompt lists what may be done it lists all of it.
func TestPromptsNameWhatIsOffered(t *testing.T) {
	scripttest.Slow(t)
	book, err := words.Open(words.EN)
	if err != nil {
		t.Fatal(err)
	}
	lists := regexp.MustCompile(`^cl\.prompt\.(act\.(must|peek|pool|room)|end\.)`)
	seen := map[string]int{}
	asked := func(g engine.Game, x engine.Seat) error {
		v := g.View(engine.At(x))
		if v.Phase != "turn" || !slices.Contains(v.Active, x) || len(v.Offers) == 0 { // an answer waits for its moment
			return nil
		}
		seen[v.Prompt.Key]++
		said, acts := book.Say(engine.Msg{Key: v.Prompt.Key}, nil), []string{}
		for _, o := range v.Offers {
			if !o.Aside {
				acts = append(acts, o.Act)
			}
		}
		for _, n := range names {
			is, named := slices.ContainsFunc(acts, func(a string) bool { return slices.Contains(n.acts, a) }), n.said.MatchString(said)
			if named && !is || is && !named && len(n.acts) == 1 && n.acts[0] != "roll" && n.acts[0] != "draw" && lists.MatchString(v.Prompt.Key) {
				return fmt.Errorf("%s reads %q (%s), and is offered %q", x, said, v.Prompt.Key, acts)
			}
		}
		return nil
	}
	eachGame(t, func(t *testing.T, books []*cluedo.Book) {
		for seed := range uint64(24) {
			b := books[seed%2]
			d := newDealer(b, dealing(seed/2%uint64(numDealings)), chance.New(seed))
			_, _, err := play.Run(b.New(), evening(b, seed, d, func(s play.Step) (err error) {
				for x := engine.Seat(1); x <= 10 && err == nil; x++ {
					err = asked(s.After, x)
				}
				return err
			}))
			if err != nil && !strings.Contains(err.Error(), "does not end") {
				t.Error(err)
			}
		}
	})
	t.Log(seen)
	for _, rare := range []string{"act.pool", "act.must", "end.both", "move.ways", "start.still", "start.free"} {
		if seen["cl.prompt."+rare] == 0 {
			t.Errorf("cl.prompt.%s was never met", rare)
		}
	}
}
