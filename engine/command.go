package engine

import (
	"slices"
	"strconv"
	"strings"
)

// ID names one thing of the deck data: a card, place, character, kind or game.
// Ids are lower-case words joined by hyphens, at most 40 bytes.
type ID string

// Millis is time since the game began, in milliseconds. The engine compares
// stamps; it never reads a clock.
type Millis int64

// Acts that every game understands. All other acts are named by the game.
const (
	ActScan     = "scan"     // cards seen by a reader of the table
	ActDeadline = "deadline" // a deadline of Game.Deadlines has come
)

// Args are the named parameters of an act. A list is its members joined by commas.
type Args map[string]string

// List splits the argument name at its commas; an absent or empty one is no members.
func (a Args) List(name string) []string {
	if a[name] == "" {
		return nil
	}
	return strings.Split(a[name], ",")
}

// Command is something that somebody wants to happen.
type Command struct {
	At   Millis
	By   Viewer // scans and deadlines come from Public
	Act  string
	Args Args
}

// Reader roles at a table (rules/README.md, section 2).
const (
	ReaderUrn  = "urn"  // the reader in the urn's slot
	ReaderShow = "show" // the refutation reader, cards laid face down
)

// Scan is the command of one presentation at a reader: the known cards, in any
// order, and how many tags lay there that belong to no card of this deck.
// A presentation with no card and no foreign tag is a tag that could not be read.
func Scan(at Millis, reader string, cards []ID, foreign int) Command {
	names := make([]string, len(cards))
	for i, c := range cards {
		names[i] = string(c)
	}
	slices.Sort(names)
	args := Args{"reader": reader}
	if len(names) > 0 {
		args["cards"] = strings.Join(names, ",")
	}
	if foreign > 0 {
		args["foreign"] = strconv.Itoa(foreign)
	}
	return Command{At: at, By: Public, Act: ActScan, Args: args}
}

// ArgDoubled, "1", is the argument of a scan one of whose tags lies at another
// reader at the same time: one of the two is a copy (GEN-E13).
const ArgDoubled = "doubled"

// RuleAlarm is the rule of a Reject for a card that cannot be where it is presented.
// Unlike every other refusal of a card it is told to all as what it is. In a deal the game
// then stands until the host has answered (MoodAlarm): else each alarm would name to the
// owner of a copy one card that is not dealt yet, and nobody could act upon it.
const RuleAlarm = "GEN-E13"

// Code is the closed list of reasons for a refusal.
type Code string

// The codes of a Reject.
const (
	NotNow    Code = "not-now"    // no such act in this phase
	NotYou    Code = "not-you"    // another seat is to act
	Unknown   Code = "unknown"    // no such act, place, card, seat or value
	Forbidden Code = "forbidden"  // a rule forbids it
	BadRead   Code = "bad-read"   // unreadable, foreign, or several cards at once
	Unwanted  Code = "unexpected" // a card that no open act waits for: ignored (GEN-E11)
)

// Reject says why a command does not happen. A rejected command changes nothing, but for the
// alarm in a deal (RuleAlarm).
type Reject struct {
	Code Code   `json:"code"`
	Rule string `json:"rule"` // rule id, such as HC-050 or GEN-E01
	Why  Msg    `json:"why"`  // the true reason: for To alone
	// To is the seat that hears Why. Zero: whoever acted, which for a public
	// act is harmless, and for a scan means nobody.
	To Seat `json:"-"`
	// Public is what the whole table is told; it never depends on a secret
	// (GEN-004). An empty Msg: the table is told nothing.
	Public Msg `json:"-"`
}

// Error gives the code and rule id; never the reason, which may be a secret.
func (r *Reject) Error() string { return "refused: " + string(r.Code) + " (" + r.Rule + ")" }
