package house

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"majordome/cmd/majordome/adminsocket"
	"majordome/cmd/majordome/attract"
	"majordome/cmd/majordome/cards"
	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/health"
	"majordome/cmd/majordome/lamps"
	"majordome/cmd/majordome/library"
	"majordome/cmd/majordome/network"
	"majordome/cmd/majordome/readers"
	"majordome/cmd/majordome/records"
	"majordome/cmd/majordome/smarthome"
	"majordome/cmd/majordome/storage"
	"majordome/cmd/majordome/update"
	"majordome/companion/broker"
	"majordome/companion/door"
	"majordome/companion/game"
	"majordome/companion/home"
	"majordome/companion/master"
	"majordome/companion/pair"
	"majordome/companion/relay"
	"majordome/companion/seal"
	"majordome/companion/sheet"
	"majordome/companion/staff"
	"majordome/companion/web"
	"majordome/companion/wire"
	"majordome/engine"
	"net/netip"
)

// Open opens the network addresses and the store, and connects the parts. On an error
// it closes everything again.
func Open(o Opts) (_ *House, err error) {
	h := &House{opts: o,
		lights: lamps.New(lamps.Opts{Strips: o.Strips, Clocks: o.Clocks, Settings: lamps.Settings{Calm: o.Config.Calm}, Log: o.Log}),
		steps:  steps{first: make(chan struct{})}, entrance: entrance{shutdownGrace: time.Second}}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.Close())
		}
	}()
	if h.tree, err = wire.NewTree("", o.Config.Site, o.Config.Table); err != nil {
		return nil, err
	}
	var few error
	devices := 0
	if o.Config.ServesSmartHome() {
		devices = home.MaxAccounts
	}
	// After a crowd of connections the door frees memory.
	h.entrance.door, few = door.New(&door.Opts{OnCalm: debug.FreeOSMemory, Devices: devices})
	if err := errors.Join(few, h.openNetwork(), h.openStore()); err != nil { // report together all that the owner can repair
		return nil, err
	}
	named, err := h.Network.LoadOrCreateRoot(o.Config.Data)
	if err != nil {
		return nil, err
	}
	h.opts.Missing = slices.Concat(o.Missing, named)
	if err := h.openDecks(); err != nil {
		return nil, err
	}
	if h.adminSocket, err = adminsocket.Listen(o.Config.Data); err != nil {
		return nil, err
	}
	epoch, err := h.Store.NextEpoch()
	if err != nil {
		return nil, err
	}
	ring := seal.NewRing(&seal.RingOpts{OnCounter: h.saveConnectCounter})
	if err := h.createDesk(ring); err != nil {
		return nil, err
	}
	if o.Evening != nil && o.Config.Attract > 0 {
		h.attract = attract.New(attract.Opts{IdleTime: time.Duration(o.Config.Attract) * time.Minute,
			PlayEvening: o.Evening, Lights: h.lights, Decks: h.decks})
	}
	if err := h.openSmartHome(); err != nil {
		return nil, err
	}
	h.updates = update.NewOffer(o.UpdateFiles, h.steps.playing.Load, func() { h.office.NotifyChanged() })
	h.people = staff.Open(&staff.Opts{Store: h.Store, Devices: h.Desk, Idle: time.Duration(o.Config.Lock) * time.Minute,
		OnChange: h.republishHostViews, Log: partLogger(o.Log, config.PartTable)})
	h.settings = config.NewWatcher(config.WatcherOpts{Config: &h.opts.Config, Editor: o.Editor, Opened: &h.opts.Devices,
		IsPlaying: h.steps.playing.Load, HasSeenHost: h.hostHasConnected.Load, Apply: h.applyConfig,
		Changed: func() { h.office.NotifyChanged() }, Log: o.Log})
	h.createHealthChecks()
	if err := h.createLoop(epoch); err != nil {
		return nil, err
	}
	h.createReaders()
	h.createOffice(epoch, ring)
	if err := h.createBrokerAndRelay(epoch, ring); err != nil {
		return nil, err
	}
	if err := h.smartHome.Start(); err != nil {
		return nil, err
	}
	if h.health.Monitor.CheckOnce() { // only now: before Start each line would look broken
		h.Loop.PublishAgain()
	}
	h.decks.OnRenamed = h.cards.PublishChangedLabels
	h.applyNetworkConfig(&o.Config)
	h.settings.AttachTable()
	return h, nil
}

// storyJSON returns the story of the game that is over, or of the evening that plays on the displays; nil if there is none.
func (h *House) storyJSON() []byte {
	if told := h.Loop.StoryJSON(); told != nil {
		return told
	}
	return h.attract.StoryJSON()
}

// createHealthChecks creates the checks of the computer and of the devices. It runs before openLoop, whose views show their findings.
func (h *House) createHealthChecks() {
	o := &h.opts
	devices := health.NewDevices(health.DevicesOpts{Config: &o.Config, Opened: &o.Devices, Lamps: h.lights, IsPlaying: h.steps.playing.Load,
		Changed: h.showDeviceFaults, Log: o.Log})
	h.health = &health.Report{Started: time.Now(), Store: h.Store.Store, Door: h.entrance.door, SmartHome: h.smartHome, Devices: devices,
		FirstParts: o.SupportParts, Config: h.settings.Config, LogTail: o.LogTail}
	h.health.Monitor = health.NewMonitor(health.MonitorOpts{Vitals: o.Vitals, ClockRequest: o.ClockRequest,
		Changed: func() { h.Loop.PublishAgain(); h.office.NotifyChanged() }, Log: o.Log,
		Others: func() []wire.Finding {
			return slices.Concat(h.smartHome.Findings(), health.DeckFindings(o.DeckFaults), devices.ReaderFindings())
		}})
}

// showDeviceFaults shows faults of devices on the settings page, and what the host has to know of them.
func (h *House) showDeviceFaults(faults []wire.Finding) {
	if h.opts.Editor != nil {
		h.opts.Editor.SetDeviceFaults(faults)
	}
	if h.health.Monitor.CheckOnce() {
		h.Loop.PublishAgain()
	}
	h.office.NotifyChanged()
}

// openSmartHome connects the table to the house's devices. It runs before openOffice, which shows the accounts of these devices.
func (h *House) openSmartHome() (err error) {
	h.smartHome, err = smarthome.Open(smarthome.Opts{Config: &h.opts.Config,
		Network: h.Network, Store: h.Store.Store, Tree: h.tree, Titles: h.decks.OtherGames(""),
		Version: h.opts.Version, Demo: h.opts.Demo, ExecuteOrder: h.executeHomeOrder, CheckWritable: h.steps.refuseIfPaused,
		Changed: func() { h.office.NotifyChanged() }, Log: h.opts.Log})
	return err
}

// executeHomeOrder executes the order of a program of the house. An alarm lights the room at once, even while the loop is busy.
func (h *House) executeHomeOrder(by, act string, args engine.Args, reply func(*engine.Reject)) {
	if act == wire.OrderAlarm {
		h.lights.SetOverride(wire.LightWhite)
	}
	h.Loop.ExecuteOrder(by, act, args, reply)
}

// createLoop creates the table loop and the records of its games.
func (h *House) createLoop(epoch uint64) error {
	o := &h.opts
	var roles []string
	for _, r := range o.Readers {
		if r.Role != config.RoleEnrol {
			roles = append(roles, r.Role)
		}
	}
	hints, err := config.ReadHints(o.Config.OwnerFolder())
	if err != nil {
		o.Log.Warn("the owner's hints cannot be read; those of the program stand in",
			"error", err, "conseil", "vos indices sont illisibles, ceux du programme les remplacent")
	}
	loop, err := game.New(h.Store, h, h.decks.Rulebooks(), &game.Opts{Epoch: epoch, Demo: o.Demo, Dice: o.Dice, NewGame: o.NewGame,
		Readers: roles, Enrolled: h.cards.EnrolledCards(), Desk: h.Desk, Recovery: h.Store,
		Lights: h.lightsOrNil(), Hints: hints.ForGame,
		Machine: h.health.Monitor.Findings, URL: h.Network.DisplayURL, Name: h.Network.MDNSName, Host: h.claims.HostState, People: h.people,
		Log: partLogger(o.Log, config.PartTable)})
	if err != nil {
		return err
	}
	h.Loop, h.health.Table, h.hostActs.loop = loop, loop, loop
	h.records = records.New(records.Opts{Store: h.Store.Store, Decks: h.decks, Table: h.Loop,
		Days: o.Config.Remember, Hints: hints, Log: o.Log})
	return nil
}

// createReaders creates the enrolment, and the readers that feed it and the loop.
func (h *House) createReaders() {
	changed := func() { h.office.NotifyChanged() }
	h.enrolment = cards.NewEnrolment(
		cards.EnrolmentOpts{Cards: h.cards, Table: h.Loop, Public: h.steps.public.Load, Period: h.steps.periods.Load,
			CheckWritable:  h.steps.refuseIfPaused,
			HasEnrolReader: func() bool { return h.readers.HasWorkingReader(config.RoleEnrol) },
			EndReaderTest:  func() { h.readers.EndTest() },
			ShowAnswer:     h.lights.ShowAnswer, OnChange: changed, Log: partLogger(h.opts.Log, config.PartTable)},
	)
	h.readers = readers.New(readers.Opts{Readers: h.opts.Readers, Table: h.Loop,
		Cards: h.cards, Enrolment: h.enrolment, OnControlCard: h.performControl,
		HandleClaimCard: h.claims.HandleCard, HandleClaimLeft: h.claims.HandleLeft,
		Public: h.steps.public.Load, IsPlaying: h.steps.playing.Load, Strips: h.lights.StripStates, OnUse: func() { h.attract.RecordUse() },
		OnChange: changed, Log: h.opts.Log})
	h.health.Readers = h.readers
}

// lightsOrNil returns the lights that the loop switches; nil if there are no strips.
func (h *House) lightsOrNil() master.Lights {
	if !h.lights.HasStrips() {
		return nil
	}
	return h.lights
}

// createBrokerAndRelay creates the broker, the pages and the relay between them and the loop.
func (h *House) createBrokerAndRelay(epoch uint64, ring *seal.Ring) (err error) {
	rights := broker.NewRights(h.tree, h.Desk)
	h.entrance.broker, err = broker.New(rights, &broker.Opts{
		OnPresence: h.reportConnectedPhones, Log: partLogger(h.opts.Log, config.PartBroker)})
	if err != nil {
		return err
	}
	h.health.Broker = h.entrance.broker
	if err := h.buildServer(); err != nil {
		return err
	}
	h.entrance.relay, err = relay.New(&relay.Opts{URL: "tcp://" + h.Network.Loopback.Addr().String(), User: wire.UserDaemon,
		Password: rights.DaemonPassword(), Tree: h.tree, Sealer: ring, Epoch: epoch, Log: partLogger(h.opts.Log, config.PartRelay)})
	h.health.Relay = h.entrance.relay
	return err
}

// openDecks opens the decks, and the tags of their cards.
func (h *House) openDecks() (err error) {
	o := &h.opts
	if h.decks, err = library.Open(h.Store.Store, o.Decks...); err != nil {
		return err
	}
	if o.Config.Deck != "" && h.decks.IsChanged(o.Decks[0].ID()) {
		o.Log.Warn("names changed at this table win over the file; the host's page can go back to the file", "file", o.Config.Deck,
			"conseil", "les noms changés à cette table l’emportent sur le fichier ; la page de l’hôte permet d’y revenir")
	}
	var games []engine.ID
	for _, d := range o.Decks {
		games = append(games, d.ID())
		var unread *library.UnreadableError
		if errors.As(h.decks.UnreadableChanges(d.ID()), &unread) {
			t := unread.Text()
			o.Log.Error("a deck of the store is passed over", "quoi", t.FR, "what", t.EN)
		}
	}
	h.cards, err = cards.Open(
		cards.Opts{Store: h.Store.Store, Decks: h.decks, Games: games, Tags: o.Tags, Buttons: o.Buttons, OnNames: h.publishNames,
			OnEnrolled: func(all []engine.ID) { h.Loop.SetEnrolled(all) }, Log: o.Log},
	)
	return err
}

// saveConnectCounter saves the connect counter of a phone, so that an overheard password
// stays worthless after a restart.
func (h *House) saveConnectCounter(p wire.Handset, counter uint64) {
	if err := h.Store.RaiseCounter(p, counter); err != nil {
		h.opts.Log.Warn("connect counter not recorded", "error", err, "conseil",
			"un compteur de connexions n’a pas été enregistré : vérifiez la carte mémoire")
	}
}

// canClaimByCard reports whether a card put on a reader now would be read and not count as a move: no game is on and a reader works.
func (h *House) canClaimByCard() bool {
	return !h.steps.playing.Load() && h.readers.HasWorkingReader("")
}

// characterOf returns the character of a card or pawn of the game on the table, for a claim of a seat; "" for a card of none, and
// while the enrolment or the check of the box takes all cards.
func (h *House) characterOf(card engine.ID) engine.ID {
	if card == "" || h.steps.checking.Load() || h.enrolment.AcceptsAllTags() {
		return ""
	}
	return engine.CharacterOfCard(h.cards.Labels(), card)
}

// canClaimByWifi reports whether a phone at an address may become the host without a card: no game is on, no reader works, and the
// phone is on this machine's own Wi-Fi.
func (h *House) canClaimByWifi(addr netip.Addr) bool {
	return !h.steps.playing.Load() && !h.readers.HasWorkingReader("") && h.Network.IsOnOwnWifi(addr)
}

// createDesk creates the desk that pairs phones, and makes the host's key before the first view.
func (h *House) createDesk(ring *seal.Ring) (err error) {
	h.Desk, err = pair.New(h.Store, ring, &pair.Opts{UserName: h.brokerUserOf, BaseURL: h.Network.URL, Disconnect: h.disconnectPhone,
		Changed: h.recordUseAndRefresh, Announce: func(said engine.Msg) { h.Loop.PublishNotice(said) }, Log: partLogger(h.opts.Log,
			config.PartPair)})
	if err != nil {
		return err
	}
	h.claims = pair.NewClaims(
		h.Desk,
		pair.ClaimOpts{ReadersReady: h.canClaimByCard, IsOnOwnWifi: h.canClaimByWifi, HasLocalScreen: h.Network.CanRecognizeOwnScreen,
			CharacterOf: h.characterOf, Changed: h.recordUseAndRefresh},
	)
	_, _, err = h.Desk.EnsureLink(engine.Host)
	return err
}

// openNetwork opens the network addresses.
func (h *House) openNetwork() (err error) {
	c := &h.opts.Config
	name := c.MDNS
	if name == config.MDNSOff {
		name = ""
	}
	h.Network, err = network.Open(network.Opts{Pages: c.Listen, MQTT: c.MQTTAddress(),
		HTTPS: c.HTTPSAddress(), Home: c.HomeAddress(), Name: name,
		Settings: liveNetworkSettings(c), Hotspot: h.opts.Hotspot, Changed: h.handleNetworkChange, Log: h.opts.Log})
	return err
}

// liveNetworkSettings returns the settings that take effect without a restart.
func liveNetworkSettings(c *config.Config) network.Settings {
	return network.Settings{URL: c.URL, Names: c.Names, Metrics: c.Metrics}
}

// openStore opens the store.
func (h *House) openStore() (err error) {
	h.Store, err = storage.Open(h.opts.Config.Data, h.opts.Log)
	return err
}

// applyConfig applies the settings that need no restart.
func (h *House) applyConfig(c *config.Config) {
	h.opts.Logs.SetConfig(*c)
	h.applyNetworkConfig(c)
	lights := lamps.Settings{Calm: c.Calm}
	for _, place := range h.opts.OpenedIndexes("strips", len(h.opts.Strips)) {
		if place < len(c.Strips) { // the strips of a demonstration are not in the configuration
			lights.Brightness = append(lights.Brightness, c.Strips[place].Brightness)
		}
	}
	h.lights.ApplySettings(lights)
}

// applyNetworkConfig applies the settings of the network and of this machine's own Wi-Fi.
func (h *House) applyNetworkConfig(c *config.Config) {
	h.Network.ApplySettings(liveNetworkSettings(c))
	if err := h.opts.Hotspot.WriteRequest(c.HotspotRequest()); err != nil {
		h.opts.Log.Error("the Wi-Fi of this machine’s own does not follow the configuration",
			"error", err, "conseil", "le Wi-Fi de cette machine ne suit pas la configuration")
	}
}

// handleNetworkChange shows a change of the network: the display's address, the codes on the host's page and the Wi-Fi.
func (h *House) handleNetworkChange(c network.Change) {
	if c == network.WiFiChanged {
		h.attract.RecordUse()
	}
	h.Loop.PublishAgain()
	h.office.NotifyChanged()
	if c == network.AddressChanged && h.opts.AddressChanged != nil {
		h.opts.AddressChanged()
	}
}

func (h *House) buildServer() error {
	pages, err := web.Handler(&web.Opts{Base: h.tree.Base(), Table: h.opts.Config.Table,
		Demo: h.opts.Demo, HTTPS: h.Network.HTTPSPort(), Story: h.storyJSON, Tables: h.smartHome.EncodeTables})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mqtt", h.entrance.broker.WebSocketHandler())
	mux.Handle("GET /print", sheet.Handler(h.cards.Labels))
	mux.Handle("POST /join", h.Desk)
	mux.Handle("POST /office", h.office)
	mux.Handle("POST /claim", h.claims)
	mux.HandleFunc("POST /ask", h.Desk.ServeAsk)
	mux.HandleFunc("GET /claim", h.Network.AllowOnlyOwnScreen(h.serveHostLink))
	h.Network.AddRoutes(mux)
	mux.HandleFunc("GET /attract", func(w http.ResponseWriter, r *http.Request) { h.attract.ServeHTTP(w, r) })
	captive := web.NewCaptive()
	mux.HandleFunc("GET /welcome", captive.ServeWelcome)
	mux.Handle("GET /healthz", h.Network.AllowOnlyLocal(h.health.ServeHealth))
	mux.Handle("GET /metrics", h.Network.AllowOnlyLocal(h.health.ServeMetrics))
	if h.opts.Bench != nil {
		// Not "/bench/": then the mux would send requests for the page /bench there.
		mux.Handle("/bench/events", h.opts.Bench)
		mux.Handle("/bench/act", h.opts.Bench)
	}
	mux.Handle("/", pages)
	streams, end := context.WithCancel(context.Background())
	h.entrance.server = &http.Server{
		Handler:     h.entrance.door.LimitRequests(captive.AnswerProbes(h.Network.AllowOnlyOwnNames(mux))),
		ConnContext: h.entrance.door.ConnContext, BaseContext: func(net.Listener) context.Context { return streams },
		ReadHeaderTimeout: door.HeaderWait, IdleTimeout: door.IdleWait, MaxHeaderBytes: door.MaxHeader,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(h.opts.Log.Handler(), slog.LevelDebug),
	}
	h.entrance.server.RegisterOnShutdown(end) // without it the bench's streams would never end
	return nil
}
