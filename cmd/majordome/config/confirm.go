package config

import (
	"time"

	"majordome/engine"
	"majordome/engine/ownfile"
)

// A listen that the page has changed may open well and be reached by nobody: the address of another network, a port that a wall
// shuts, another origin, of which the host's phone has no key. So it has to prove itself: a device of the host reaches the table there within a minute, or the
// old one comes back by itself. What a hand has written needs no proof; neither does what stood there at a start.

// confirmWithin is how long a device of the host may take to reach the table at a new address.
const confirmWithin = time.Minute

// unconfirmed is a new value of listen that no device of the host has used yet.
type unconfirmed struct {
	listen string
	was    any       // what stood in the page's file
	had    bool      // something did
	until  time.Time // zero: the table does not run by it yet
}

// awaitConfirmation notes that what was written has another listen than what runs; before is the page's file as it was. mu is held.
func (s *Editor) awaitConfirmation(before []ownfile.Pair) {
	if s.onChange == nil || s.config.Listen == s.running.Listen {
		s.unconfirmed = nil
		return
	}
	p := &unconfirmed{listen: s.config.Listen}
	p.was, p.had = get(before, "listen")
	if now, has := get(s.saved, "listen"); s.unconfirmed == nil && has == p.had && sameValue(now, p.was) {
		return // it is a hand's
	}
	if s.unconfirmed != nil {
		p.was, p.had = s.unconfirmed.was, s.unconfirmed.had
	}
	s.unconfirmed = p
	s.addNews(engine.T("La nouvelle adresse (listen) reste si un appareil de l’hôte retrouve la table là dans la minute ; sinon l’ancienne revient d’elle-même.",
		"The new address (listen) stays if a device of the host finds the table there within a minute; else the old one comes back by itself."))
}

// RevertUnconfirmed restores the former listen if no device of the host has reached the table in time; true: the table is to open again.
func (s *Editor) RevertUnconfirmed(reached bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.unconfirmed
	switch {
	case p == nil || p.until.IsZero():
		return false
	case reached || s.running.Listen != p.listen:
		s.unconfirmed = nil
		return false
	case time.Now().Before(p.until):
		return false
	}
	s.unconfirmed = nil
	back := func(tree []ownfile.Pair) []ownfile.Pair {
		after, _ := deletePath(tree, "$.listen")
		if p.had {
			after, _ = setPath(tree, "$.listen", p.was)
		}
		return after
	}
	draft := s.draft
	if s.drafted.Listen == p.listen { // not what the host has typed since
		draft = back(draft)
	}
	done := s.write(back(s.saved))
	s.draft = draft
	s.validate()
	s.unconfirmed, s.applyNow, s.news = nil, done, nil
	if done {
		s.addNews(engine.Tf("À %[1]s, aucun appareil de l’hôte n’a retrouvé la table dans la minute : l’ancienne adresse vaut de nouveau.", "At %[1]s no device of the host has found the table within a minute: the old address holds again.", p.listen))
	}
	return done
}
