package enrol

import (
	"errors"
	"slices"

	"majordome/companion/store"
	"majordome/engine"
)

// Session is one enrolment. It is used by one goroutine.
type Session struct {
	shelf Shelf
	o     Opts

	owners   map[string][]store.TagOf // by UID, of all decks of the session
	at       int                      // of the card that is asked for; -1: none
	picked   bool
	last     Last
	conflict string // UID
	unknown  string
	done     []change
}

// change is one step.
type change struct {
	drop, put []store.TagOf
	card      engine.ID // that was asked for
}

// ErrNot is of something that is not possible now.
var ErrNot = errors.New("enrol: not now")

// Open begins a session. It asks for the first card, or in a game for none.
func Open(shelf Shelf, o Opts) (*Session, error) {
	o.Need = min(max(o.Need, 1), 2)
	s := &Session{shelf: shelf, o: o, owners: map[string][]store.TagOf{}, at: -1}
	for _, d := range append([]engine.ID{o.Deck}, o.Others...) {
		tags, err := shelf.Tags(d)
		if err != nil {
			return nil, err
		}
		for _, t := range tags {
			if _, unfit := o.Unfit(t.UID); !unfit { // an older program took it: its card is asked for again
				s.owners[t.UID] = append(s.owners[t.UID], store.TagOf{Deck: d, Tag: t})
			}
		}
	}
	if !o.Playing {
		s.at = s.next(-1)
	}
	return s, nil
}

// tags are those of a card, in the order of their numbers.
func (s *Session) tags(card engine.ID) (all []string) {
	for uid, owners := range s.owners {
		if slices.ContainsFunc(owners, func(o store.TagOf) bool { return o.Deck == s.o.Deck && o.Card == card }) {
			all = append(all, uid)
		}
	}
	slices.Sort(all)
	return all
}

// next is the card to be asked for after another one.
func (s *Session) next(at int) int {
	for i := at + 1; i < len(s.o.Cards); i++ {
		if s.o.All || len(s.tags(s.o.Cards[i].ID)) < s.o.Need {
			return i
		}
	}
	return -1
}

func (s *Session) asked() engine.ID {
	if s.at < 0 {
		return ""
	}
	return s.o.Cards[s.at].ID
}

// Takes reports that a tag is looked at: in a game a card is not.
func (s *Session) Takes(uid string) bool {
	return !s.o.Playing || s.at >= 0 && len(s.owners[uid]) == 0
}

// Lay is told of tags that have come to a reader at one moment.
func (s *Session) Lay(uids []string) error {
	uids = slices.DeleteFunc(slices.Clone(uids), func(u string) bool { return !s.Takes(u) })
	if len(uids) == 0 {
		return nil
	}
	laid := uids[0]
	uids = slices.DeleteFunc(uids, s.isUnfit) // none is a second card beside one that can name one
	if len(uids) == 0 {
		s.Refuse(laid)
		return nil
	}
	own := s.tags(s.asked())
	fresh := slices.DeleteFunc(slices.Clone(uids), func(u string) bool { return slices.Contains(own, u) })
	switch {
	case len(fresh) > 1 && (s.at < 0 || len(own)+len(fresh) > s.o.Need): // both tags of one card may come at once
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

// Refuse says why a tag that cannot name a card will not do. Nothing is kept, and an open conflict is laid again.
func (s *Session) Refuse(uid string) {
	why, _ := s.o.Unfit(uid)
	s.last, s.conflict = Last{What: Unfit, UID: uid, Why: why}, ""
}

// isUnfit reports a tag that cannot name a card.
func (s *Session) isUnfit(uid string) bool {
	_, unfit := s.o.Unfit(uid)
	return unfit
}

// again is told of a tag that is that of the card already.
func (s *Session) again(uid string) error {
	s.last, s.conflict = Last{What: Same, UID: uid, Card: s.asked(), Deck: s.o.Deck}, ""
	if s.o.All && !s.picked && len(s.tags(s.asked())) >= s.o.Need {
		s.at = s.next(s.at)
	}
	return nil
}

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

// give records that a tag is the card's that is asked for. A card that has as many as it needs loses those: it is laid anew
// because it was lost, or its tag was. In a game it keeps them.
func (s *Session) give(uid string) error {
	card := s.asked()
	own := s.tags(card)
	c := change{drop: slices.Clone(s.owners[uid]), put: []store.TagOf{{Deck: s.o.Deck, Tag: store.Tag{UID: uid, Card: card}}}, card: card}
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
	case len(s.tags(card)) < s.o.Need: // its other tag
	case s.picked:
		s.at, s.picked = -1, false
	default:
		s.at = s.next(s.at)
	}
	return nil
}

// change has the shelf keep a step, and remembers it.
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

// Pick asks for one card; an empty one is none.
func (s *Session) Pick(card engine.ID) error {
	i := slices.IndexFunc(s.o.Cards, func(n engine.Name) bool { return n.ID == card })
	if i < 0 && card != "" {
		return ErrNot
	}
	s.at, s.picked, s.conflict, s.last = i, i >= 0, "", Last{}
	return nil
}

// May are the things that Do does now.
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

// Do does what a person says.
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

// undo takes the last step back, and asks for its card again.
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

// State is what a session shows now.
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
