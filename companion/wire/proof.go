package wire

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
	// Seed says how the seed of all dice was made; nil if no phone has added to it. The root commits
	// to it, too.
	Seed *Seed `json:"seed,omitempty"`
}

// Seed is made of random parts of the table and of the phones (proof.Exchange). All are bound to
// their parts by hashes, in hex, before any part is opened. Public.
type Seed struct {
	Table string `json:"table"` // hash of the part of the table, which stays secret
	// Phones are the phones by their names, each with its part or with "-" and the hash of it:
	// "seat-2.2:-6f0e…". Those without a part when the game begins are left out.
	Phones []string `json:"phones,omitempty"`
	Open   bool     `json:"open,omitempty"` // no phone is added any more, and phones open their parts
}

// NewSeed returns what all may know of a seed.
func NewSeed(j *proof.Joint, open bool) *Seed {
	s := &Seed{Table: proof.HashSecret(j.Secret).String(), Open: open}
	for _, p := range j.Phones {
		s.Phones = append(s.Phones, p.String())
	}
	return s
}

// Public returns the hash of s in the root (proof.Joint.Public).
func (s *Seed) Public() proof.Hash { return proof.HashPublic(s.Table, s.Phones) }

// CheckPart returns an error if the seed is not the one for which a phone has opened its part, or does not have the part.
// agreed is the seed as it was then.
func (s *Seed) CheckPart(agreed *Seed, phone string, part proof.Salt) error {
	if s.Table != agreed.Table || !slices.Equal(hideParts(s.Phones), hideParts(agreed.Phones)) {
		return errors.New("wire: the seed has changed after the parts were opened")
	}
	if !slices.Contains(s.Phones, phone+":"+part.Text()) {
		return errors.New("wire: the seed leaves out a part that was opened")
	}
	return nil
}

// hideParts replaces parts by their hashes.
func hideParts(phones []string) (hidden []string) {
	for _, one := range phones {
		name, text, _ := strings.Cut(one, ":")
		if part, err := proof.ParseSalt(text); err == nil { // it may begin with "-", as a hash does
			one = name + ":-" + proof.HashPart(part).String()
		}
		hidden = append(hidden, one)
	}
	return hidden
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
	var public []proof.Hash
	if p.Seed != nil {
		public = append(public, p.Seed.Public())
	}
	if proof.RootOf(leaves, public...).String() != p.Root {
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
