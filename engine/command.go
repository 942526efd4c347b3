package engine

import (
	"slices"
	"strconv"
	"strings"
)

// ID names one item of the deck data: a card, place, character, kind or game. It consists of
// lower-case words joined by hyphens, at most 40 bytes.
type ID string

// Millis is the time since the game began, in milliseconds. The engine compares such times; it
// never reads a clock.
type Millis int64

// Acts that every game understands. Each game names its own other acts.
const (
	ActScan     = "scan"     // a reader of the table has read cards
	ActDeadline = "deadline" // a deadline of Game.Deadlines has passed
)

// Args are the named parameters of an act. The values of a list are joined by commas.
type Args map[string]string

// SplitList splits the argument name at its commas. It returns nil for an absent or empty argument.
func (a Args) SplitList(name string) []string {
	if a[name] == "" {
		return nil
	}
	return strings.Split(a[name], ",")
}

// Command asks the game to do something: an act, its arguments, the time, and the viewer who acts.
type Command struct {
	At   Millis
	By   Viewer // scans and deadlines come from Public
	Act  string
	Args Args
}

// Reader roles at a table (rules/README.md, section 2).
const (
	ReaderUrn  = "urn"  // the reader in the urn's slot
	ReaderShow = "show" // the refutation reader, where cards are placed face down
)

// ScanCommand returns the command for one presentation at a reader: the cards of this deck, in any
// order, and the number of foreign tags, which belong to no card of this deck. Without cards and
// foreign tags it means a tag that the reader could not read.
func ScanCommand(at Millis, reader string, cards []ID, foreign int) Command {
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

// ArgDoubled is an argument of a scan. "1" says that one of its tags is on another reader at the
// same time, so one of the two is a copy (GEN-E13).
const ArgDoubled = "doubled"

// RuleAlarm is the rule of a Reject for a card that cannot be where it is presented. Unlike any
// other refusal of a card, the table sees its true reason. During a deal the game then stops until
// the host has answered (MoodAlarm). Otherwise each further alarm would name one undealt card to
// the owner of a copy, and no one could act on it.
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

// Reject says why a command does not happen. A rejected command changes nothing, except for the
// alarm in a deal (RuleAlarm).
type Reject struct {
	Code Code   `json:"code"`
	Rule string `json:"rule"` // rule id, such as HC-050 or GEN-E01
	Why  Msg    `json:"why"`  // the true reason, only for the seat To
	// To is the seat that receives Why. Zero means the player or host who acted, which is harmless
	// for a public act; for a scan it means no one.
	To Seat `json:"-"`
	// Public is the message for the whole table; empty: no message. It never depends on a secret
	// (GEN-004).
	Public Msg `json:"-"`
}

// Error returns the code and the rule id, never the reason, which may be a secret.
func (r *Reject) Error() string { return "refused: " + string(r.Code) + " (" + r.Rule + ")" }
