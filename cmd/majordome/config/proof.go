package config

import (
	"time"

	"majordome/engine/ownfile"
)

// A listen that the page has changed may open well and be reached by nobody: the address of another network, a port that a wall
// shuts, another origin, of which the host's phone has no key. So it has to prove itself: a device of the host reaches the table there within a minute, or the
// old one comes back by itself. What a hand has written needs no proof; neither does what stood there at a start.

// proveWithin is for how long the host's page may take to come.
const proveWithin = time.Minute

// proof is that of a listen which was kept.
type proof struct {
	listen string
	was    any       // what stood in the page's file
	had    bool      // something did
	until  time.Time // zero: the table does not run by it yet
}

// toProve notes that what was written has another listen than what runs; before is the page's file of before. mu is held.
func (s *Setup) toProve(before []ownfile.Pair) {
	if s.reload == nil || s.sound.Listen == s.running.Listen {
		s.proof = nil
		return
	}
	p := &proof{listen: s.sound.Listen}
	p.was, p.had = valueOf(before, "listen")
	if now, has := valueOf(s.kept, "listen"); s.proof == nil && has == p.had && sameValue(now, p.was) {
		return // it is a hand's
	}
	if s.proof != nil {
		p.was, p.had = s.proof.was, s.proof.had
	}
	s.proof = p
	s.tell(ownfile.Both("La nouvelle adresse (listen) reste si un appareil de l’hôte retrouve la table là dans la minute ; sinon l’ancienne revient d’elle-même.",
		"The new address (listen) stays if a device of the host finds the table there within a minute; else the old one comes back by itself."))
}

// Unreached puts the listen of before back if the host has not come in time; true: the table is to open anew by it.
func (s *Setup) Unreached(reached bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.proof
	switch {
	case p == nil || p.until.IsZero():
		return false
	case reached || s.running.Listen != p.listen:
		s.proof = nil
		return false
	case time.Now().Before(p.until):
		return false
	}
	s.proof = nil
	back := func(tree []ownfile.Pair) []ownfile.Pair {
		after, _ := without(tree, "$.listen")
		if p.had {
			after, _ = with(tree, "$.listen", p.was)
		}
		return after
	}
	draft := s.draft
	if s.judged.Listen == p.listen { // not what the host has typed since
		draft = back(draft)
	}
	done := s.write(back(s.kept))
	s.draft = draft
	s.judge()
	s.proof, s.wish, s.news = nil, done, nil
	if done {
		s.tell(ownfile.Bothf("À %[1]s, aucun appareil de l’hôte n’a retrouvé la table dans la minute : l’ancienne adresse vaut de nouveau.", "At %[1]s no device of the host has found the table within a minute: the old address holds again.", p.listen))
	}
	return done
}
