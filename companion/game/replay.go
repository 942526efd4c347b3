package game

import (
	"errors"
	"fmt"

	"majordome/companion/store"
	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/script"
)

// ErrNoCommands reports that a game was played before commands were recorded.
var ErrNoCommands = errors.New("game: this game was recorded without its commands")

// BuildScript returns a stored game as a script that can be replayed: the commands that were not undone, each
// with its own dice. It contains all secrets of the game.
func BuildScript(book engine.Rulebook, rows []store.Event) (script.Evening, error) {
	live, _, _, err := stepsNotUndone(rows)
	if err != nil {
		return script.Evening{}, fmt.Errorf("game: replay: %w", err)
	}
	e := script.Evening{Game: book.ID()}
	game := book.NewGame()
	for _, s := range live {
		c, err := decodeStep(book, s)
		if err != nil {
			return script.Evening{}, fmt.Errorf("game: replay: %w", err)
		}
		by, err := engine.ParseViewer(c.command.By)
		if err != nil || c.command.Act == "" {
			return script.Evening{}, ErrNoCommands
		}
		cmd := engine.Command{At: c.at, By: by, Act: c.command.Act, Args: c.command.Args}
		_, r := game.Decide(cmd, chance.New(c.command.Seed))
		if r != nil && r.Rule != engine.RuleAlarm { // it has happened; only the alarm is refused and has events
			r = nil
		}
		e.Played = append(e.Played, script.PlayedCommand{
			Reseed: true, Seed: c.command.Seed, Salt: c.command.Salt, Joint: c.command.Joint, Command: cmd, Reject: r,
		})
		game = game.Apply(c.events...)
	}
	for _, s := range game.View(engine.Public).Seats { // scripts name seats by position, so gaps need empty names
		for len(e.Players) < int(s.Seat)-1 {
			e.Players = append(e.Players, "")
		}
		e.Players = append(e.Players, s.Name)
	}
	return e, nil
}
