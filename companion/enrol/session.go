package enrol

import (
	"errors"
	"slices"

	"majordome/companion/store"
	"majordome/engine"
)

// Session is one enrolment. It is not safe for concurrent use.
type Session struct {
	tagStore TagStore
	opts     Opts

	owners     map[string][]store.DeckTag // by UID, of all decks of the session
	askedIndex int                        // index of the card that is asked for; -1: none
	picked     bool
	last       LastResult
	conflict   string // UID of the tag in conflict
	unknown    string
	history    []change
}

// change is one step that can be undone.
type change struct {
	removed, added []store.DeckTag
	card           engine.ID // that was asked for then
}

// ErrNotNow means that a command is not possible now.
var ErrNotNow = errors.New("enrol: not now")

// Open begins a session. It asks for the first card that lacks a tag; in a game it asks for none.
func Open(tagStore TagStore, o Opts) (*Session, error) {
	o.Need = min(max(o.Need, 1), 2)
	s := &Session{tagStore: tagStore, opts: o, owners: map[string][]store.DeckTag{}, askedIndex: -1}
	for _, d := range append([]engine.ID{o.Deck}, o.Others...) {
		tags, err := tagStore.Tags(d)
		if err != nil {
			return nil, err
		}
		for _, t := range tags {
			if _, unfit := o.Unfit(t.UID); !unfit { // an older program accepted it; the session asks for its card again
				s.owners[t.UID] = append(s.owners[t.UID], store.DeckTag{Deck: d, Tag: t})
			}
		}
	}
	if !o.Playing {
		s.askedIndex = s.nextAskedIndex(-1)
	}
	return s, nil
}

// tagsOf returns the UIDs of a card's tags, sorted.
func (s *Session) tagsOf(card engine.ID) (all []string) {
	for uid, owners := range s.owners {
		if slices.ContainsFunc(owners, func(o store.DeckTag) bool { return o.Deck == s.opts.Deck && o.Card == card }) {
			all = append(all, uid)
		}
	}
	slices.Sort(all)
	return all
}

// nextAskedIndex returns the index of the next card to ask for, above the index after; -1: there is none.
func (s *Session) nextAskedIndex(after int) int {
	for i := after + 1; i < len(s.opts.Cards); i++ {
		if s.opts.All || len(s.tagsOf(s.opts.Cards[i].ID)) < s.opts.Need {
			return i
		}
	}
	return -1
}

// askedCard returns the card that is asked for, or "".
func (s *Session) askedCard() engine.ID {
	if s.askedIndex < 0 {
		return ""
	}
	return s.opts.Cards[s.askedIndex].ID
}

// CanAccept reports whether the session handles this tag. In a game it handles only tags of no card, and only while a card is asked for.
func (s *Session) CanAccept(uid string) bool {
	return !s.opts.Playing || s.askedIndex >= 0 && len(s.owners[uid]) == 0
}

// AcceptTags handles tags that a reader has found at the same time.
func (s *Session) AcceptTags(uids []string) error {
	uids = slices.DeleteFunc(slices.Clone(uids), func(u string) bool { return !s.CanAccept(u) })
	if len(uids) == 0 {
		return nil
	}
	first := uids[0]
	uids = slices.DeleteFunc(uids, s.isUnfit) // next to a tag that fits, an unfit one is not a second card
	if len(uids) == 0 {
		s.ShowUnfitTag(first)
		return nil
	}
	own := s.tagsOf(s.askedCard())
	fresh := slices.DeleteFunc(slices.Clone(uids), func(u string) bool { return slices.Contains(own, u) })
	switch {
	case len(fresh) > 1 && (s.askedIndex < 0 || len(own)+len(fresh) > s.opts.Need): // if Need is 2, both tags of a card may come together
		s.last, s.conflict = LastResult{Outcome: SeveralTags}, ""
		return nil
	case len(fresh) == 0:
		return s.acceptSameTag(uids[0])
	}
	for _, uid := range fresh {
		if err := s.acceptNewTag(uid); err != nil || s.last.Outcome != TagAssigned {
			return err
		}
	}
	return nil
}

// ShowUnfitTag sets the outcome TagUnfit for a tag that cannot identify a card. It assigns nothing and drops an open conflict, whose
// tag must then be placed again.
func (s *Session) ShowUnfitTag(uid string) {
	why, _ := s.opts.Unfit(uid)
	s.last, s.conflict = LastResult{Outcome: TagUnfit, UID: uid, Why: why}, ""
}

// isUnfit reports whether a tag cannot identify a card.
func (s *Session) isUnfit(uid string) bool {
	_, unfit := s.opts.Unfit(uid)
	return unfit
}

// acceptSameTag handles a tag that is already assigned to the card that is asked for.
func (s *Session) acceptSameTag(uid string) error {
	s.last, s.conflict = LastResult{Outcome: TagUnchanged, UID: uid, Card: s.askedCard(), Deck: s.opts.Deck}, ""
	if s.opts.All && !s.picked && len(s.tagsOf(s.askedCard())) >= s.opts.Need {
		s.askedIndex = s.nextAskedIndex(s.askedIndex)
	}
	return nil
}

// acceptNewTag handles a tag that is not assigned to the card that is asked for.
func (s *Session) acceptNewTag(uid string) error {
	s.conflict = ""
	owners, card := s.owners[uid], s.askedCard()
	switch {
	case card == "" && len(owners) > 0:
		s.last = LastResult{Outcome: TagKnown, UID: uid, Card: owners[0].Card, Deck: owners[0].Deck}
	case card == "":
		s.last, s.unknown = LastResult{Outcome: TagUnknown, UID: uid}, uid
	case len(owners) > 0:
		s.conflict = uid
		s.last = LastResult{Outcome: TagConflict, UID: uid, Card: owners[0].Card, Deck: owners[0].Deck}
	default:
		return s.assignTag(uid)
	}
	return nil
}

// assignTag assigns a tag to the card that is asked for. If the card already has as many tags as it needs, it loses those: it is enrolled
// again because the card or its tag was lost. In a game it keeps them.
func (s *Session) assignTag(uid string) error {
	card := s.askedCard()
	own := s.tagsOf(card)
	c := change{removed: slices.Clone(s.owners[uid]), added: []store.DeckTag{{Deck: s.opts.Deck, Tag: store.Tag{UID: uid, Card: card}}},
		card: card}
	switch {
	case s.opts.Playing && len(own) >= MaxPerCard:
		s.last = LastResult{Outcome: CardFull, UID: uid, Card: card, Deck: s.opts.Deck}
		return nil
	case s.opts.Playing:
	case len(own) >= s.opts.Need:
		for _, u := range own {
			c.removed = append(c.removed, s.owners[u]...)
		}
	}
	if err := s.saveAndRecordChange(c); err != nil {
		return err
	}
	s.last, s.conflict = LastResult{Outcome: TagAssigned, UID: uid, Card: card, Deck: s.opts.Deck}, ""
	if s.unknown == uid {
		s.unknown = ""
	}
	switch {
	case s.opts.Playing:
		s.askedIndex, s.picked = -1, false
	case len(s.tagsOf(card)) < s.opts.Need: // ask for its other tag
	case s.picked:
		s.askedIndex, s.picked = -1, false
	default:
		s.askedIndex = s.nextAskedIndex(s.askedIndex)
	}
	return nil
}

// saveAndRecordChange saves a step and adds it to the history.
func (s *Session) saveAndRecordChange(c change) error {
	if err := s.changeTags(c.removed, c.added); err != nil {
		return err
	}
	if len(s.history) == MaxUndo {
		s.history = slices.Delete(s.history, 0, 1)
	}
	s.history = append(s.history, c)
	return nil
}

// changeTags saves removed and added tags, then updates owners.
func (s *Session) changeTags(removed, added []store.DeckTag) error {
	if err := s.tagStore.ChangeTags(removed, added); err != nil {
		return err
	}
	for _, d := range removed {
		s.owners[d.UID] = slices.DeleteFunc(slices.Clone(s.owners[d.UID]), func(o store.DeckTag) bool { return o.Deck == d.Deck })
	}
	for _, p := range added {
		owners := slices.DeleteFunc(slices.Clone(s.owners[p.UID]), func(o store.DeckTag) bool { return o.Deck == p.Deck })
		s.owners[p.UID] = append([]store.DeckTag{p}, owners...)
	}
	return nil
}

// PickCard asks for this card; with an empty id it asks for none. It returns ErrNotNow for a card that is not of this session.
func (s *Session) PickCard(card engine.ID) error {
	i := slices.IndexFunc(s.opts.Cards, func(n engine.Name) bool { return n.ID == card })
	if i < 0 && card != "" {
		return ErrNotNow
	}
	s.askedIndex, s.picked, s.conflict, s.last = i, i >= 0, "", LastResult{}
	return nil
}

// AllowedCommands lists the commands that RunHostCommand accepts now.
func (s *Session) AllowedCommands() (all []string) {
	addIf := func(what string, now bool) {
		if now {
			all = append(all, what)
		}
	}
	lobby := !s.opts.Playing
	addIf(SkipCard, lobby && s.askedIndex >= 0 && !s.picked)
	addIf(PreviousCard, lobby && !s.picked && s.askedIndex != 0 && len(s.opts.Cards) > 0)
	addIf(ResumeOrder, lobby && s.nextAskedIndex(-1) >= 0 && (s.picked || s.askedIndex < 0))
	addIf(MoveTag, s.conflict != "" && s.askedIndex >= 0)
	addIf(LeaveTag, s.conflict != "")
	addIf(ForgetTags, lobby && len(s.tagsOf(s.askedCard())) > 0)
	addIf(AssignTag, lobby && s.unknown != "" && s.askedIndex >= 0)
	addIf(UndoStep, len(s.history) > 0)
	return all
}

// RunHostCommand applies a command of the host. It returns ErrNotNow if it is not allowed now.
func (s *Session) RunHostCommand(what string) error {
	if !slices.Contains(s.AllowedCommands(), what) {
		return ErrNotNow
	}
	uid := s.conflict
	s.conflict = ""
	switch what {
	case SkipCard:
		s.askedIndex, s.last = s.nextAskedIndex(s.askedIndex), LastResult{}
	case PreviousCard:
		if s.askedIndex--; s.askedIndex < 0 {
			s.askedIndex = len(s.opts.Cards) - 1
		}
		s.last = LastResult{}
	case ResumeOrder:
		s.askedIndex, s.picked, s.last = s.nextAskedIndex(-1), false, LastResult{}
	case MoveTag:
		return s.assignTag(uid)
	case LeaveTag:
		s.last = LastResult{}
	case AssignTag:
		return s.assignTag(s.unknown)
	case ForgetTags:
		return s.removeTags()
	case UndoStep:
		return s.undoChange()
	}
	return nil
}

// removeTags removes all tags of the card that is asked for.
func (s *Session) removeTags() error {
	c := change{card: s.askedCard()}
	for _, u := range s.tagsOf(c.card) {
		c.removed = append(c.removed, store.DeckTag{Deck: s.opts.Deck, Tag: store.Tag{UID: u, Card: c.card}})
	}
	if err := s.saveAndRecordChange(c); err != nil {
		return err
	}
	s.last = LastResult{Outcome: TagsRemoved, Card: c.card, Deck: s.opts.Deck}
	return nil
}

// undoChange reverses the last step, and asks for its card again.
func (s *Session) undoChange() error {
	c := s.history[len(s.history)-1]
	if err := s.changeTags(c.added, c.removed); err != nil {
		return err
	}
	s.history = s.history[:len(s.history)-1]
	s.last = LastResult{Outcome: StepUndone, Card: c.card, Deck: s.opts.Deck}
	if i := slices.IndexFunc(s.opts.Cards, func(n engine.Name) bool { return n.ID == c.card }); i >= 0 && !s.picked {
		s.askedIndex = i
		s.picked = s.opts.Playing
	}
	return nil
}

// State returns the present state.
func (s *Session) State() State {
	st := State{Asked: s.askedCard(), Picked: s.picked, Last: s.last, Unknown: s.unknown, Undo: len(s.history)}
	if i := s.nextAskedIndex(s.askedIndex); i >= 0 && s.askedIndex >= 0 && !s.picked {
		st.Next = s.opts.Cards[i].ID
	}
	if s.askedIndex >= 0 {
		st.Tags = s.tagsOf(st.Asked)
	}
	if owners := s.owners[s.conflict]; s.conflict != "" && len(owners) > 0 {
		st.Conflict = owners[0]
	}
	count := map[engine.ID]int{}
	for _, owners := range s.owners {
		for _, o := range owners {
			if o.Deck == s.opts.Deck {
				count[o.Card]++
			}
		}
	}
	for _, n := range s.opts.Cards {
		st.Cards = append(st.Cards, CardTags{n.ID, count[n.ID]})
	}
	return st
}
