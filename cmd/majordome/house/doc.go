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
	"sync/atomic"

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
	"majordome/cmd/majordome/storage"
	"majordome/cmd/majordome/update"
	"majordome/cmd/majordome/vitals"
	"majordome/companion/game"
	"majordome/companion/office"
	"majordome/companion/pair"
	"majordome/companion/staff"
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
	Evening attract.EveningFunc
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
	Network *network.Network
	Store   *storage.Storage
	Desk    *pair.Desk
	Loop    *game.Loop

	opts             Opts
	tree             wire.Tree
	claims           *pair.Claims
	adminSocket      *adminsocket.Server // for majordome host
	decks            *library.Library
	entrance         entrance
	smartHome        *smarthome.SmartHome
	cards            *cards.Cards
	lights           *lamps.Lamps
	readers          *readers.Readers
	enrolment        *cards.Enrolment
	attract          *attract.Attract // nil: no evening plays on the displays
	steps            steps
	hostHasConnected atomic.Bool // a device of the host has connected
	hostActs         hostActs
	settings         *config.Watcher
	health           *health.Report
	office           *office.Office
	people           *staff.Accounts
	records          *records.Records
	updates          *update.Offer // offers a newer package; nil: this table installs none
}

// Publish shows a step on phones, pages and lights, and to the listeners of public
// updates. It implements game.Publisher.
func (h *House) Publish(s game.Step) {
	hasNewPhase, isNewPeriod := h.steps.recordStepFacts(&s)
	isPlaying := h.steps.playing.Load()
	ended := h.readers.AllowTest(!isPlaying)
	ended = h.lights.AllowWalk(!isPlaying) || ended
	h.attract.HandleUpdate(s.Public)
	h.cards.SetCurrentGame(s.Public.View.Game, s.Public.View.Switches)
	h.sendStepToRelay(&s)
	h.lights.ShowUpdate(s.Public)
	h.smartHome.Publish(&s.Public)
	if h.opts.Public != nil {
		h.opts.Public(s.Public)
	}
	if ended || isNewPeriod || hasNewPhase {
		h.office.NotifyChanged()
	}
	h.steps.firstOnce.Do(func() { close(h.steps.first) })
}

// sendStepToRelay sends a step to the phones, sealed for each, and the public update to the displays.
func (h *House) sendStepToRelay(s *game.Step) {
	h.steps.mu.Lock()
	defer h.steps.mu.Unlock()
	h.steps.last = s
	h.publishLastStep()
}

// publishLastStep sends the last step, if there is one. The caller has locked steps.mu.
func (h *House) publishLastStep() {
	s := h.steps.last
	if s == nil {
		return
	}
	if err := h.entrance.relay.PublishStep(append(s.UpdatesToSeal(h.people), s.Public)); err != nil {
		h.opts.Log.Error("a step was not shown", "error", err, "conseil", "un coup n’a pas été montré")
	}
}

// republishHostViews sends the last step again to the host's devices, each as the account signed in there may see it now. It sends
// nothing to seats and displays.
func (h *House) republishHostViews() {
	h.steps.mu.Lock()
	if h.steps.last != nil {
		if err := h.entrance.relay.PublishHost(h.steps.last.HostUpdates(h.people)); err != nil {
			h.opts.Log.Error("a step was not shown", "error", err, "conseil", "un coup n’a pas été montré")
		}
	}
	h.steps.mu.Unlock()
	h.Loop.HandlePeopleChange()
	h.office.NotifyChanged()
}

// publishNames sends the labels of a game to all pages and to their listeners.
func (h *House) publishNames(game engine.ID, labels engine.Names) {
	if h.opts.NamesChanged != nil {
		h.opts.NamesChanged(game, labels)
	}
	if err := h.entrance.relay.PublishNames(slices.Concat(labels, h.decks.OtherGames(game))); err != nil {
		h.opts.Log.Error("new names were not shown", "error", err, "conseil", "les nouveaux noms n’ont pas été montrés")
	}
	h.smartHome.PublishNames(labels)
	h.steps.mu.Lock()
	defer h.steps.mu.Unlock()
	h.publishLastStep() // once more: the sealed views say which names they belong to
}

func (h *House) brokerUserOf(p wire.Handset) string {
	return h.tree.TreeOfPhone(p.N).UserName(p.Viewer)
}

func (h *House) disconnectPhone(p wire.Handset) {
	if h.entrance.broker != nil { // before the broker exists no phone is connected
		h.entrance.broker.DisconnectUser(h.brokerUserOf(p))
	}
}

func (h *House) recordUseAndRefresh() {
	h.attract.RecordUse()
	h.Loop.PublishAgain()
}

// reportConnectedPhones informs the table loop which phones are connected, and whether a display is.
func (h *House) reportConnectedPhones(users []string) {
	var phones []wire.Handset
	for _, u := range users {
		if p, ok := h.tree.HandsetOfUser(u); ok {
			phones = append(phones, p)
			if p.Viewer == engine.Host {
				h.hostHasConnected.Store(true)
			}
		}
	}
	h.Loop.SetOnline(phones)
	h.Loop.SetDisplayOnline(slices.Contains(users, wire.Display))
}
