package game

import (
	"log/slog"
	"time"

	"majordome/companion/master"
	"majordome/companion/master/losses"
	"majordome/companion/master/seats"
	"majordome/companion/proof"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Opts configure a Loop. Epoch and Desk are required.
type Opts struct {
	// Epoch numbers the starts of the daemon (store.NextEpoch).
	Epoch uint64
	// UrnWindow is the time for which the urn gathers tags for one presentation; default 500 ms.
	UrnWindow time.Duration
	// Demo marks each update as one of a demonstration table.
	Demo bool
	// NewGame begins a new game with the current rulebook; the old one stays in the journal. It has no effect
	// if events are missing and the host has to decide first.
	NewGame bool
	// Readers are the roles of the readers at this table. All start as ReaderOK.
	Readers []string
	// Enrolled are the cards that have a tag, for the check of the box.
	Enrolled []engine.ID
	Desk     Desk            // required
	Recovery losses.Recovery // nil: the journal never loses events
	Lights   master.Lights   // nil: the room has none
	// Hints returns the prepared hints of a game, at most wire.MaxStock. Nil: there are none.
	Hints func(game engine.ID) []wire.StockHint
	// Machine returns what is wrong with the computer of the table. It must not block; call PublishAgain after a
	// change. Nil: nothing checks it.
	Machine func() []wire.Finding
	// URL returns the address of the pages, for the display; "" while phones cannot connect yet. Nil: none is
	// shown. Call PublishAgain after a change.
	URL func() string
	// Name returns the name of this machine as phones know it (wire.TableView.Name). Nil: none.
	Name func() string
	// Host reports who has the host's page, as wire.TableView.Host does. Nil: there is a host.
	Host func() string
	// People knows the accounts signed in on the host's devices. Nil: there are no accounts.
	People People
	Dice   engine.Dice       // default: seeded by crypto/rand
	Salt   func() proof.Salt // returns a new salt; default: random
	Clock  Clock             // default: the system clock
	Log    *slog.Logger
}

// Journal stores games on disk; *store.Store implements it. A step may be on disk even if Append or Begin
// returns an error, so the loop then reads the game again.
type Journal interface {
	CurrentGame() (game store.Game, ok bool, err error)
	Events(game int64) ([]store.Event, error)
	BeginGame(book engine.ID, first []store.Event) (store.Game, error)
	AppendSteps(game int64, events []store.Event, result *store.Result) error
	// Notes returns the note sheets of a game; a new game has none.
	Notes(game int64) (map[engine.Seat]string, error)
	SetNotes(game int64, seat engine.Seat, marks string) error
	// Setting returns a setting of this table, chosen by the host.
	Setting(name string) (value string, ok bool, err error)
	SetSetting(name, value string) error
	// Results returns the results of finished games, the newest first.
	Results(limit int) ([]store.Result, error)
	CheckWritable() error
}

// Publisher publishes steps. The loop's goroutine calls Publish, in order. Publish must not block and must not
// change the step.
type Publisher interface{ Publish(Step) }

// Desk gives seats to phones; *pair.Desk implements it. The loop's goroutine calls it.
type Desk interface {
	seats.Desk
	// NextInviteChange returns when time makes the last answer of RefreshInvites outdated, which may be past; false for
	// never.
	NextInviteChange() (at time.Time, ok bool)
	// EndSeatLinks ends the open links of all seats.
	EndSeatLinks()
	// PhoneIdentity identifies the phone that has joined as h, among all that ever do; "" if none has.
	PhoneIdentity(h wire.Handset) string
}

// People knows the accounts signed in on the host's devices; *staff.Accounts implements it. It does not wait
// for the disk.
type People interface {
	// PersonAt returns the person signed in on a device: one without a role while it is locked, an owner
	// without a name if there are no accounts.
	PersonAt(h wire.Handset) wire.Person
	// PeopleByDevice returns PersonAt of each device, by its number, at one moment, and a number that rises
	// with each change; nil if there are no accounts.
	PeopleByDevice() (who []wire.Person, drawing uint64)
	// RestartIdleTime notes that a device is in use.
	RestartIdleTime(h wire.Handset)
}

// Clock is the clock of the loop.
type Clock interface {
	Now() time.Time
	After(time.Duration) <-chan time.Time
}

type systemClock struct{}

func (systemClock) Now() time.Time                         { return time.Now() }
func (systemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// noAccounts implements People for a table without accounts.
type noAccounts struct{}

func (noAccounts) PersonAt(h wire.Handset) (who wire.Person) {
	if h.IsHost() {
		who.Role = wire.RoleOwner
	}
	return who
}
func (noAccounts) PeopleByDevice() ([]wire.Person, uint64) { return nil, 0 }
func (noAccounts) RestartIdleTime(wire.Handset)            {}
