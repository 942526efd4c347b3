package enrol

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"majordome/companion/store"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// ParsedList is the result of ParseList: what ApplyList would change, or what is wrong with the list.
type ParsedList struct {
	New, Same int
	Moved     int // tags that belong to other cards now
	Faults    ownfile.Faults
	assigned  []store.DeckTag
}

// ExportList returns all tags of the deck, one a line: UID, card. A reader of the list knows every card by its tag.
func (s *Session) ExportList() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Majordome : %s\n"+
		"# Quelle puce est quelle carte : pour l’hôte seul\n"+
		"# Which tag is which card: for the host alone\n", s.opts.Deck)
	var lines []string
	for uid, owners := range s.owners {
		for _, o := range owners {
			if o.Deck == s.opts.Deck {
				lines = append(lines, string(o.Card)+" "+uid)
			}
		}
	}
	slices.Sort(lines)
	for _, l := range lines {
		card, uid, _ := strings.Cut(l, " ")
		fmt.Fprintf(&b, "%s, %s\n", uid, card)
	}
	return b.String()
}

// ParseList checks a list in the form of ExportList, and changes nothing. valid returns a UID in the form that readers use, and false for
// a text that is none.
func (s *Session) ParseList(text string, valid func(uid string) (string, bool)) (r *ParsedList) {
	const file = "list"
	r = &ParsedList{}
	var faults []*ownfile.Fault
	fault := func(line, column int, what, hint engine.Text) {
		faults = append(faults, &ownfile.Fault{File: file, Line: line, Column: column, What: what, Hint: hint})
	}
	defer func() { r.Faults = ownfile.SortAndLimitFaults(faults) }()
	if len(text) > MaxList || !utf8.ValidString(text) {
		fault(0, 0, engine.T("ce n’est pas une liste de puces, ou elle est trop longue", "this is no list of tags, or it is too long"),
			engine.Tf("%d Kio de texte au plus", "%d KiB of text at most", MaxList>>10))
		return r
	}
	form := engine.T("un numéro, une virgule, une carte : 04A1B2C3D4E5F6, weapon-corde",
		"a number, a comma, a card: 04A1B2C3D4E5F6, weapon-corde")
	seen, perCard := map[string]int{}, map[engine.ID]int{}
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line, n := strings.TrimSpace(line), i+1
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		number, card, ok := strings.Cut(line, ",")
		number, card = strings.TrimSpace(number), strings.TrimSpace(card)
		uid, isUID := valid(number)
		why, unfit := engine.Text{}, false
		if isUID {
			why, unfit = s.opts.Unfit(uid)
		}
		switch {
		case !ok:
			fault(n, 0, engine.Tf("« %s » n’est pas une ligne de la liste", "%q is no line of the list", ownfile.ClipQuote(line)), form)
		case !isUID:
			fault(n, 1, engine.Tf("« %s » n’est pas le numéro d’une puce", "%q is not the number of a tag", ownfile.ClipQuote(number)),
				engine.T("4, 7 ou 10 octets, en 8, 14 ou 20 chiffres de 0 à 9 et A à F",
					"4, 7 or 10 bytes, in 8, 14 or 20 digits 0 to 9 and A to F"))
		case unfit:
			fault(n, 1, why, engine.Text{})
		case seen[uid] > 0:
			fault(n, 1, engine.Tf("la puce %s est déjà à la ligne %d", "tag %s is on line %d already", uid, seen[uid]),
				engine.T("une puce, une carte", "one tag, one card"))
		case !slices.ContainsFunc(s.opts.Cards, func(c engine.Name) bool { return string(c.ID) == card }):
			fault(n, len(number)+2, engine.Tf("« %s » n’est pas une carte à enregistrer ici", "%q is no card to be enrolled here",
				ownfile.ClipQuote(card)), s.nearestCardHint(card))
		case perCard[engine.ID(card)] == MaxPerCard:
			fault(n, 0, engine.Tf("plus de %d puces pour « %s »", "more than %d tags for %q", MaxPerCard, card),
				engine.T("enlevez-en", "take some out"))
		default:
			seen[uid] = n
			perCard[engine.ID(card)]++
			r.addTag(s, store.DeckTag{Deck: s.opts.Deck, Tag: store.Tag{UID: uid, Card: engine.ID(card)}})
		}
	}
	if len(faults) == 0 && len(seen) == 0 {
		fault(0, 0, engine.T("la liste est vide", "the list is empty"), form)
	}
	return r
}

// addTag adds a tag to the list and counts what it changes in s.
func (r *ParsedList) addTag(s *Session, t store.DeckTag) {
	owners := s.owners[t.UID]
	switch {
	case len(owners) == 1 && owners[0] == t:
		r.Same++
		return
	case len(owners) > 0:
		r.Moved++
	default:
		r.New++
	}
	r.assigned = append(r.assigned, t)
}

// nearestCardHint returns the most similar card as a hint for an unknown one, else the first card as an example.
func (s *Session) nearestCardHint(card string) engine.Text {
	ids := make([]string, len(s.opts.Cards))
	for i, c := range s.opts.Cards {
		ids[i] = string(c.ID)
	}
	if n := ownfile.FindNearest(card, ids); n != "" {
		return engine.Tf("« %s » ?", "%q?", n)
	}
	if len(ids) == 0 {
		return engine.Text{}
	}
	return engine.Tf("comme « %s »", "such as %q", ids[0])
}

// ApplyList assigns the tags of a list of this session, as one step. It returns ErrNotNow for a list with faults.
func (s *Session) ApplyList(r *ParsedList) error {
	if len(r.Faults) > 0 {
		return ErrNotNow
	}
	c := change{added: r.assigned}
	for _, t := range r.assigned {
		c.removed = append(c.removed, s.owners[t.UID]...)
	}
	if err := s.saveAndRecordChange(c); err != nil {
		return err
	}
	s.last, s.conflict, s.unknown = LastResult{Outcome: ListApplied}, "", ""
	if !s.picked {
		s.askedIndex = s.nextAskedIndex(-1)
	}
	return nil
}
