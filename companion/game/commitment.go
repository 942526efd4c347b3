package game

import (
	"cmp"
	"crypto/rand"
	"slices"

	"majordome/companion/proof"
	"majordome/companion/wire"
	"majordome/engine"
)

// commitment holds the root and the head by which the table is bound to the steps of a game (package proof). It
// follows from the stored commands, so that an undo, a restart or a replay of the game leads to the same. A game with
// a step of an older version, which has no salt, is bound to nothing: its codes would prove nothing of that step.
//
//  1. The number and the order of the leaves, and when the public head changes, follow from public facts.
//  2. A fact gets its leaf in the step that deals it, and keeps it until the host has everything dealt again.
type commitment struct {
	leaves []dealLeaf // never changed in place
	head   proof.Hash // of all steps
	public wire.Proof // root and leaves, and the head up to the last happening: head also shows that a private act was accepted

	unsealed bool // a step has no salt
}

// dealLeaf commits to one fact of the deal.
type dealLeaf struct {
	fact    engine.DealFact
	hash    proof.Hash
	opening wire.Opening // without its index
	read    bool         // by a reader: its index shows the order of reading (GEN-006)
}

func newDealLeaf(f engine.DealFact, s proof.Salt, read bool) dealLeaf {
	return dealLeaf{f, proof.NewLeaf(s, f.String()), wire.Opening{Fact: f.String(), Salt: s.Text()}, read}
}

// randomSalt returns the salt of a new step.
func randomSalt() (s proof.Salt) {
	_, _ = rand.Read(s[:]) // it cannot fail since Go 1.24
	return s
}

// committedBytes returns what the head commits to: the command of a step with its time and the seed of its dice.
func (played *gameStep) committedBytes() []byte {
	if played.committed == nil {
		c := played.command
		c.Salt = ""
		played.committed = mustJSON(struct {
			At engine.Millis `json:"at"`
			storedCommand
		}{played.at, c})
	}
	return played.committed
}

// encodeCommand returns the command as the journal stores it: what the head commits to, and the salt.
func (played *gameStep) encodeCommand() []byte {
	all := played.committedBytes()
	if played.command.Salt == "" {
		return all
	}
	return slices.Concat(all[:len(all)-1], []byte(`,"salt":"`), []byte(played.command.Salt), []byte(`"}`))
}

// withStep returns the commitment after one more step, which has led from one game to another.
func (k commitment) withStep(played *gameStep, before, after *cachedGame) commitment {
	salt, err := proof.ParseSalt(played.command.Salt)
	if k.unsealed || err != nil {
		return commitment{unsealed: true}
	}
	k.head = k.head.AddStep(salt, played.committedBytes())
	if played.command.Joint != "" {
		if joint, err := proof.ParseJoint(played.command.Joint); err == nil {
			k.public.Seed = wire.NewSeed(joint, false)
		}
	}
	was := before.Progress()
	if was.LastHappening != after.Progress().LastHappening {
		k.public.Head = k.head.String()
	}
	if was.IsDealing() {
		k.setLeaves(k.leavesAfter(played, salt, before, after))
	}
	return k
}

// leavesAfter returns the leaves after one more step of a deal.
func (k *commitment) leavesAfter(played *gameStep, salt proof.Salt, before, after *cachedGame) []dealLeaf {
	next := after.View(engine.Overseer)
	has := next.DealFacts()
	leaves := slices.DeleteFunc(slices.Clone(k.leaves), func(l dealLeaf) bool { return !slices.Contains(has, l.fact) })
	isScan := played.command.Act == engine.ActScan
	var had []engine.DealFact
	switch {
	case !isScan && played.command.By != engine.Host.String():
		if len(leaves) > 0 {
			return k.leaves // what a seat names of its own is private: only the end of the whole deal shows
		}
		return nil
	case before.publicView().DealsAll(played.command.Act):
		leaves = nil // new ones for all: those that stay would show what has not changed
	default:
		last := before.View(engine.Overseer)
		had = last.DealFacts()
	}
	now := after.publicView()
	for _, f := range dealtFacts(&played.command, now, has) {
		if !slices.Contains(had, f) && len(leaves) < proof.MaxLeaves {
			leaves = append(leaves, newDealLeaf(f, salt.SaltFor(f.Item), isScan && now.Case != nil))
		}
	}
	return leaves
}

// setLeaves replaces the leaves, and what all viewers may see of them.
func (k *commitment) setLeaves(leaves []dealLeaf) {
	k.leaves = leaves
	k.public.Root, k.public.Leaves = "", ""
	if len(leaves) == 0 {
		return
	}
	hashes := make([]proof.Hash, len(leaves))
	for i := range leaves {
		hashes[i] = leaves[i].hash
	}
	var seed []proof.Hash
	if k.public.Seed != nil {
		seed = append(seed, k.public.Seed.Public())
	}
	k.public.Root, k.public.Leaves = proof.RootOf(hashes, seed...).String(), proof.JoinLeaves(hashes)
}

// dealtFacts returns those of the facts on record that a step of the deal itself has dealt, in the order of their
// items. Others may be on record because they follow from all that was read, and whether they do is secret.
func dealtFacts(c *storedCommand, public *engine.View, onRecord []engine.DealFact) []engine.DealFact {
	all := slices.Clone(onRecord)
	if public.Case != nil && !public.Case.Virtual {
		cards := c.Args.SplitList("cards")
		all = slices.DeleteFunc(all, func(f engine.DealFact) bool { return !slices.Contains(cards, f.Item) })
	}
	slices.SortFunc(all, func(a, b engine.DealFact) int { return cmp.Compare(a.Item, b.Item) })
	return all
}

// publicProof returns what all viewers may see of the commitment of a game; nil if there is none.
func (k *commitment) publicProof(gameID int64) *wire.Proof {
	if k.public.Root == "" && k.public.Head == "" && k.public.Seed == nil {
		return nil
	}
	p := k.public
	p.Game = gameID
	return &p
}

// openingsFor opens the facts that a view itself states: nobody learns a fact from an opening.
func (k *commitment) openingsFor(v *engine.View) (open []wire.Opening) {
	if len(k.leaves) == 0 {
		return nil
	}
	known := v.DealFacts()
	for i, l := range k.leaves {
		if slices.Contains(known, l.fact) && (!l.read || l.fact.Value == v.Viewer || l.fact.Value == engine.InEnvelope) {
			l.opening.I = i
			open = append(open, l.opening)
		}
	}
	return open
}
