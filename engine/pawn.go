package engine

import (
	"slices"
	"strconv"
	"strings"
)

// A pawn may carry a tag, and a place may have a reader. A pawn put down there reports where it is,
// in the same way as its seat may on the phone. ScanCommand for such a reader has the id of the
// place as its reader.

// ReaderPlace begins the role of a reader in a place. The place's number in the deck or its name
// follows, as in place-3 and place-salon.
const ReaderPlace = "place-"

// IsReaderOfPlace reports whether a reader with this role is in this place, which has this index in
// the deck, counted from 0. A role with a name fits a place of that name in any game: place-salon
// also means room-salon.
func IsReaderOfPlace(role string, index int, place ID) bool {
	which, ok := strings.CutPrefix(role, ReaderPlace)
	name := string(place)
	if _, short, long := strings.Cut(name, "-"); long {
		name = short
	}
	return ok && (which == strconv.Itoa(index+1) || which == name)
}

// ReaderPlaceOrRole returns the id of the place whose reader has this role. It returns role itself
// for any other reader, and if the game has no such place.
func ReaderPlaceOrRole(role string, places []PlaceView) string {
	for i, p := range places {
		if IsReaderOfPlace(role, i, p.Place) {
			return string(p.Place)
		}
	}
	return role
}

// PawnID returns the id of the pawn of a character or suspect.
func PawnID(who ID) ID { return "pawn-" + who }

// PawnOwner returns the character whose pawn has this id; ok is false if it is not the id of a pawn.
func PawnOwner(pawn string) (who string, ok bool) { return strings.CutPrefix(pawn, "pawn-") }

// CharacterOfCard returns the character or suspect of a card of a game with these names: of its own card, of a clue against it,
// or of its pawn; "" for other cards.
func CharacterOfCard(names Names, card ID) ID {
	isCharacter := func(who ID) bool {
		return slices.ContainsFunc(names, func(n Name) bool { return n.ID == who && n.isCharacter() })
	}
	if who, isPawn := PawnOwner(string(card)); isPawn && isCharacter(ID(who)) {
		return ID(who)
	}
	for _, n := range names {
		if n.ID == card && n.isCharacter() {
			return card
		} else if n.ID == card && isCharacter(n.Of) {
			return n.Of
		}
	}
	return ""
}

func (n Name) isCharacter() bool { return n.Kind == "character" || n.Kind == "suspect" }

// NamesOfPawns returns labels for the pawns of a game with these names. Rulebook.Names does not
// include them, because only the enrolment of their tags needs them.
func NamesOfPawns(names Names) (all Names) {
	for _, n := range names {
		if n.isCharacter() {
			all = append(all, Name{ID: PawnID(n.ID), Kind: "pawn", Text: T("Pion : "+n.Text.FR, "Pawn: "+n.Text.EN)})
		}
	}
	return all
}
