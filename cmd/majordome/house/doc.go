// Package house puts the parts together: store, keys, table loop, broker,
// relay, pages, readers and lights. It decides nothing about games, and is the
// only place that knows both a tag and a card, both a lamp and a place.
//
//	h, err := house.Open(opts)   takes the addresses and the store; nothing runs yet
//	err = h.Run(ctx, ready)      starts everything, says ready, stops in reverse order
//
// What may leak: nothing new. Readers' tags go to the table loop, the public
// update goes to the lights, and everything else passes the relay sealed.
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
	"majordome/devices/dial"
	"majordome/devices/node"
	"majordome/engine"
	"majordome/engine/deck"
)

// Player is somebody who sits at the table from the start.
type Player struct {
	Name      string
	Character engine.ID
}

// Opts are the parts that differ between a real table and a demonstration.
type Opts struct {
	Config config.Config
	// Decks are the games of this table as they came, the one of a new table first;
	// what the owner has changed at the table wins.
	Decks []deck.Deck
	// Left are the faults of files in the folder of decks, for the host's page.
	Left error
	// Game is put on the table at the start if another one is there; empty: the
	// game of the last time goes on.
	Game    engine.ID
	Readers []config.Reader
	Strips  []config.Strip
	Clocks  []dial.Dial
	Buttons []config.Button
	Nodes   map[string]*node.Dev // by port, for health and metrics
	Log     *slog.Logger
	Logs    *logs.Logs // of Log, and follow the settings; nil: it stays as it is
	// Demo marks every page.
	Demo bool
	// Version of the program, for who is told it.
	Version string
	// NewGame opens a new game; the one on the table stays in the store.
	NewGame bool
	// Tags are recorded as cards of each deck at the start.
	Tags map[engine.ID]map[devices.UID]engine.ID
	// Dice are thrown by the games; the system's by default.
	Dice engine.Dice
	// Players of each game sit down when nobody sits at the table yet.
	Players map[engine.ID][]Player
	// Bench serves /bench/events and /bench/act at a demonstration table.
	Bench http.Handler
	// Evening plays on displays while nobody uses the table, where Config.Attract wants one; nil: none does.
	Evening attract.Evening
	// Public hears every public update, and Named the labels of the game on the
	// table: before its first update, and when the owner has changed them. They
	// must not block.
	Public func(wire.Update)
	Named  func(engine.ID, engine.Names)
	// Setup is the files that Config came from, of which the host's page changes its own; nil: it changes none. Devices are those of
	// Config that could not be opened, and Mended, which may take a moment, whether one of them can be by now; nil: none is waited for.
	Setup   *config.Editor
	Devices []wire.Finding
	Mended  func() bool
	// Vitals is the computer of the table, looked at once a minute; nil: nobody looks.
	Vitals *vitals.Machine
	// Facts are the first parts of a bundle: what the program knows of itself and the machine. Nil: none. Tail is the end of Log.
	Facts func() []health.Part
	Tail  *logs.Tail
	// ClockWish is the file that root waits for to set the clock; empty: nobody does.
	ClockWish string
	// Newer is where a newer package is told of.
	Newer update.Files
	// Hotspot is where a Wi-Fi of this machine's own is told of and wished for.
	Hotspot hotspot.Hotspot
	// Moved is called when the pages have come to be found at another address. It must not block.
	Moved func()
}

// House is everything between the antenna and the phone.
type House struct {
	opts      Opts
	tree      wire.Tree
	network   *network.Network
	store     *store.Store
	desk      *pair.Desk
	claims    *pair.Claims
	shell     *adminsocket.Server // for majordome host
	decks     *library.Library
	loop      *game.Loop
	began     time.Time
	door      *door.Door
	broker    *broker.Broker
	relay     *relay.Relay
	smartHome *smarthome.SmartHome
	server    *http.Server
	cards     *cards.Cards
	lights    *lamps.Lamps
	readers   *readers.Readers
	enrolment *cards.Enrolment
	periods   atomic.Uint64               // counts lobbies, games and checks of the box
	attract   *attract.Attract            // nil: no evening plays itself
	playing   atomic.Bool                 // a game is on: it is no lobby
	hosted    atomic.Bool                 // a device of the host has come
	start     chan struct{}               // closed at the first published step
	public    atomic.Pointer[wire.Update] // as everybody sees the table now
	once      sync.Once
	grace     time.Duration                 // for who reads a page slowly when the daemon stops
	back      chan string                   // a backup that the host wants back; ends Run
	live      atomic.Pointer[config.Config] // what holds now, where that is no more what opts say
	poke      chan struct{}                 // the settings are to be looked at
	monitor   *health.Monitor
	attached  deviceLook
	office    *office.Office
	people    *staff.Accounts
	records   *records.Records
	newer     *update.Offer // nil: no newer package comes

	showing sync.Mutex // what is shown goes to the relay in order
	step    *game.Step

	hostMu sync.Mutex // one act of the house's own as a device of the host after the other
	acted  uint64     // the number of the last of them, higher than that of any device
}

// Publish shows one step: to the phones and pages, to the lights, and to who
// listens to the public update. It implements game.Publisher.
func (h *House) Publish(s game.Step) {
	h.playing.Store(s.Public.View.Phase != engine.PhaseLobby)
	before := h.public.Swap(&s.Public)
	period := beginsPeriod(h.step, &s)
	if period {
		h.periods.Add(1)
	}
	ended := h.readers.AllowTrial(!h.playing.Load())
	ended = h.lights.AllowWalk(!h.playing.Load()) || ended
	h.attract.Publish(s.Public)
	h.cards.ShowGame(s.Public.View.Game, s.Public.View.Switches)
	h.show(&s)
	h.lights.Publish(s.Public)
	h.smartHome.Publish(&s.Public)
	if h.opts.Public != nil {
		h.opts.Public(s.Public)
	}
	if ended || period || turned(before, &s.Public) {
		h.office.Changed()
	}
	h.once.Do(func() { close(h.start) })
}

// show gives the phones a step.
func (h *House) show(s *game.Step) {
	h.showing.Lock()
	defer h.showing.Unlock()
	h.step = s
	if err := h.relay.Publish(append(s.Sealed(h.people), s.Public)); err != nil {
		h.opts.Log.Error("a step was not shown", "error", err, "conseil", "un coup n’a pas été montré")
	}
}

// showNames gives the labels of a game to all pages, and to who listens to them.
func (h *House) showNames(game engine.ID, labels engine.Names) {
	if h.opts.Named != nil {
		h.opts.Named(game, labels)
	}
	if err := h.relay.SetNames(slices.Concat(labels, h.decks.Others(game))); err != nil {
		h.opts.Log.Error("new names were not shown", "error", err, "conseil", "les nouveaux noms n’ont pas été montrés")
	}
	h.smartHome.SetNames(labels)
}

func (h *House) user(p wire.Handset) string { return h.tree.Phone(p.N).User(p.Viewer) }

func (h *House) cut(p wire.Handset) {
	if h.broker != nil { // nobody is connected before there is one
		h.broker.Kick(h.user(p))
	}
}

func (h *House) changed() {
	h.attract.Touch()
	h.loop.Refresh()
}

func (h *House) announce(said engine.Msg) { h.loop.Announce(said) }

// present tells the table whose phones are connected, and whether a display is.
func (h *House) present(users []string) {
	var phones []wire.Handset
	for _, u := range users {
		if p, ok := h.tree.Handset(u); ok {
			phones = append(phones, p)
			if p.Viewer == engine.Host {
				h.hosted.Store(true)
			}
		}
	}
	h.loop.Online(phones)
	h.loop.Watched(slices.Contains(users, wire.Display))
}
