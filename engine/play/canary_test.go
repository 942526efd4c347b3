package play_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/play"
	"majordome/engine/play/worlds"
	"majordome/engine/script/scripttest"
)

// canary searches texts for what a viewer has not been shown. The ids of the cards are unique words, so a text that contains one shows that
// card.
type canary struct {
	h     *history
	cards []string
}

// checkText returns an error naming a hidden card or role that text shows to v.
func (c canary) checkText(v engine.Viewer, text string) error {
	for _, card := range c.cards {
		if strings.Contains(text, card+`"`) && !c.h.audit.HasSeen(v, card) {
			return fmt.Errorf("%s finds %s and was never shown it: %s", v, card, text)
		}
	}
	for _, role := range []string{"murderer", "innocent"} {
		if !strings.Contains(text, `"role-`+role+`"`) {
			continue
		}
		knows := false
		for s := engine.Seat(1); s <= engine.MaxSeats; s++ {
			knows = knows || c.h.audit.HasSeenRole(v, s) && c.h.audit.TrueRole(s) == role
		}
		if !knows {
			return fmt.Errorf("%s finds a role that it does not know: %s", v, text)
		}
	}
	return nil
}

// printAll writes x in every form in which it may reach a log, an error or a page.
func printAll(x any) string {
	var all strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&all, verb+"\n", x)
	}
	data, err := json.Marshal(x)
	fmt.Fprintf(&all, "%s %v\n", data, err)
	slog.New(slog.NewJSONHandler(&all, nil)).Info("x", "x", x)
	slog.New(slog.NewTextHandler(&all, nil)).Info("x", "x", x)
	all.WriteString(fmt.Sprint(errors.Join(fmt.Errorf("op: %v", x))))
	return all.String()
}

// viewWithoutBox is the view of v, without what only repeats the box: which weapon belongs to which place, and the
// cards that a host may name for a seat.
func viewWithoutBox(g engine.Game, v engine.Viewer) (engine.View, string) {
	out := g.View(v)
	for i := range out.Places {
		out.Places[i].Weapon = ""
	}
	if v.IsHost() {
		out.Offers = nil // what the host may declare lists every card that is not out (GEN-024)
	}
	data, _ := json.Marshal(out)
	return out, string(data)
}

// TestCanary plays random games and looks for every hidden card and role in the views of those who were never shown it, in the texts of
// refusals, and in the printed, logged and marshalled forms of games, events, commands' answers and errors (design 7.2; HC-044, HC-060,
// HC-068, HC-086, HC-115, HC-121, HC-132, HC-141, GEN-002). The audit package records who was shown what.
func TestCanary(t *testing.T) {
	scripttest.SkipIfShort(t)
	b := rulebook(t)
	views, refusals := 0, 0
	n := uint64(60)
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		n = 2000
	}
	for seed := range n {
		dice := chance.New(seed * 7907)
		c := canary{newHistory(b), clueIDs(b)}
		_, _, err := play.Run(b.NewGame(), &play.Opts{Seed: seed, Weigh: weighLobby(seed, everyCardRecorded),
			WantedCommand: overruleSometimes(seed), Cards: taggedCards(b), Check: func(s play.Step) error {
				if _, err := c.h.Add(s.Events); err != nil {
					return err
				}
				for range 2 {
					v := worlds.AllViewers[dice.Intn(len(worlds.AllViewers))]
					views++
					out, text := viewWithoutBox(s.After, v)
					if err := c.checkText(v, text); err != nil {
						return err
					}
					if err := checkOwn(c, v, out); err != nil {
						return err
					}
				}
				if err := c.checkOverseer(s.After); err != nil {
					return err
				}
				if dice.Intn(8) == 0 || s.After.View(engine.Public).Result != nil {
					told, err := json.Marshal(s.After.(engine.Chronicler).Chronicle(nil))
					if err != nil {
						return err
					}
					if err := c.checkText(engine.Public, string(told)); err != nil {
						return fmt.Errorf("the chronicle: %w", err)
					}
				}
				if dice.Intn(8) == 0 {
					// Printed forms may reach a log, so they are searched as for a viewer who knows nothing.
					for _, x := range []any{s.After, s.Events, s.Events[0], []any{s.Before, s.Events}} {
						if text := printAll(x); strings.Contains(text, "0x") {
							return fmt.Errorf("a printed %T shows an address", x)
						} else if err := c.checkPrinted(text, s.Command); err != nil {
							return fmt.Errorf("printed %T: %w", x, err)
						}
					}
				}
				refusals++
				return c.checkRefusal(s.After, s.Command.At, dice)
			}})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d games, %d views and %d refusals searched", n, views, refusals)
}

// checkOverseer checks that the overseer is shown where each hidden card and role is, and nothing else.
func (c canary) checkOverseer(g engine.Game) error {
	where := worlds.CardLocations(g.View(engine.Overseer).Secrets)
	for _, card := range c.cards {
		at := c.h.audit.LocationOf(card)
		if at == "shown" || at == "gone" || strings.HasPrefix(at, "unknown") {
			at = ""
		}
		if where[card] != at {
			return fmt.Errorf("the overseer is shown %s at %q, and it is at %q", card, where[card], at)
		}
	}
	for s := engine.Seat(1); s <= engine.MaxSeats; s++ {
		if role, of := c.h.audit.TrueRole(s), "role of "+s.String(); where[of] != "" && where[of] != "role-"+role {
			return fmt.Errorf("the overseer is shown the %s as %q, and it is %q", of, where[of], role)
		} else if where[of] == "" && role != "" && g.View(engine.Public).Seats != nil && where[of] != role {
			return fmt.Errorf("the overseer is not shown the %s", of)
		}
	}
	return nil
}

// checkOwn checks that only a seat has a hand and a role of its own, and that its role is true.
func checkOwn(c canary, v engine.Viewer, out engine.View) error {
	x, seat := v.Seat()
	if out.Me != nil && (!seat || out.Me.Seat != x) {
		return fmt.Errorf("%s is shown the hand of another", v)
	}
	for _, s := range out.Seats {
		if s.Role != "" && !c.h.audit.HasSeenRole(engine.Public, s.Seat) {
			return fmt.Errorf("%s is shown the role of %s", v, s.Seat)
		}
	}
	if out.Me == nil {
		return nil
	}
	for _, h := range out.Me.Hand {
		if c.h.audit.LocationOf(string(h.Card)) != x.String() {
			return fmt.Errorf("%s is shown %s as its own, which lies elsewhere", v, h.Card)
		}
	}
	return nil
}

// checkPrinted checks that text has no card at all, not even a public one, except those that the command named.
func (c canary) checkPrinted(text string, cmd engine.Command) error {
	for _, card := range c.cards {
		if strings.Contains(text, card) && cmd.Args["card"] != card {
			return fmt.Errorf("%s is named", card)
		}
	}
	for _, role := range []string{"role-murderer", "role-innocent"} {
		if strings.Contains(text, role) {
			return fmt.Errorf("a role is named")
		}
	}
	return nil
}

// checkRefusal tries a random act and searches its refusal. A reason may name what its seat knows or has just named
// itself; the public words only what all know.
func (c canary) checkRefusal(g engine.Game, at engine.Millis, dice *chance.Dice) error {
	card := c.cards[dice.Intn(len(c.cards))]
	v := worlds.AllViewers[dice.Intn(len(worlds.AllViewers))]
	cmd := engine.ScanCommand(at, []string{engine.ReaderUrn, engine.ReaderShow}[dice.Intn(2)], []engine.ID{engine.ID(card)}, dice.Intn(2))
	if dice.Intn(2) == 0 {
		acts := []string{"keep", "take", "take-last", "leave", "destroy", "give", "deposit", "recover", "accuse", "exchange", "move",
			"role", "lay", "observe", "draw"}
		cmd = engine.Command{At: at, By: v, Act: acts[dice.Intn(len(acts))], Args: engine.Args{
			"card": card, "seat": engine.Seat(dice.Intn(8) + 1).String(), "place": "place-3", "value": "murderer"}}
	}
	_, r := g.Decide(cmd, chance.New(1))
	if r == nil {
		return nil
	}
	for _, other := range c.cards {
		words := fmt.Sprint(r.Why.Args)
		switch {
		case strings.Contains(r.Error(), other) ||
			strings.Contains(fmt.Sprint(r.Public), other) && !c.h.audit.HasSeen(engine.Public, other):
			return fmt.Errorf("the refusal of %s names %s to everybody", cmd.Act, other)
		case other != card && strings.Contains(words, other) && !c.h.audit.HasSeen(reasonViewer(cmd, r), other):
			return fmt.Errorf("the refusal of %s names %s", cmd.Act, other)
		}
	}
	return nil
}

// reasonViewer is the viewer that hears the reason.
func reasonViewer(cmd engine.Command, r *engine.Reject) engine.Viewer {
	if r.To != 0 {
		return engine.SeatViewer(r.To)
	}
	return cmd.By
}
