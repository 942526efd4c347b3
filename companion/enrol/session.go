package enrol

import (
	"errors"
	"slices"

	"majordome/companion/store"
	"majordome/engine"
)

// Session is one enrolment. It is not safe for concurrent use.
type Session struct {
	shelf Shelf
	o     Opts

	owners   map[string][]store.TagOf // by UID, of all decks of the session
	at       int                      // index of the card that is asked for; -1: none
	picked   bool
	last     Last
	conflict string // UID of the tag in conflict
	unknown  string
	done     []change
}

// change is one step that can be undone.
type change struct {
	drop, put []store.TagOf
	card      engine.ID // that was asked for then
}

// ErrNotNow means that a command is not possible now.
var ErrNot = errors.New("enrol: not now")

// Open begins a session. It asks for the first card that lacks a tag; in a game it asks for none.
func Open(shelf Shelf, o Opts) (*Session, error) {
	o.Need = min(max(o.Need, 1), 2)
	s := &Session{shelf: shelf, o: o, owners: map[string][]store.TagOf{}, at: -1}
	for _, d := range append([]engine.ID{o.Deck}, o.Others...) {
		tags, err := shelf.Tags(d)
		if err != nil {
			return nil, err
		}
		for _, t := range tags {
			if _, unfit := o.Unfit(t.UID); !unfit { // an older program accepted it; the session asks for its card again
				s.owners[t.UID] = append(s.owners[t.UID], store.TagOf{Deck: d, Tag: t})
			}
		}
	}
	if !o.Playing {
		s.at = s.next(-1)
	}
	return s, nil
}

// tagsOf returns the UIDs of a card's tags, sorted.
func (s *Session) tags(card engine.ID) (all []string) {
	for uid, owners := range s.owners {
		if slices.ContainsFunc(owners, func(o store.TagOf) bool { return o.Deck == s.o.Deck && o.Card == card }) {
			all = append(all, uid)
		}
	}
	slices.Sort(all)
	return all
}

// nextIndex returns the index of the next card to ask for after index at, or -1.
func (s *Session) next(at int) int {
	for i := at + 1; i < len(s.o.Cards); i++ {
		if s.o.All || len(s.tags(s.o.Cards[i].ID)) < s.o.Need {
			return i
		}
	}
	return -1
}

// askedCard returns the card that is asked for, or "".
func (s *Session) asked() engine.ID {
	if s.at < 0 {
		return ""
	}
	return s.o.Cards[s.at].ID
}

// CanAccept reports whether the session handles this tag. In a game it handles only tags of no card, and only while a card is asked for.
func (s *Session) Takes(uid string) bool {
	return !s.o.Playing || s.at >= 0 && len(s.owners[uid]) == 0
}

// AcceptTags handles tags that a reader has found at the same time.
func (s *Session) Lay(uids []string) error {
	uids = slices.DeleteFunc(slices.Clone(uids), func(u string) bool { return !s.Takes(u) })
	if len(uids) == 0 {
		return nil
	}
	laid := uids[0]
	uids = slices.DeleteFunc(uids, s.isUnfit) // next to a tag that fits, an unfit one is not a second card
	if len(uids) == 0 {
		s.Refuse(laid)
		return nil
	}
	own := s.tags(s.asked())
	fresh := slices.DeleteFunc(slices.Clone(uids), func(u string) bool { return slices.Contains(own, u) })
	switch {
	case len(fresh) > 1 && (s.at < 0 || len(own)+len(fresh) > s.o.Need): // if Need is 2, both tags of a card may come together
		s.last, s.conflict = Last{What: Several}, ""
		return nil
	case len(fresh) == 0:
		return s.again(uids[0])
	}
	for _, uid := range fresh {
		if err := s.lay(uid); err != nil || s.last.What != Kept {
			return err
		}
	}
	return nil
}

// RefuseTag sets the outcome for a tag that cannot identify a card. It assigns nothing; for an open conflict the tag must come again.
func (s *Session) Refuse(uid string) {
	why, _ := s.o.Unfit(uid)
	s.last, s.conflict = Last{What: Unfit, UID: uid, Why: why}, ""
}

// isUnfit reports whether a tag cannot identify a card.
func (s *Session) isUnfit(uid string) bool {
	_, unfit := s.o.Unfit(uid)
	return unfit
}

// acceptSameTag handles a tag that is already assigned to the card that is asked for.
func (s *Session) again(uid string) error {
	s.last, s.conflict = Last{What: Same, UID: uid, Card: s.asked(), Deck: s.o.Deck}, ""
	if s.o.All && !s.picked && len(s.tags(s.asked())) >= s.o.Need {
		s.at = s.next(s.at)
	}
	return nil
}

// acceptNewTag handles a tag that is not assigned to the card that is asked for.
func (s *Session) lay(uid string) error {
	s.conflict = ""
	owners, card := s.owners[uid], s.asked()
	switch {
	case card == "" && len(owners) > 0:
		s.last = Last{What: Known, UID: uid, Card: owners[0].Card, Deck: owners[0].Deck}
	case card == "":
		s.last, s.unknown = Last{What: Unknown, UID: uid}, uid
	case len(owners) > 0:
		s.conflict = uid
		s.last = Last{What: Conflict, UID: uid, Card: owners[0].Card, Deck: owners[0].Deck}
	default:
		return s.give(uid)
	}
	return nil
}

// assignTag assigns a tag to the card that is asked for. If the card already has as many tags as it needs, it loses those: it is enrolled
// again because the card or its tag was lost. In a game it keeps them.
func (s *Session) give(uid string) error {
	card := s.asked()
	own := s.tags(card)
	c := change{drop: slices.Clone(s.owners[uid]), put: []store.TagOf{{Deck: s.o.Deck, Tag: store.Tag{UID: uid, Card: card}}},
		card: card}
	switch {
	case s.o.Playing && len(own) >= MaxPerCard:
		s.last = Last{What: Full, UID: uid, Card: card, Deck: s.o.Deck}
		return nil
	case s.o.Playing:
	case len(own) >= s.o.Need:
		for _, u := range own {
			c.drop = append(c.drop, s.owners[u]...)
		}
	}
	if err := s.change(c); err != nil {
		return err
	}
	s.last, s.conflict = Last{What: Kept, UID: uid, Card: card, Deck: s.o.Deck}, ""
	if s.unknown == uid {
		s.unknown = ""
	}
	switch {
	case s.o.Playing:
		s.at, s.picked = -1, false
	case len(s.tags(card)) < s.o.Need: // ask for its other tag
	case s.picked:
		s.at, s.picked = -1, false
	default:
		s.at = s.next(s.at)
	}
	return nil
}

// applyChange saves a step and adds it to the history.
func (s *Session) change(c change) error {
	if err := s.keep(c.drop, c.put); err != nil {
		return err
	}
	if len(s.done) == MaxUndo {
		s.done = slices.Delete(s.done, 0, 1)
	}
	s.done = append(s.done, c)
	return nil
}

// changeTags saves removed and added tags, then updates owners.
func (s *Session) keep(drop, put []store.TagOf) error {
	if err := s.shelf.ChangeTags(drop, put); err != nil {
		return err
	}
	for _, d := range drop {
		s.owners[d.UID] = slices.DeleteFunc(slices.Clone(s.owners[d.UID]), func(o store.TagOf) bool { return o.Deck == d.Deck })
	}
	for _, p := range put {
		owners := slices.DeleteFunc(slices.Clone(s.owners[p.UID]), func(o store.TagOf) bool { return o.Deck == p.Deck })
		s.owners[p.UID] = append([]store.TagOf{p}, owners...)
	}
	return nil
}

// PickCard asks for this card; with an empty id it asks for none.
func (s *Session) Pick(card engine.ID) error {
	i := slices.IndexFunc(s.o.Cards, func(n engine.Name) bool { return n.ID == card })
	if i < 0 && card != "" {
		return ErrNot
	}
	s.at, s.picked, s.conflict, s.last = i, i >= 0, "", Last{}
	return nil
}

// AllowedCommands lists the commands that ApplyCommand accepts now.
func (s *Session) May() (all []string) {
	may := func(what string, now bool) {
		if now {
			all = append(all, what)
		}
	}
	lobby := !s.o.Playing
	may(Skip, lobby && s.at >= 0 && !s.picked)
	may(Back, lobby && !s.picked && s.at != 0 && len(s.o.Cards) > 0)
	may(Order, lobby && s.next(-1) >= 0 && (s.picked || s.at < 0))
	may(Move, s.conflict != "" && s.at >= 0)
	may(Leave, s.conflict != "")
	may(Forget, lobby && len(s.tags(s.asked())) > 0)
	may(Give, lobby && s.unknown != "" && s.at >= 0)
	may(Undo, len(s.done) > 0)
	return all
}

// ApplyCommand applies a command of the host. It returns ErrNotNow if it is not allowed now.
func (s *Session) Do(what string) error {
	if !slices.Contains(s.May(), what) {
		return ErrNot
	}
	uid := s.conflict
	s.conflict = ""
	switch what {
	case Skip:
		s.at, s.last = s.next(s.at), Last{}
	case Back:
		if s.at--; s.at < 0 {
			s.at = len(s.o.Cards) - 1
		}
		s.last = Last{}
	case Order:
		s.at, s.picked, s.last = s.next(-1), false, Last{}
	case Move:
		return s.give(uid)
	case Leave:
		s.last = Last{}
	case Give:
		return s.give(s.unknown)
	case Forget:
		return s.forget()
	case Undo:
		return s.undo()
	}
	return nil
}

// removeTags removes all tags of the card that is asked for.
func (s *Session) forget() error {
	c := change{card: s.asked()}
	for _, u := range s.tags(c.card) {
		c.drop = append(c.drop, store.TagOf{Deck: s.o.Deck, Tag: store.Tag{UID: u, Card: c.card}})
	}
	if err := s.change(c); err != nil {
		return err
	}
	s.last = Last{What: Dropped, Card: c.card, Deck: s.o.Deck}
	return nil
}

// undoChange reverses the last step, and asks for its card again.
func (s *Session) undo() error {
	c := s.done[len(s.done)-1]
	if err := s.keep(c.put, c.drop); err != nil {
		return err
	}
	s.done = s.done[:len(s.done)-1]
	s.last = Last{What: Undone, Card: c.card, Deck: s.o.Deck}
	if i := slices.IndexFunc(s.o.Cards, func(n engine.Name) bool { return n.ID == c.card }); i >= 0 && !s.picked {
		s.at = i
		s.picked = s.o.Playing
	}
	return nil
}

// State returns the present state.
func (s *Session) State() State {
	st := State{Asked: s.asked(), Picked: s.picked, Last: s.last, Unknown: s.unknown, Undo: len(s.done)}
	if i := s.next(s.at); i >= 0 && s.at >= 0 && !s.picked {
		st.Next = s.o.Cards[i].ID
	}
	if s.at >= 0 {
		st.Tags = s.tags(st.Asked)
	}
	if owners := s.owners[s.conflict]; s.conflict != "" && len(owners) > 0 {
		st.Conflict = owners[0]
	}
	count := map[engine.ID]int{}
	for _, owners := range s.owners {
		for _, o := range owners {
			if o.Deck == s.o.Deck {
				count[o.Card]++
			}
		}
	}
	for _, n := range s.o.Cards {
		st.Cards = append(st.Cards, Count{n.ID, count[n.ID]})
	}
	return st
}
