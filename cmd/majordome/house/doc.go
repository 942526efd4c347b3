// Package house connects the parts of a table: store, keys, table loop, broker,
// relay, pages, readers and lights. It makes no decisions about games. It is the
// only package that knows both tags and cards, and both lights and places.
//
//	h, err := house.Open(opts)   opens the network addresses and the store; nothing runs yet
//	err = h.Run(ctx, ready)      starts everything, calls ready, stops in reverse order
//
// What may leak: nothing new. Tags from the readers go to the table loop, the public
// update goes to the lights, and the relay sends everything else sealed.
package house

import (
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"majordome/cmd/majordome/adminsocket"
	"majordome/cmd/majordome/attract"
	"majordome/cmd/majordome/cards"
	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/health"
	"majordome/cmd/majordome/lamps"
	"majordome/cmd/majordome/library"
	"majordome/cmd/majordome/logs"
	"majordome/cmd/majordome/network"
	"majordome/cmd/majordome/network/hotspot"
	"majordome/cmd/majordome/readers"
	"majordome/cmd/majordome/records"
	"majordome/cmd/majordome/smarthome"
	"majordome/cmd/majordome/update"
	"majordome/cmd/majordome/vitals"
	"majordome/companion/broker"
	"majordome/companion/door"
	"majordome/companion/game"
	"majordome/companion/office"
	"majordome/companion/pair"
	"majordome/companion/relay"
	"majordome/companion/staff"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/engine"
	"majordome/engine/deck"
)

// Player is a player of the demonstration, with a seat from the start.
type Player struct {
	Name      string
	Character engine.ID
}

// Opts are the parts that differ between a real table and a demonstration.
type Opts struct {
	Config config.Config
	// Decks are the decks of this table as they are in the files, that of a new table's first game first.
	// Changes that the owner made at the table take precedence.
	Decks []deck.Deck
	// DeckFaults are the faults of files in the folder of decks, for the host's page.
	DeckFaults error
	// Game is put on the table at the start if another one is there; "" continues
	// the last game.
	Game engine.ID
	config.Devices
	Log  *slog.Logger
	Logs *logs.Logs // writes Log and follows the settings; nil: Log never changes
	// Demo marks every page as a demonstration.
	Demo bool
	// Version of the program, for the devices of the house.
	Version string
	// NewGame opens a new game; the one on the table stays in the store.
	NewGame bool
	// Tags are recorded as cards of each deck at the start.
	Tags map[engine.ID]map[devices.UID]engine.ID
	// Dice are thrown by the games; nil: random numbers of the system.
	Dice engine.Dice
	// Players of each game take seats if the table has no players yet.
	Players map[engine.ID][]Player
	// Bench serves /bench/events and /bench/act at a demonstration table.
	Bench http.Handler
	// Evening plays on displays while the table is not used, if Config.Attract asks for it; nil: none.
	Evening attract.Evening
	// Public receives every public update. NamesChanged receives the labels of the game on the
	// table: before its first update, and when the owner has changed them. Both must
	// not block.
	Public       func(wire.Update)
	NamesChanged func(engine.ID, engine.Names)
	// Editor manages the files that Config came from; the host's page changes its own file through it. Nil: no settings on the page.
	Editor *config.Editor
	// Vitals is the computer of the table, checked once a minute; nil: it is not checked.
	Vitals *vitals.Machine
	// SupportParts returns the first parts of a bundle, about the program and the machine; nil: none. LogTail is the end of Log.
	SupportParts func() []health.Part
	LogTail      *logs.Tail
	// ClockRequest is the file that root watches to set the clock; "": the clock cannot be set.
	ClockRequest string
	// UpdateFiles are the files that announce and request a newer package.
	UpdateFiles update.Files
	// Hotspot has the files that announce and request this machine's own Wi-Fi.
	Hotspot hotspot.Hotspot
	// AddressChanged is called when the address of the pages has changed. It must not block.
	AddressChanged func()
}

// House is a table: everything between the antennas of the readers and the phones.
type House struct {
	opts          Opts
	tree          wire.Tree
	network       *network.Network
	store         *store.Store
	desk          *pair.Desk
	claims        *pair.Claims
	adminSocket   *adminsocket.Server // for majordome host
	decks         *library.Library
	loop          *game.Loop
	door          *door.Door
	broker        *broker.Broker
	relay         *relay.Relay
	smartHome     *smarthome.SmartHome
	server        *http.Server
	cards         *cards.Cards
	lights        *lamps.Lamps
	readers       *readers.Readers
	enrolment     *cards.Enrolment
	periodCount   atomic.Uint64                 // counts the periods that beginsPeriod starts: lobbies, games, checks of the box
	attract       *attract.Attract              // nil: no evening plays on the displays
	playing       atomic.Bool                   // a game is on, so the table is not in the lobby
	hostSeen      atomic.Bool                   // a device of the host has connected
	firstStep     chan struct{}                 // closed at the first published step
	lastPublic    atomic.Pointer[wire.Update]   // the last public update
	firstStepOnce sync.Once                     // closes firstStep
	shutdownGrace time.Duration                 // how long a stop waits for slow readers of pages
	restoreFile   chan string                   // a backup that the host restores; ends Run
	newConfig     atomic.Pointer[config.Config] // the configuration in force; nil: that of opts
	pollNow       chan struct{}                 // asks for a check of the settings
	health        *health.Report
	office        *office.Office
	people        *staff.Accounts
	records       *records.Records
	updates       *update.Offer // offers a newer package; nil: this table installs none

	stepMu   sync.Mutex // keeps the steps for the relay in order; guards lastStep
	lastStep *game.Step

	hostMu      sync.Mutex // held during an act as a device of the host
	lastHostAct uint64     // number of the last such act, higher than that of any device
}

// Publish shows a step on phones, pages and lights, and to the listeners of public
// updates. It implements game.Publisher.
func (h *House) Publish(s game.Step) {
	h.playing.Store(s.Public.View.Phase != engine.PhaseLobby)
	before := h.lastPublic.Swap(&s.Public)
	period := beginsPeriod(h.lastStep, &s)
	if period {
		h.periodCount.Add(1)
	}
	ended := h.readers.AllowTest(!h.playing.Load())
	ended = h.lights.AllowWalk(!h.playing.Load()) || ended
	h.attract.Publish(s.Public)
	h.cards.ShowGame(s.Public.View.Game, s.Public.View.Switches)
	h.publishStep(&s)
	h.lights.Publish(s.Public)
	h.smartHome.Publish(&s.Public)
	if h.opts.Public != nil {
		h.opts.Public(s.Public)
	}
	if ended || period || hasNewPhase(before, &s.Public) {
		h.office.NotifyChanged()
	}
	h.firstStepOnce.Do(func() { close(h.firstStep) })
}

// publishStep sends a step to the phones, sealed for each, and the public update to the displays.
func (h *House) publishStep(s *game.Step) {
	h.stepMu.Lock()
	defer h.stepMu.Unlock()
	h.lastStep = s
	if err := h.relay.Publish(append(s.SealedUpdates(h.people), s.Public)); err != nil {
		h.opts.Log.Error("a step was not shown", "error", err, "conseil", "un coup n’a pas été montré")
	}
}

// publishNames sends the labels of a game to all pages and to their listeners.
func (h *House) publishNames(game engine.ID, labels engine.Names) {
	if h.opts.NamesChanged != nil {
		h.opts.NamesChanged(game, labels)
	}
	if err := h.relay.SetNames(slices.Concat(labels, h.decks.OtherGames(game))); err != nil {
		h.opts.Log.Error("new names were not shown", "error", err, "conseil", "les nouveaux noms n’ont pas été montrés")
	}
	h.smartHome.SetNames(labels)
}

func (h *House) userOf(p wire.Handset) string { return h.tree.Phone(p.N).User(p.Viewer) }

func (h *House) disconnectPhone(p wire.Handset) {
	if h.broker != nil { // before the broker exists no phone is connected
		h.broker.DisconnectUser(h.userOf(p))
	}
}

func (h *House) refreshViews() {
	h.attract.NoteUse()
	h.loop.Refresh()
}

func (h *House) announce(said engine.Msg) { h.loop.Announce(said) }

// updatePresence informs the table loop which phones are connected, and whether a display is.
func (h *House) updatePresence(users []string) {
	var phones []wire.Handset
	for _, u := range users {
		if p, ok := h.tree.Handset(u); ok {
			phones = append(phones, p)
			if p.Viewer == engine.Host {
				h.hostSeen.Store(true)
			}
		}
	}
	h.loop.SetOnline(phones)
	h.loop.SetDisplayOnline(slices.Contains(users, wire.Display))
}
