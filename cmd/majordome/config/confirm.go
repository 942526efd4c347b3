package config

import (
	"time"

	"majordome/engine"
	"majordome/engine/ownfile"
)

// A listen that was changed on the page may open and still be unreachable: an address of another network, a port that a
// firewall blocks, another origin, of which the host's phone has no key. So a device of the host must reach the table
// there within confirmWithin, or the old value is restored automatically. A value from the owner's file needs no
// confirmation, nor does one that was there at the start.

// confirmWithin is the time a device of the host has to reach the table at a new address.
const confirmWithin = time.Minute

// pendingListen is a new value of listen that no device of the host has used yet.
type pendingListen struct {
	listen   string
	oldValue any       // the value in the page's file before
	hadValue bool      // whether the page's file had a value
	deadline time.Time // zero: the table has not opened with it yet
}

// recordUnconfirmedListen notes in unconfirmed that the page has just saved another listen than the running one; before is the
// content of the page's file until then. mu is held.
func (s *Editor) recordUnconfirmedListen(before []ownfile.Pair) {
	if s.onChange == nil || s.fileConfig.Listen == s.runningConfig.Listen {
		s.unconfirmed = nil
		return
	}
	p := &pendingListen{listen: s.fileConfig.Listen}
	p.oldValue, p.hadValue = lookupKey(before, "listen")
	if now, has := lookupKey(s.saved, "listen"); s.unconfirmed == nil && has == p.hadValue && sameValue(now, p.oldValue) {
		return // listen comes from the owner's file
	}
	if s.unconfirmed != nil {
		p.oldValue, p.hadValue = s.unconfirmed.oldValue, s.unconfirmed.hadValue
	}
	s.unconfirmed = p
	s.addNews(engine.T("La nouvelle adresse (listen) reste si un appareil de l’hôte retrouve la table là dans la minute ; "+
		"sinon l’ancienne revient d’elle-même.",
		"The new address (listen) stays if a device of the host finds the table there within a minute; else the old one comes "+
			"back by itself."))
}

// RevertUnconfirmedListen restores the former listen if no device of the host has reached the table in time; wasReached: one
// has. It returns true if it has changed the file, so that the table must open again.
func (s *Editor) RevertUnconfirmedListen(wasReached bool) (reverted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.unconfirmed
	switch {
	case p == nil || p.deadline.IsZero():
		return false
	case wasReached || s.runningConfig.Listen != p.listen:
		s.unconfirmed = nil
		return false
	case time.Now().Before(p.deadline):
		return false
	}
	s.unconfirmed = nil
	back := func(tree []ownfile.Pair) []ownfile.Pair {
		after, _ := deletePath(tree, "$.listen")
		if p.hadValue {
			after, _ = setPath(tree, "$.listen", p.oldValue)
		}
		return after
	}
	draft := s.draft
	if s.draftConfig.Listen == p.listen { // keep what the host has typed since
		draft = back(draft)
	}
	done := s.writePageFile(back(s.saved))
	s.draft = draft
	s.validateDraft()
	s.unconfirmed, s.applyNow, s.news = nil, done, nil
	if done {
		s.addNews(engine.Tf("À %[1]s, aucun appareil de l’hôte n’a retrouvé la table dans la minute : l’ancienne adresse vaut de nouveau.",
			"At %[1]s no device of the host has found the table within a minute: the old address holds again.", p.listen))
	}
	return done
}
