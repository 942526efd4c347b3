package cluedo

import (
	"math/bits"

	"majordome/engine/board"
)

// area is a room of the deck, from 1, or after the rooms an area without a card; zero is a square
// outside all areas.
type area uint8

// areas is a set of areas.
type areas uint16

func (x areas) withArea(a area) areas { return x | 1<<a }
func (x areas) hasArea(a area) bool   { return x&(1<<a) != 0 }

// singleArea returns the only area of the set; ok is false if it has none, or several.
func (x areas) singleArea() (a area, ok bool) {
	if x == 0 || x&(x-1) != 0 {
		return 0, false
	}
	return area(bits.TrailingZeros16(uint16(x))), true
}

// pos is the place of a pawn.
type pos struct {
	area area
	// Outside the areas: one of these, and the square where the board is known.
	kind     pawnSpot
	col, row int8
}

type pawnSpot uint8

const (
	onSquare   pawnSpot = iota // a known square of the board, or in a room
	onStart                    // its start square, without a board
	onCorridor                 // some square, without a board
	onQuestion                 // a marked square, without a board
	onNothing                  // out of the game
)

func positionOfSquare(at board.Square) pos { return pos{col: int8(at.Col), row: int8(at.Row)} }

// square returns the square of a pawn on the board; ok is false in an area or without a board.
func (p pos) square() (at board.Square, ok bool) {
	return board.Square{Col: int(p.col), Row: int(p.row)}, p.area == 0 && p.kind == onSquare
}

// squareText returns the pawn's square as all players see it.
func (p pos) squareText() string {
	switch p.kind {
	case onStart:
		return "start"
	case onQuestion:
		return toQuestion
	}
	if at, ok := p.square(); ok {
		return at.String()
	}
	return ""
}
