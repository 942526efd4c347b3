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
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"majordome/cmd/majordome/vitals"
	"majordome/companion/broker"
	"majordome/companion/broker/home"
	"majordome/companion/cert"
	"majordome/companion/door"
	"majordome/companion/pair"
	"majordome/companion/relay"
	"majordome/companion/seal"
	"majordome/companion/sheet"
	"majordome/companion/store"
	"majordome/companion/table"
	"majordome/companion/uplink"
	"majordome/companion/web"
	"majordome/companion/webhook"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/dial"
	"majordome/devices/light"
	"majordome/devices/node"
	"majordome/engine"
	"majordome/engine/deck"
)

// Reader is one scanner and what it is for.
type Reader struct {
	Role    string
	Scanner devices.Scanner
	// Period from one poll to the next: 2 ms catches a card that falls
	// through a slot, 10 ms is enough for one that is laid down.
	Period time.Duration
	// Retry is the longest pause between two tries while it is lost; 0: half a second.
	Retry time.Duration
}

// Period is how often a reader of that role is polled.
func Period(role string) time.Duration {
	if role == engine.ReaderUrn {
		return 2 * time.Millisecond
	}
	return 10 * time.Millisecond
}

// Strip is one strip and where its parts are.
type Strip struct {
	Strip  devices.Strip
	Layout light.Layout
	// Rooms are the places of the layout by number or id, see IsRoom; nil: those of the deck in its order.
	Rooms []string
	Opts  light.Opts
}

// Player is somebody who sits at the table from the start.
type Player struct {
	Name      string
	Character engine.ID
}

// Opts are the parts that differ between a real table and a demonstration.
type Opts struct {
	Config Config
	// Decks are the games of this table as they came, the one of a new table first;
	// what the owner has changed at the table wins.
	Decks []deck.Deck
	// Left are the faults of files in the folder of decks, for the host's page.
	Left error
	// Game is put on the table at the start if another one is there; empty: the
	// game of the last time goes on.
	Game    engine.ID
	Readers []Reader
	Strips  []Strip
	Clocks  []dial.Dial
	Buttons []Button
	Nodes   map[string]*node.Dev // by port, for health and metrics
	Log     *slog.Logger
	Logs    *Logs // of Log, and follow the settings; nil: it stays as it is
	// Demo marks every page.
	Demo bool
	// Version of the program, for who is told it.
	Version string
	// NewGame opens a new game; the one on the table stays in the store.
	NewGame bool
	// Tags are recorded as cards of each deck at the start.
	Tags map[engine.ID]map[devices.UID]engine.ID
	// Players of each game sit down when nobody sits at the table yet.
	Players map[engine.ID][]Player
	// Bench serves /bench/events and /bench/act at a demonstration table.
	Bench http.Handler
	// Public hears every public update, and Named the labels of the game on the
	// table: before its first update, and when the owner has changed them. They
	// must not block.
	Public func(wire.Update)
	Named  func(engine.ID, engine.Names)
	// Setup is the file that Config came from, for the host's page to change; nil: it changes none. Devices are those of
	// Config that could not be opened, and Mended, which may take a moment, whether one of them can be by now; nil: none is waited for.
	Setup   *Setup
	Devices []wire.SettingFault
	Mended  func() bool
	// Vitals is the computer of the table, looked at once a minute; nil: nobody looks.
	Vitals *vitals.Machine
	// Facts are the first parts of a bundle: what the program knows of itself and the machine. Nil: none. Tail is the end of Log.
	Facts func() []Part
	Tail  *Tail
	// Newer is where a newer package is told of.
	Newer Newer
	// Hotspot is where a Wi-Fi of this machine's own is told of and wished for.
	Hotspot Hotspot
	// Moved is called when the pages have come to be found at another address. It must not block.
	Moved func()
}

// House is everything between the antenna and the phone.
type House struct {
	opts     Opts
	tree     wire.Tree
	pages    net.Listener
	mqtt     net.Listener // nil: off
	secure   net.Listener // nil: off
	cert     *cert.Authority
	own      net.Listener // loopback, for the daemon's own client
	store    *store.Store
	desk     *pair.Desk
	claims   *pair.Claims
	shell    net.Listener // for majordome host
	decks    *Library
	loop     *table.Loop
	began    time.Time
	door     *door.Door
	broker   *broker.Broker
	relay    *relay.Relay
	uplink   *uplink.Uplink // nil: there is none
	homeAt   net.Listener   // nil: off
	homes    *homes         // nil: no devices of the house are served
	inner    *uplink.Uplink // to their broker
	id       string         // who this table is among those of a house
	hook     *webhook.Hook  // nil: there is none
	server   *http.Server
	tags     map[engine.ID]cards   // of each deck
	cards    atomic.Pointer[cards] // of the game on the table
	game     engine.ID             // whose names are shown; of the loop's goroutine
	lights   *lamps
	controls atomic.Pointer[map[devices.UID]string] // roles of control cards
	faces    faces
	dials    []*watchedDial
	labels   atomic.Pointer[engine.Names] // of the game on the table, for the sheets
	trial    *trial
	playing  atomic.Bool               // a game is on: it is no lobby
	hosted   atomic.Bool               // a device of the host has come
	away     atomic.Pointer[time.Time] // since when none of them is there; nil: one is
	start    chan struct{}             // closed at the first published step
	site     atomic.Pointer[site]
	titles   engine.Names                // of all games, as they were at the start
	public   atomic.Pointer[wire.Update] // as everybody sees the table now
	chosen   netip.Addr                  // of site; of the goroutine of follow
	name     atomic.Pointer[string]      // by mDNS; nil: none
	once     sync.Once
	grace    time.Duration          // for who reads a page slowly when the daemon stops
	back     chan string            // a backup that the host wants back; ends Run
	live     atomic.Pointer[Config] // what holds now, where that is no more what opts say
	poke     chan struct{}          // the settings are to be looked at
	care     care
	support  *support
	newer    *newer // nil: no newer package comes
	protocol *protocol
	figures  *support

	phaseMu    sync.Mutex
	lightPhase context.Context // ends when the strips are to begin anew
	turnLights context.CancelFunc
}

// cards are the cards of one deck by their tags.
type cards map[devices.UID]engine.ID

// Open takes the addresses, opens the store and wires the parts. On an error
// nothing stays open.
func Open(o Opts) (_ *House, err error) {
	h := &House{opts: o, began: time.Now(), lights: newLamps(o.Strips), start: make(chan struct{}), grace: time.Second, back: make(chan string, 1), poke: make(chan struct{}, 1)}
	h.lightPhase, h.turnLights = context.WithCancel(context.Background())
	h.away.Store(&h.began)
	defer func() {
		if err != nil {
			err = errors.Join(err, h.Close())
		}
	}()
	if h.tree, err = wire.NewTree("", o.Config.Site, o.Config.Table); err != nil {
		return nil, err
	}
	var few error
	reserved := 0
	if homeOn(&o.Config) {
		reserved = home.MaxConns
	}
	h.door, few = door.New(&door.Opts{Calm: debug.FreeOSMemory, Reserved: reserved}) // what a crowd took is given back
	if err := errors.Join(few, h.listen(), h.openStore()); err != nil {              // all that the owner can mend, at once
		return nil, err
	}
	if err := h.openCert(); err != nil {
		return nil, err
	}
	h.look()
	h.sayAbsent()
	enrolled, err := h.openDecks()
	if err != nil {
		return nil, err
	}
	controls, err := h.controlCards()
	if err != nil {
		return nil, err
	}
	h.controls.Store(&controls)
	if err := h.openShell(); err != nil {
		return nil, err
	}
	epoch, err := h.store.NextEpoch()
	if err := errors.Join(err, h.identify()); err != nil {
		return nil, err
	}
	ring := seal.NewRing(&seal.RingOpts{Keep: h.keep})
	if err := h.openDesk(ring); err != nil {
		return nil, err
	}
	h.openTrial()
	h.openSupport()
	if err := h.openHomes(); err != nil {
		return nil, err
	}
	h.openProtocol()
	h.openNewer()
	var roles []string
	for _, r := range o.Readers {
		if r.Role != RoleEnrol {
			roles = append(roles, r.Role)
		}
	}
	hints, err := ReadHints(o.Config.hintsFolder())
	if err != nil {
		o.Log.Warn("the owner's hints cannot be read; those of the program stand in", "error", err, "conseil", "vos indices sont illisibles, ceux du programme les remplacent")
	}
	h.openFigures(hints)
	h.loop, err = table.New(h.store, h, h.decks.Books(), &table.Opts{Epoch: epoch, Demo: o.Demo, NewGame: o.NewGame, Readers: roles,
		Enrolled: enrolled, Desk: h.desk, Library: h.decks, Keeper: keeper{h}, Lights: h.lights, Meters: h.meters(), Tags: h.tagger(), Settings: h.settings(), Support: h.support, Protocol: h.protocol, Figures: h.figures, Hints: hints.of, Home: h.homesPort(), Tables: h.accompanied, Newer: h.newerPort(), Machine: h.care.shown, URL: h.told, Name: h.found, Host: h.hosting, Idle: time.Duration(o.Config.Lock) * time.Minute, Log: of(o.Log, partTable)})
	if err != nil {
		return nil, err
	}
	rights := broker.NewRights(h.tree, h.desk)
	h.broker, err = broker.New(rights, &broker.Opts{OnPresence: h.present, Log: of(o.Log, partBroker)})
	if err != nil {
		return nil, err
	}
	if err := h.serve(); err != nil {
		return nil, err
	}
	h.faces, h.dials = newFaces(len(o.Clocks)), watched(o.Clocks)
	h.relay, err = relay.New(&relay.Opts{URL: "tcp://" + h.own.Addr().String(), User: wire.UserDaemon,
		Password: rights.DaemonPassword(), Tree: h.tree, Sealer: ring, Epoch: epoch, Log: of(o.Log, partRelay)})
	if err != nil {
		return nil, err
	}
	h.openUplink()
	h.openHook()
	if h.lookAtMachine() { // the lines are there: none is taken for one that cannot be opened
		h.loop.Refresh()
	}
	if err := h.joinHomes(); err != nil {
		return nil, err
	}
	h.decks.shown = h.names
	h.askHotspot()
	if o.Setup != nil {
		o.Setup.attach(o.Config, h.opts.Devices, h.poked)
	}
	return h, nil
}

// openDecks reads the decks and which tags are their cards; enrolled are those that have one.
func (h *House) openDecks() (enrolled []engine.ID, err error) {
	o := &h.opts
	if h.decks, err = OpenLibrary(h.store, o.Decks...); err != nil {
		return nil, err
	}
	if o.Config.Deck != "" && h.decks.Own(o.Decks[0].ID()) {
		o.Log.Warn("names changed at this table win over the file; the host's page can go back to the file", "file", o.Config.Deck,
			"conseil", "les noms changés à cette table l’emportent sur le fichier ; la page de l’hôte permet d’y revenir")
	}
	h.tags = map[engine.ID]cards{}
	for _, d := range o.Decks {
		var unread *UnreadError
		if errors.As(h.decks.Unread(d.ID()), &unread) {
			t := unread.Text()
			o.Log.Error("a deck of the store is passed over", "quoi", t.FR, "what", t.EN)
		}
		if err := h.enrol(d.ID()); err != nil {
			return nil, err
		}
		enrolled = slices.AppendSeq(enrolled, maps.Values(h.tags[d.ID()]))
	}
	h.cards.Store(&cards{})
	return enrolled, nil
}

// openDesk gives the host a key before the first view.
func (h *House) openDesk(ring *seal.Ring) (err error) {
	h.desk, err = pair.New(h.store, ring, &pair.Opts{User: h.user, Base: h.URL, Cut: h.cut, Changed: h.changed, Announce: h.announce, Log: of(h.opts.Log, partPair)})
	if err != nil {
		return err
	}
	h.claims = pair.NewClaims(h.desk, pair.ClaimOpts{Readers: h.canLay, Changed: h.changed})
	_, _, err = h.desk.Link(engine.Host)
	return err
}

func (h *House) listen() error {
	var errs [5]error
	h.pages, errs[0] = listenOrWait(h.opts.Config.Listen, "listen", h.opts.Log)
	if h.opts.Config.MQTT != "off" {
		h.mqtt, errs[1] = listenOrWait(h.opts.Config.MQTT, "mqtt", h.opts.Log)
	}
	h.own, errs[2] = listen("127.0.0.1:0", "loopback")
	if h.opts.Config.HTTPS != "off" && h.opts.Config.HTTPS != "" {
		h.secure, errs[3] = listenOrWait(h.opts.Config.HTTPS, "https", h.opts.Log)
	}
	if homeOn(&h.opts.Config) {
		h.homeAt, errs[4] = listenOrWait(h.opts.Config.Home, "home", h.opts.Log)
	}
	return errors.Join(errs[:]...)
}

// names shows the labels to all pages at once; those of pawns where some have tags.
func (h *House) names(game engine.ID, n engine.Names) {
	labels := n
	h.labels.Store(&labels)
	for card := range maps.Values(h.tags[game]) {
		if _, pawn := engine.WhosePawn(string(card)); pawn {
			n = slices.Concat(n, engine.Pawns(n))
			break
		}
	}
	if h.opts.Named != nil {
		h.opts.Named(game, n)
	}
	if err := h.relay.SetNames(slices.Concat(n, h.decks.others(game))); err != nil {
		h.opts.Log.Error("new names were not shown", "error", err, "conseil", "les nouveaux noms n’ont pas été montrés")
	}
	for _, u := range h.uplinks() {
		u.SetNames(n)
	}
}

// turnTo makes pages and readers speak of the game that is on the table now.
func (h *House) turnTo(game engine.ID) {
	if game == h.game {
		return
	}
	h.game = game
	c := h.tags[game]
	h.cards.Store(&c)
	h.names(game, h.decks.Book(game).Names())
}

// enrol records the given tags and reads back all of the deck's.
func (h *House) enrol(deck engine.ID) error {
	tags, err := h.store.Tags(deck)
	for uid, card := range h.opts.Tags[deck] {
		if tag := (store.Tag{UID: uid.String(), Card: card}); err == nil && !slices.Contains(tags, tag) {
			err = h.store.SetTag(deck, tag)
		}
	}
	if err != nil {
		return err
	}
	return h.learn(deck)
}

func (h *House) serve() error {
	pages, err := web.Handler(&web.Opts{Base: h.tree.Base(), Table: h.opts.Config.Table, Demo: h.opts.Demo, HTTPS: h.securePort(), Story: h.loop.Story, Tables: h.tables})
	if err != nil {
		return err
	}
	h.titles = h.decks.others("")
	mux := http.NewServeMux()
	mux.Handle("/mqtt", h.broker.Handler())
	mux.Handle("GET /print", sheet.Handler(func() engine.Names { return *cmp.Or(h.labels.Load(), &engine.Names{}) }))
	mux.Handle("GET "+supportPath+"{name}", h.support)
	mux.Handle("GET "+minutesPath+"{name}", h.protocol)
	mux.Handle("GET "+figuresPath+"{name}", h.figures)
	mux.Handle("POST /join", h.desk)
	mux.Handle("POST /claim", h.claims)
	mux.HandleFunc("GET /claim", h.screen)
	mux.HandleFunc("GET /wifi", h.wifi)
	h.serveTrust(mux)
	captive := web.NewCaptive()
	mux.HandleFunc("GET /welcome", captive.Welcome)
	mux.Handle("GET /healthz", h.near(h.healthz))
	mux.Handle("GET /metrics", h.near(h.metrics))
	if h.opts.Bench != nil {
		// Not "/bench/": the mux would send the page /bench there.
		mux.Handle("/bench/events", h.opts.Bench)
		mux.Handle("/bench/act", h.opts.Bench)
	}
	mux.Handle("/", pages)
	streams, end := context.WithCancel(context.Background())
	h.server = &http.Server{
		Handler:     h.door.Handler(captive.Before(h.asked(mux))),
		ConnContext: h.door.ConnContext, BaseContext: func(net.Listener) context.Context { return streams },
		ReadHeaderTimeout: door.HeaderWait, IdleTimeout: door.IdleWait, MaxHeaderBytes: door.MaxHeader,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(h.opts.Log.Handler(), slog.LevelDebug),
	}
	h.server.RegisterOnShutdown(end) // a stream of the bench never ends by itself
	return nil
}

// Publish shows one step: to the phones and pages, to the lights, and to who
// listens to the public update. It implements table.Publisher.
func (h *House) Publish(s table.Step) {
	h.playing.Store(s.Public.View.Phase != "lobby")
	h.public.Store(&s.Public)
	h.turnTo(s.Public.View.Game)
	if err := h.relay.Publish(append(s.Sealed(), s.Public)); err != nil {
		h.opts.Log.Error("a step was not shown", "error", err, "conseil", "un coup n’a pas été montré")
	}
	for i := range h.opts.Strips {
		strip, places := &h.opts.Strips[i], s.Public.View.Places
		h.lights.show(i, strip.cue(cue(s.Public), places))
		if s.Public.Notice != nil {
			h.lights.show(i, strip.cue(settled(s.Public), places)) // comes when the signal has been seen to its end
		}
	}
	h.faces.show(dial.Hour{At: s.Public.View.Clock.At, Of: s.Public.View.Clock.Of})
	for _, u := range h.uplinks() {
		u.Publish(&s.Public)
	}
	if h.hook != nil {
		h.hook.Publish(&s.Public)
	}
	if h.opts.Public != nil {
		h.opts.Public(s.Public)
	}
	h.once.Do(func() { close(h.start) })
}

func (h *House) user(p wire.Handset) string { return h.tree.Phone(p.N).User(p.Viewer) }

func (h *House) cut(p wire.Handset) {
	if h.broker != nil { // nobody is connected before there is one
		h.broker.Kick(h.user(p))
	}
}

func (h *House) changed() { h.loop.Refresh() }

func (h *House) announce(said engine.Msg) { h.loop.Announce(said) }

// present tells the table whose phones are connected, and whether a display is.
func (h *House) present(users []string) {
	var phones []wire.Handset
	now, host := time.Now(), false
	for _, u := range users {
		if p, ok := h.tree.Handset(u); ok {
			phones = append(phones, p)
			host = host || p.Viewer == engine.Host
		}
	}
	if host {
		h.hosted.Store(true)
		h.away.Store(nil)
	} else {
		h.away.CompareAndSwap(nil, &now)
	}
	h.loop.Online(phones)
	h.loop.Watched(slices.Contains(users, wire.Display))
}
