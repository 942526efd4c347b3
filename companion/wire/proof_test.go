package wire

import (
	"fmt"
	"slices"
	"testing"

	"majordome/companion/proof"
	"majordome/engine/chance"
)

// randomProof returns a random deal, its salts and leaves, and openings of some of its facts.
func randomProof(dice *chance.Dice) (leaves []proof.Hash, all, some []Opening) {
	var step proof.Salt
	for i := range step {
		step[i] = byte(dice.Intn(256))
	}
	for i := range 1 + dice.Intn(proof.MaxLeaves) {
		item := fmt.Sprintf("card-%d", i)
		fact, salt := fmt.Sprintf("%s seat-%d", item, 1+dice.Intn(10)), step.SaltFor(item)
		leaves = append(leaves, proof.NewLeaf(salt, fact))
		all = append(all, Opening{i, fact, salt.Text()})
		if dice.Intn(2) == 0 {
			some = append(some, all[i])
		}
	}
	return leaves, all, some
}

// TestEachChangeIsFound deals 1,000 times. Any of the facts can be opened, and each single change of a fact, a salt, an
// index, a leaf or the root is found.
func TestEachChangeIsFound(t *testing.T) {
	changes := 0
	for seed := range uint64(1000) {
		dice := chance.New(seed)
		leaves, all, some := randomProof(dice)
		root := proof.RootOf(leaves)
		check := func(root proof.Hash, leaves []proof.Hash, opened []Opening) error {
			return (&Proof{Root: root.String(), Leaves: proof.JoinLeaves(leaves)}).CheckOpenings(opened)
		}
		for _, opened := range [][]Opening{nil, some, all} {
			if err := check(root, leaves, opened); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		mustFail := func(what string, root proof.Hash, leaves []proof.Hash, opened []Opening) {
			t.Helper()
			changes++
			if check(root, leaves, opened) == nil {
				t.Fatalf("seed %d: a changed %s is not found", seed, what)
			}
		}
		bit, at := byte(1)<<dice.Intn(8), dice.Intn(len(root))
		other := root
		other[at] ^= bit
		mustFail("root", other, leaves, some)
		mustFail("number of leaves", root, append(slices.Clone(leaves), proof.Hash{}), some)
		n := dice.Intn(len(leaves))
		changed := slices.Clone(leaves)
		changed[n][at] ^= bit
		mustFail("leaf", root, changed, some)
		for what, to := range map[string]Opening{
			"fact": {n, all[n].Fact + "0", all[n].Salt}, "salt": {n, all[n].Fact, proof.Salt{}.Text()},
			"index":          {n + 1, all[n].Fact, all[n].Salt},
			"negative index": {-1, all[n].Fact, all[n].Salt}, "form of a salt": {n, all[n].Fact, all[n].Salt + "="},
		} {
			opened := slices.Clone(all)
			opened[n] = to
			mustFail(what, root, leaves, opened)
		}
	}
	t.Logf("%d changes found", changes)
}
