package wire

import (
	"errors"
	"fmt"

	"majordome/companion/proof"
)

// Proof commits the table to the deal and to the evening, so that phones can check that nothing is
// changed later (package proof). Public. Root and head are hex.
type Proof struct {
	// Game is the number of the game, which rises with each one at this table.
	Game int64 `json:"game,omitempty"`
	// Root commits to each dealt card with its place, and to the roles. It changes only during a deal.
	Root   string `json:"root,omitempty"`
	Leaves string `json:"leaves,omitempty"` // the leaves of that root, one after the other, in unpadded base64 for URLs
	// Head commits to all steps of the game up to the last happening.
	Head string `json:"head,omitempty"`
	// Checked lists the phones that have checked this root (Handset.String), sorted.
	Checked []string `json:"checked,omitempty"`
}

// Opening shows one fact of the deal to a viewer that may know it.
type Opening struct {
	I    int    `json:"i"`    // index of its leaf, from 0
	Fact string `json:"fact"` // an item and its value, such as "weapon-rope seat-2" or "seat-2 role-innocent"
	Salt string `json:"salt"`
}

// CheckOpenings returns an error if the leaves do not have this root, or an opening is not that of its leaf.
func (p *Proof) CheckOpenings(opened []Opening) error {
	leaves, err := proof.SplitLeaves(p.Leaves)
	if err != nil {
		return err
	}
	if proof.RootOf(leaves).String() != p.Root {
		return errors.New("wire: the leaves have another root")
	}
	for _, o := range opened {
		s, err := proof.ParseSalt(o.Salt)
		if err != nil || o.I < 0 || o.I >= len(leaves) || proof.NewLeaf(s, o.Fact) != leaves[o.I] {
			return fmt.Errorf("wire: leaf %d is another fact", o.I)
		}
	}
	return nil
}
