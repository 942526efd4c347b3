package game

import (
	"errors"
	"fmt"
	"slices"

	"majordome/companion/proof"
	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/script"
)

// ErrNoSalts reports that a game was played before its table was committed to anything.
var ErrNoSalts = errors.New("game: this game was recorded without salts")

// OutcomeError reports that a command of an evening has another outcome than it had: the evening was changed, or was
// played with another deck.
type OutcomeError struct{ N int }

// Error names the command by its number.
func (e *OutcomeError) Error() string {
	return fmt.Sprintf("game: prove: command %d has another outcome", e.N)
}

// Commitments are the codes that a table has shown during an evening, in order (wire.Proof).
type Commitments struct {
	Roots []string // of each deal, complete
	Heads []string // after each happening; the last one is that of the whole evening
}

// ProveEvening plays an evening again by the rules and returns what its table was committed to. It returns an
// OutcomeError if a command has another outcome than it had. An undone deal is not part of the evening.
func ProveEvening(book engine.Rulebook, e script.Evening) (c Commitments, err error) {
	p := gameState{game: &cachedGame{Game: book.NewGame()}}
	for i, played := range e.Played {
		if _, err := proof.ParseSalt(played.Salt); err != nil || !played.Reseed {
			return c, ErrNoSalts
		}
		cmd := played.Command
		events, r := p.game.Decide(cmd, chance.New(played.Seed))
		if len(events) == 0 || (r == nil) != (played.Reject == nil) || r != nil && r.Rule != played.Reject.Rule {
			return c, &OutcomeError{i + 1}
		}
		p = p.withStep(gameStep{events: events, at: cmd.At, command: storedCommand{
			By: cmd.By.String(), Act: cmd.Act, Args: cmd.Args, Seed: played.Seed, Salt: played.Salt,
		}}, p.game.Apply(events...))
		shown := p.commitment.public
		if shown.Root != "" && !p.game.publicView().IsDealing() {
			c.Roots = appendNew(c.Roots, shown.Root)
		}
		if shown.Head != "" {
			c.Heads = appendNew(c.Heads, shown.Head)
		}
	}
	return c, nil
}

// appendNew appends a code unless it is the last one.
func appendNew(all []string, code string) []string {
	if slices.Contains(all[max(0, len(all)-1):], code) {
		return all
	}
	return append(all, code)
}
