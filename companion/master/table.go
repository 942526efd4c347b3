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
	GameNumber() int64          // its number in the journal
	Book() engine.Rulebook      // its rules and deck
	PublicView() *engine.View   // read-only; during a scene it is ahead of the phones
	LastStep() int64            // number of the last step in the journal
	PlayedUntil() engine.Millis // time of the last step of the game, without those of parts

	HostOffers() []engine.Offer                                  // acts of the game that the host may do now
	PlayAct(author, act string, args engine.Args) *engine.Reject // does one of them
	TryAct(act string, args engine.Args) *engine.Reject          // returns the game's answer to the host's act without doing it

	LastAct() LastAct                         // the steps that an undo would take back
	UndoLastAct(author string) *engine.Reject // takes them back
	// CanWithdraw reports whether LastAct was a public declaration of this seat by which no player has learned or lost anything.
	CanWithdraw(seat engine.Seat) bool

	InLobby() bool  // the game has not begun
	InScene() bool  // the display plays a reveal; until it ends phones show the step before
	HasEnded() bool // the game is over, and phones show it

	GameTime() engine.Millis               // the clock of the game, which stops in a pause
	WallTimeOf(at engine.Millis) time.Time // the moment when that clock will show at
	WallTime() time.Time                   // date and time of day

	IsPaused() bool // for any reason
	// CurrentHold returns the pause made by the host, a button, a program or the countdown; nil if there is none.
	CurrentHold() *wire.Hold
	// HoldGame makes such a pause, and ReleaseGame ends it. Both return after the change is on disk.
	HoldGame(author string, h wire.Hold) *engine.Reject
	ReleaseGame(author string) *engine.Reject

	// ResumeAfterLosses ends the pause of a StartBlocker. The game goes on, unless it is on hold.
	ResumeAfterLosses() *engine.Reject
	// OpenNextGroup closes the game with its notes and opens a new one without players (GroupListener).
	OpenNextGroup(author string) *engine.Reject

	// RecordEvent writes an event of a part, then applies it to all parts. If the journal fails, the game is
	// paused, the event is not applied and the refusal says so.
	RecordEvent(author, kind string, data any) *engine.Reject
	// LastPositions returns where each card was at the end of an earlier game: engine.ReaderUrn, the id of a
	// place, or "" for a hand.
	LastPositions(game int64) (at map[engine.ID]string, ended time.Time)
	Setting(name string) (value string, ok bool, err error)
	// SetSetting stores a setting of the table. If the journal fails, the game is paused and the refusal says
	// so.
	SetSetting(name, value string) *engine.Reject
	RoomSettings() map[string]string // of all parts (RoomSettingsLister)
	// Results returns the results of finished games, the newest first.
	Results(limit int) ([]store.Result, error)

	DiscardReadings() // drops readings of cards that are not decided yet
	// Publish sends an update to all viewers, with a notice or nil. The loop already does so after an Act and
	// after FilterAct.
	Publish(n *wire.Notice)
	StartPassingNotice(said engine.Msg) *wire.Notice // makes a notice that all updates of the next seconds show
	StartPhoneNotice(said engine.Msg) *wire.Notice   // the same for news about phones, with rule GEN-011

	ReaderStates() map[string]string // state of each reader, ReaderOK or ReaderLost, by its role
	ReaderName(role string) string   // name of a reader for pages: its role, or the id of its place
	SeatsOnline() []engine.Seat      // seats with a phone connected
	IsOnline(h wire.Handset) bool
	// ResetActCounts lets some phones count their acts from 1 again, after they have lost their keys.
	ResetActCounts(selects func(wire.Handset) bool)
	SeatPhones() []wire.SeatPhones // seats that phones have joined
	// PhoneIdentity identifies the phone that has joined as h, and changes with its key; "" if none has joined.
	PhoneMark(h wire.Handset) string
	PersonAt(h wire.Handset) wire.Person // the account signed in on a device of the host
	Secrets() []engine.Holding           // of all seats: only for the overseer
	Enrolled() []engine.ID               // the cards that have a tag
	Lights() Lights                      // nil if the room has none
	Log() *slog.Logger
}

// LastAct holds the numbers of the last step that an actor has caused (Step) and of the last step of the game
// (LastGameStep). The steps between them were caused by deadlines.
type LastAct struct {
	Step         int64 // 0: there is none
	LastGameStep int64
}

// Reader states of Table.ReaderStates.
const (
	ReaderOK   = "ok"
	ReaderLost = "lost"
)

// Lights override the light that the game sets in the room. They must not block.
type Lights interface {
	// SetOverride sets wire.LightWhite or LightDark, or LightGame to end the override. Override returns the
	// current value, which others may also set.
	SetOverride(to string)
	Override() string
}

// HasPlayer reports whether a seat has a player.
func HasPlayer(v *engine.View, seat engine.Seat) bool {
	for _, s := range v.Seats {
		if s.Seat == seat {
			return true
		}
	}
	return false
}
