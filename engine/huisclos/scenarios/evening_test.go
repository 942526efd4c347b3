package scenarios

import (
	"fmt"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/huisclos"
	"majordome/engine/script"
)

// diceSeed seeds the dice of every evening; the choices differ by their own seed.
const diceSeed = 99

// evening plays a whole game from the lobby by random offers, with refused acts and bad readings in between, and records it.
type evening struct {
	game    engine.Game
	dice    *chance.Dice
	chooser *chance.Dice
	at      engine.Millis
	script.Evening
}

func (e *evening) play(c engine.Command) {
	c.At = e.at
	events, reject := e.game.Decide(c, e.dice)
	e.game = e.game.Apply(events...)
	e.Played = append(e.Played, script.PlayedCommand{Reseed: len(e.Played) == 0, Seed: diceSeed, Command: c, Reject: reject})
}

// dealInLobby seats four players and draws and deals by the machine.
func (e *evening) dealInLobby() {
	for i, who := range []string{"borrow", "worms", "peely", "lecomte"} {
		e.play(engine.Command{By: engine.Host, Act: "sit", Args: engine.Args{
			"seat": engine.Seat(i + 1).String(), "name": e.Players[i], "character": "character-" + who}})
	}
	e.play(engine.Command{By: engine.Host, Act: "first", Args: engine.Args{"seat": "seat-2"}})
	for _, act := range []string{"begin", "draw-roles", "deal"} {
		e.play(engine.Command{By: engine.Host, Act: act})
	}
}

// step plays one random thing.
func (e *evening) step() {
	e.at += engine.Millis(e.chooser.Intn(5000))
	if due := e.game.Deadlines(); len(due) > 0 && e.chooser.Intn(2) == 0 {
		e.at = max(e.at, due[0].At)
		e.play(engine.Command{Act: engine.ActDeadline, Args: engine.Args{"id": due[0].ID}})
		return
	}
	if e.chooser.Intn(10) == 0 { // accepted or not
		e.play(engine.ScanCommand(0, engine.ReaderUrn, []engine.ID{"clue-worms-1", "place-3"}[:e.chooser.Intn(3)], e.chooser.Intn(2)))
		e.play(engine.Command{By: engine.SeatViewer(4), Act: "move", Args: engine.Args{"place": "place-3"}})
	}
	var commands []engine.Command
	for s := engine.Seat(1); s <= 4; s++ {
		for _, o := range engine.AllowedOffers(e.game.View(engine.SeatViewer(s)).Offers) {
			c := engine.Command{By: engine.SeatViewer(s), Act: o.Act, Args: engine.Args{}}
			for name, value := range o.Fixed {
				c.Args[name] = value
			}
			for _, p := range o.Params {
				c.Args[p.Name] = p.Domain[e.chooser.Intn(len(p.Domain))]
			}
			if o.Act == "deposit" && c.Args["card"] != engine.Unnamed && e.chooser.Intn(2) == 0 {
				c = engine.ScanCommand(0, engine.ReaderUrn, []engine.ID{engine.ID(c.Args["card"])}, 0)
			}
			commands = append(commands, c)
		}
	}
	if len(commands) > 0 {
		e.play(commands[e.chooser.Intn(len(commands))])
	}
}

// A script written from a real evening plays the same evening.
func TestAnEveningComesBackFromItsScript(t *testing.T) {
	book, err := huisclos.New(huisclos.DefaultDeck())
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(8) {
		e := &evening{game: book.NewGame(), dice: chance.New(diceSeed), chooser: chance.New(seed)}
		e.Evening = script.Evening{Title: fmt.Sprintf("An evening, seed %d", seed), Game: "huis-clos",
			Players: []string{"Anne", "Bruno", "Chloé", "David"}}
		e.dealInLobby()
		for len(e.Played) < 3000 && e.game.View(engine.Public).Result == nil {
			e.step()
		}
		result := e.game.View(engine.Public).Result
		if result == nil {
			t.Fatalf("seed %d: the evening does not end", seed)
		}
		text, err := script.Export(e.Evening)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		winners := "nobody"
		if len(result.Winners) > 0 {
			names := make([]string, len(result.Winners))
			for i, w := range result.Winners {
				names[i] = w.String()
			}
			winners = strings.Join(names, ",")
		}
		end := fmt.Sprintf("all see result rule=%s winners=%s msg=%s\n", result.Rule, winners, result.Msg.Key)
		s, err := script.Parse("evening", append(text, end...))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if report := script.Run(s, book); !report.OK() || report.Steps < len(e.Played) {
			t.Fatalf("seed %d: %d commands\n%s", seed, len(e.Played), report)
		}
	}
}
