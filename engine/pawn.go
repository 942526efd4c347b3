package engine

import (
	"strconv"
	"strings"
)

// A pawn may carry a tag and a place of the house have a reader: laid there, the pawn says that it
// stands there, as its seat may on the phone. A Scan names such a reader by the id of its place.

// ReaderPlace begins the role of a reader in a place: its number in the deck or its name there
// follows, as in place-3 and place-salon.
const ReaderPlace = "place-"

// IsReaderOf reports that role is that of a reader in this place, number i of the deck from 0.
// A name finds the place in every game that has one of it: place-salon is of room-salon, too.
func IsReaderOf(role string, i int, place ID) bool {
	which, ok := strings.CutPrefix(role, ReaderPlace)
	name := string(place)
	if _, short, long := strings.Cut(name, "-"); long {
		name = short
	}
	return ok && (which == strconv.Itoa(i+1) || which == name)
}

// PlaceOfReader returns the id of the place whose reader has this role; the role itself for any other reader, and where the game has no
// such place.
func PlaceOfReader(role string, places []PlaceView) string {
	for i, p := range places {
		if IsReaderOf(role, i, p.Place) {
			return string(p.Place)
		}
	}
	return role
}

// PawnOf is the id of the pawn of a character or suspect.
func PawnOf(who ID) ID { return "pawn-" + who }

// WhosePawn is the character whose pawn has this id.
func WhosePawn(pawn string) (who string, ok bool) { return strings.CutPrefix(pawn, "pawn-") }

// Pawns are the labels of the pawns of a game with these names. They are no part of its names: only
// who enrols a tag for them has to do with them.
func Pawns(names Names) (all Names) {
	for _, n := range names {
		if n.Kind == "character" || n.Kind == "suspect" {
			all = append(all, Name{ID: PawnOf(n.ID), Kind: "pawn", Text: T("Pion : "+n.Text.FR, "Pawn: "+n.Text.EN)})
		}
	}
	return all
}
