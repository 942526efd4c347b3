package play_test

import (
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/play"
	"majordome/engine/play/worlds"
	"majordome/engine/script/scripttest"
	"majordome/engine/words"
)

// GEN-010: every text that a viewer gets in random games (prompts, lines of the story, facts, refusals, the result) exists in French and in
// English, each blank is filled, and the public hears it in both.
func TestEverythingIsSaidInBothLanguages(t *testing.T) {
	scripttest.SkipIfShort(t)
	b := rulebook(t)
	labels := map[string]engine.Text{}
	for _, n := range b.Names() {
		labels[string(n.ID)] = n.Text
	}
	label := func(v string) (engine.Text, bool) {
		l, ok := labels[v]
		return l, ok
	}
	done := map[string]bool{}
	say := func(m engine.Msg) {
		key := m.Key
		for name := range m.Args.Pairs() {
			key += " " + name
		}
		if m.IsEmpty() || done[key] {
			return
		}
		done[key] = true
		for _, lang := range words.Langs {
			book, err := words.Open(lang)
			if err != nil {
				t.Fatal(err)
			}
			if said := book.Render(m, label); !book.HasKey(m.Key) || strings.ContainsAny(said, "{}") {
				t.Errorf("%s %v in %s: %q", m.Key, m.Args, lang, said)
			}
		}
	}
	acts := []string{"keep", "take", "take-last", "leave", "destroy", "give", "deposit", "recover", "accuse", "exchange", "move", "search",
		"role", "lay", "observe", "draw", "open", "done", "pass", "offer-draw", "begin", "sit", "deal", "nonsense"}
	for seed := range uint64(40) {
		dice := chance.New(seed + 77)
		cards := clueIDs(b)
		_, _, err := play.Run(b.NewGame(),
			&play.Opts{Seed: seed, Weigh: weighLobby(seed, nil), Cards: taggedCards(b), Check: func(s play.Step) error {
				v := s.After.View(worlds.AllViewers[dice.Intn(len(worlds.AllViewers))])
				say(v.Prompt)
				for _, l := range v.Log {
					say(*l.Msg)
				}
				if v.Me != nil {
					for _, m := range v.Me.Facts {
						say(m)
					}
				}
				if v.Result != nil {
					say(v.Result.Msg)
				}
				cmd := engine.Command{At: s.Command.At, By: worlds.AllViewers[dice.Intn(len(worlds.AllViewers))],
					Act: acts[dice.Intn(len(acts))], Args: engine.Args{
						"card": cards[dice.Intn(len(cards))], "seat": engine.Seat(dice.Intn(8) + 1).String(), "place": "place-3",
						"value": "murderer"}}
				if dice.Intn(3) == 0 {
					cmd = engine.ScanCommand(s.Command.At, engine.ReaderUrn, []engine.ID{"clue-worms-1", "place-3"}[:dice.Intn(3)],
						dice.Intn(2))
				}
				if _, r := s.After.Decide(cmd, chance.New(1)); r != nil {
					say(r.Why)
					say(r.Public)
				}
				return nil
			}})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d sentences", len(done))
	if len(done) < 100 {
		t.Error("too little was said")
	}
}
