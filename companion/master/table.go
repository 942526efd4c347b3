package master

import (
	"log/slog"
	"time"

	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Table gives parts access to the loop and its game.
type Table interface {
	Game() int64           // the number of the game in the journal
	Book() engine.Rulebook // its rules and deck
	Public() *engine.View  // the public view, read-only; during a scene it is ahead of what phones show
	Step() int64           // the number of the last step in the journal
	Played() engine.Millis // the time of the last step of the game itself, not of a part

	HostOffers() []engine.Offer                               // the acts of the game that the host may do now
	Play(author, act string, args engine.Args) *engine.Reject // does one of them
	Try(act string, args engine.Args) *engine.Reject          // says how the game would answer, and changes nothing

	LastAct() LastAct                      // the steps that an undo would take back
	TakeBack(author string) *engine.Reject // takes them back
	Withdrawable(seat engine.Seat) bool    // LastAct was a public declaration of this seat, and nobody has learned or lost anything by it

	InLobby() bool // the game has not begun
	InScene() bool // the display plays a reveal; phones show the step before it until it has ended
	Ended() bool   // the game is over, and phones show it

	Now() engine.Millis              // the clock of the game, which stops in a pause
	When(at engine.Millis) time.Time // the moment at which that clock will show at
	Wall() time.Time                 // the time of day

	Paused() bool     // for any reason
	Held() *wire.Hold // the pause that the host, a button, a program or the countdown has made; nil if there is none
	// Hold makes such a pause, and Release ends it. Both return after they are on disk.
	Hold(author string, h wire.Hold) *engine.Reject
	Release(author string) *engine.Reject

	// Record writes an event of a part, then has all parts Apply it. If the journal fails, the game is paused, the event is not applied and the
	// refusal says so.
	Record(author, kind string, data any) *engine.Reject
	// Lying returns where each card was at the end of an earlier game: engine.ReaderUrn, the id of a place, or "" for a hand.
	Lying(game int64) (at map[engine.ID]string, ended time.Time)
	Setting(name string) (value string, ok bool, err error)
	// Set stores a setting of the table. If the journal fails, the game is paused and the refusal says so.
	Set(name, value string) *engine.Reject
	RoomSettings() map[string]string // of all parts (RoomSettingsLister)
	// Results returns those of finished games, the newest first.
	Results(limit int) ([]store.Result, error)

	ForgetReadings() // drops readings of cards that have not been judged yet
	// Publish sends an update to everybody, with a notice or nil. The loop does so itself after an Act and after FilterAct.
	Publish(n *wire.Notice)
	Passing(said engine.Msg) *wire.Notice // makes a notice that stays for some seconds, over further updates
	News(said engine.Msg) *wire.Notice    // makes the same about phones, with rule GEN-011

	Readers() map[string]string    // the state of each reader, ReaderOK or ReaderLost, by its role
	ReaderName(role string) string // the name of a reader for pages: its role, or the id of the place that it is in
	SeatsOnline() []engine.Seat    // seats with a phone connected
	IsOnline(h wire.Handset) bool
	// Afresh has the acts of some phones counted from 1 again, after those phones have lost their keys.
	Afresh(gone func(wire.Handset) bool)
	Phones() []wire.SeatPhones      // seats that phones have joined
	Mark(h wire.Handset) string     // identifies the phone that has joined as h, and changes with its key; "" if none has joined
	Who(h wire.Handset) wire.Person // the account signed in on a device of the host
	Secrets() []engine.Holding      // of all seats: for the overseer alone
	Enrolled() []engine.ID          // the cards that have a tag
	Lights() Lights                 // nil if the room has none
	Log() *slog.Logger
}

// LastAct holds the numbers of the last step that somebody has caused, and of the last step of the game. Between them are deadlines.
type LastAct struct {
	Step int64 // 0: there is none
	Last int64
}

// Reader states of Table.Readers.
const (
	ReaderOK   = "ok"
	ReaderLost = "lost"
)

// Lights override the light that the game gives to the room. They must not block.
type Lights interface {
	// SetOver sets wire.LightWhite or LightDark, or LightGame to end that. Over returns the value in force, which others may have set too.
	SetOver(to string)
	Over() string
}

// Seated reports whether a seat has a player.
func Seated(v *engine.View, seat engine.Seat) bool {
	for _, s := range v.Seats {
		if s.Seat == seat {
			return true
		}
	}
	return false
}
