package cluedo_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/play"
	"majordome/engine/script/scripttest"
	say "majordome/engine/words"
)

// says lists the acts that a prompt can name, each with the words for it, any of which will do. Where lists is true, each prompt that lists
// the possible acts names this one if it is offered.
var says = []struct {
	said  *regexp.Regexp
	acts  []string
	lists bool
}{
	{regexp.MustCompile(`(?i)\baccuse\b`), []string{"accuse"}, true},
	{regexp.MustCompile(`(?i)make a hypothesis`), []string{"hypothesis"}, true},
	{regexp.MustCompile(`(?i)\bpool cards\b`), []string{"peek"}, true},
	{regexp.MustCompile(`(?i)end your turn|simply end it|end of your turn|, or stop`), []string{"end"}, true},
	{regexp.MustCompile(`(?i)roll the dice`), []string{"roll"}, false},
	{regexp.MustCompile(`(?i)^(move|walk|go)\b|move your pawn`), []string{"move", "roll", "passage", "stay"}, false},
	{regexp.MustCompile(`(?i)\bstay\b`), []string{"stay", "move"}, false},
	{regexp.MustCompile(`(?i)\bpassage\b`), []string{"passage"}, false},
	{regexp.MustCompile(`(?i)\bplay a card\b`), []string{"play"}, true},
	{regexp.MustCompile(`(?i)\bpower\b`), []string{"power"}, true},
	{regexp.MustCompile(`(?i)\bpass\b`), []string{"pass"}, true},
	{regexp.MustCompile(`Show one of the`), []string{"answer"}, false},
	{regexp.MustCompile(`(?i)\bdraw (a|an|the)\b`), []string{"draw"}, false},
}

// canMoveFresh reports whether there is a way to move without dice.
func canMoveFresh(acts []string) bool {
	return slices.Contains(acts, "stay") || slices.Contains(acts, "passage")
}

// TestPromptsNameWhatIsOffered: in random games of all editions no seat is prompted for an act that has no key, a prompt that lists the
// possible acts lists all of them, and no player is asked to choose from one option.
func TestPromptsNameWhatIsOffered(t *testing.T) {
	scripttest.SkipIfShort(t)
	words, err := say.Open(say.EN)
	if err != nil {
		t.Fatal(err)
	}
	lists := regexp.MustCompile(`^cl\.prompt\.(act|end|start|shown)\.`)
	way := regexp.MustCompile(`^cl\.prompt\.start\.said`)       // says what is done next, of all that may be
	any := regexp.MustCompile(`^cl\.prompt\.(act|start)\.you$`) // name none
	eachGame(t, func(t *testing.T, books []*cluedo.Book) {
		seen, wrong := map[string]int{}, map[string]bool{}
		asked := func(g engine.Game, x engine.Seat) {
			v := g.View(engine.SeatViewer(x))
			acts := []string{}
			for _, o := range v.Offers {
				if !o.Aside && !slices.Contains(acts, o.Act) {
					acts = append(acts, o.Act)
				}
			}
			if !slices.Contains(v.Active, x) || len(acts) == 0 {
				return
			}
			key := v.Prompt.Key
			seen[key]++
			said := words.Render(engine.Msg{Key: key}, nil)
			if strings.HasPrefix(key, "cl.prompt.start.roll") && canMoveFresh(acts) {
				wrong[fmt.Sprintf("%q, with keys of %q", said, acts)] = true
			}
			if any.MatchString(key) && len(acts) < 2 {
				wrong[fmt.Sprintf("%q, with the only key of %q", said, acts)] = true
			}
			for _, n := range says {
				is := slices.ContainsFunc(n.acts, func(act string) bool { return slices.Contains(acts, act) })
				told := n.said.MatchString(said)
				if told && !is || is && !told && n.lists && lists.MatchString(key) && !way.MatchString(key) && !any.MatchString(key) {
					wrong[fmt.Sprintf("%q (%s), with keys of %q", said, key, acts)] = true
				}
			}
		}
		for i, b := range books {
			for seed := range uint64(24) {
				d := newDealer(b, dealing(seed%uint64(numDealings)), chance.New(seed))
				if _, _, err := play.Run(b.NewGame(), eveningOpts(b, seed+uint64(i)*100, d, func(s play.Step) error {
					for x := engine.Seat(1); x <= engine.MaxSeats; x++ {
						asked(s.After, x)
					}
					return nil
				})); err != nil {
					t.Error(err)
				}
			}
		}
		t.Log(seen)
		for _, w := range slices.Sorted(maps.Keys(wrong)) {
			t.Error(w)
		}
	})
}
