package game

import (
	"errors"
	"fmt"
	"slices"

	"majordome/companion/proof"
	"majordome/engine"
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

// SeedError reports that the dice of a command were not those of the seed to which phones have added.
type SeedError struct{ N int }

// Error names the command by its number.
func (e *SeedError) Error() string {
	return fmt.Sprintf("game: prove: command %d has the dice of another seed", e.N)
}

// Commitments are the codes that a table has shown during an evening, in order (wire.Proof).
type Commitments struct {
	Roots []string // of each deal, complete
	Heads []string // after each happening; the last one is that of the whole evening
	// Phones are the phones that have added to the seed of all draws; empty: each draw had a seed of the table alone.
	Phones []string
	Draws  int
}

// ProveEvening plays an evening again by the rules and returns what its table was committed to. It returns an
// OutcomeError if a command has another outcome than it had, a SeedError if the dice had another seed. An undone deal is not part of
// the evening.
func ProveEvening(book engine.Rulebook, e script.Evening) (c Commitments, err error) {
	p := gameState{game: &cachedGame{Game: book.NewGame()}}
	for i, played := range e.Played {
		if _, err := proof.ParseSalt(played.Salt); err != nil || !played.Reseed {
			return c, ErrNoSalts
		}
		cmd := played.Command
		joint := p.joint
		if cmd.Act == actBegin {
			joint, _ = proof.ParseJoint(played.Joint)
		}
		seed := newStepSeed(played.Seed, 0)
		if joint != nil {
			if seed = p.draws.nextSeed(joint, cmd.Act); seed.value != played.Seed {
				return c, &SeedError{i + 1}
			}
		}
		events, r := p.game.Decide(cmd, seed.dice)
		if len(events) == 0 || (r == nil) != (played.Reject == nil) || r != nil && r.Rule != played.Reject.Rule {
			return c, &OutcomeError{i + 1}
		}
		p = p.withStep(gameStep{events: events, at: cmd.At, command: storedCommand{
			By: cmd.By.String(), Act: cmd.Act, Args: cmd.Args, Seed: played.Seed, Salt: played.Salt,
			Joint: played.Joint, Draw: seed.usedDraw(),
		}}, p.game.Apply(events...))
		shown := p.commitment.public
		if shown.Root != "" && !p.game.Progress().IsDealing() {
			c.Roots = appendNew(c.Roots, shown.Root)
		}
		if shown.Head != "" {
			c.Heads = appendNew(c.Heads, shown.Head)
		}
	}
	if c.Draws = p.draws.total(); p.joint != nil {
		for _, one := range p.joint.Phones {
			if one.Opened {
				c.Phones = append(c.Phones, one.Phone)
			}
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
