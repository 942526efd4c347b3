package huisclos

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/play"
	"majordome/engine/script/scripttest"
	say "majordome/engine/words"
)

// named lists the acts that a prompt can name, each with the words for it. Where lists is true, each prompt that lists the possible acts
// names this one if it is offered.
var named = []struct {
	said  *regexp.Regexp
	act   string
	lists bool
}{
	{regexp.MustCompile(`tell your role|say what it shows`), "role", false},
	{regexp.MustCompile(`keep exactly`), "keep", false},
	{regexp.MustCompile(`^Choose another place`), "move", false},
	{regexp.MustCompile(`(?i)\bsearch (it|this place)\b`), "search", false},
	{regexp.MustCompile(`(?i)\bexchange\b`), "exchange", false},
	{regexp.MustCompile(`(?i)\baccuse\b`), "accuse", false},
	{regexp.MustCompile(`(?i)\bpass\b|\bend it\b`), "pass", true},
	{regexp.MustCompile(`take one`), "take", false},
	{regexp.MustCompile(`draw a clue`), "draw", false},
	{regexp.MustCompile(`clue to give`), "give", false},
	{regexp.MustCompile(`(?i)\bleave a\b`), "leave", true},
	{regexp.MustCompile(`(?i)\bdestroy\b`), "destroy", true},
	{regexp.MustCompile(`(?i)\bfinish\b`), "done", true},
	{regexp.MustCompile(`put in the urn`), "deposit", false},
	{regexp.MustCompile(`^Open the urn`), "open", false},
	{regexp.MustCompile(`^Name each clue`), "show", false},
	{regexp.MustCompile(`That’s all`), "shown", false},
	{regexp.MustCompile(`(?i)\brecover (one|a)\b`), "recover", false},
	{regexp.MustCompile(`^Lay the remaining`), "lay", false},
}

// publicActs lists the acts that a prompt for all names, each with the words for it.
var publicActs = []struct {
	said *regexp.Regexp
	act  string
}{
	{regexp.MustCompile(`keeps a clue`), "keep"},
	{regexp.MustCompile(`goes to`), "move"},
	{regexp.MustCompile(`takes a clue`), "take"},
	{regexp.MustCompile(`draws a clue`), "draw"},
	{regexp.MustCompile(`gives a clue`), "give"},
	{regexp.MustCompile(`\bleaves\b`), "leave"},
	{regexp.MustCompile(`\bdestroys\b`), "destroy"},
	{regexp.MustCompile(`\bfinishes\b`), "done"},
	{regexp.MustCompile(`opens the urn`), "open"},
	{regexp.MustCompile(`recovers`), "recover"},
	{regexp.MustCompile(`lays out`), "lay"},
}

// TestPromptsNameWhatIsOffered: in random games no seat is prompted for an act that has no key, nor said to do it, a prompt that lists the
// possible acts lists all of them, and no player is asked to choose from one option.
func TestPromptsNameWhatIsOffered(t *testing.T) {
	scripttest.SkipIfShort(t)
	book, err := say.Open(say.EN)
	if err != nil {
		t.Fatal(err)
	}
	lists := regexp.MustCompile(`^hc\.prompt\.(settle|finish|purge|short)`)
	seen, wrong := map[string]int{}, map[string]bool{}
	asked := func(g engine.Game, x engine.Seat) {
		v := g.View(engine.SeatViewer(x))
		if !slices.Contains(v.Active, x) {
			return
		}
		acts := []string{}
		for _, o := range v.Offers {
			if !o.Aside && !slices.Contains(acts, o.Act) && o.Act != "offer-draw" {
				acts = append(acts, o.Act)
			}
		}
		if len(acts) == 0 { // a window waits for the others
			return
		}
		seen[v.Prompt.Key]++
		said := book.Render(engine.Msg{Key: v.Prompt.Key}, nil)
		if v.Prompt.Key == "hc.prompt.act.you" && len(acts) < 2 {
			wrong[fmt.Sprintf("%q, with the only key of %q", said, acts)] = true
		}
		for _, n := range named {
			is, says := slices.Contains(acts, n.act), n.said.MatchString(said)
			if says && !is || is && !says && n.lists && lists.MatchString(v.Prompt.Key) {
				wrong[fmt.Sprintf("%q (%s), with keys of %q", said, v.Prompt.Key, acts)] = true
			}
		}
		public := g.View(engine.Public).Prompt
		if x != v.Active[0] {
			return
		}
		for _, n := range publicActs {
			if said := book.Render(engine.Msg{Key: public.Key}, nil); n.said.MatchString(said) && !slices.Contains(acts, n.act) {
				wrong[fmt.Sprintf("to all: %q (%s), with keys of %q", said, public.Key, acts)] = true
			}
		}
	}
	for seed := range uint64(60) {
		_, _, err := play.Run(dealsBy(t, 4+int(seed%5), chance.New(seed)), &play.Opts{Seed: seed, Check: func(s play.Step) error {
			for x := engine.Seat(1); x <= maxSeats; x++ {
				asked(s.After, x)
			}
			return nil
		}})
		if err != nil {
			t.Error(err)
		}
	}
	t.Log(seen)
	for _, w := range slices.Sorted(maps.Keys(wrong)) {
		t.Error(w)
	}
}
