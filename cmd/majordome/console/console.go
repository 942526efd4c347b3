// Package console wires the console of a venue: pages of its operators, their devices and accounts, and the line to the engine
// of the venue. It is to package companion/venue what package house is to a table.
//
//	c, err := console.Open(&console.Opts{Config: cfg, ...})
//	err = c.Run(ctx, ready)
//
// What may leak: the console knows only what everybody at a table sees. All that operators do goes through the office (package
// office), sealed for their device; /venue.json has the clock and the number of this start.
package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"majordome/cmd/majordome/adminsocket"
	"majordome/cmd/majordome/network"
	"majordome/companion/door"
	"majordome/companion/line"
	"majordome/companion/office"
	"majordome/companion/pair"
	"majordome/companion/seal"
	"majordome/companion/staff"
	"majordome/companion/store"
	"majordome/companion/venue"
	"majordome/companion/web"
	"majordome/companion/wire"
	"majordome/engine"
)

// storeFile is the name of the store in the data folder of a console.
const storeFile = "venue.db"

// Opts of a Console. Config and Log are required.
type Opts struct {
	Config Config
	Titles []engine.Name // of the games that this program knows
	Log    *slog.Logger
}

// Console is the console of one venue.
type Console struct {
	Network *network.Network
	Desk    *pair.Desk

	opts   Opts
	tree   wire.Tree
	epoch  uint64
	store  *store.Store
	people *staff.Accounts
	office *office.Office
	venue  *venue.Venue
	line   *line.Line
	kept   *resultKeeper
	admin  *adminsocket.Server
	door   *door.Door
	server *http.Server
}

// Open opens addresses and store. After an error nothing stays open.
func Open(o *Opts) (_ *Console, err error) {
	c := &Console{opts: *o}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	if c.tree, err = wire.NewTree("", o.Config.Site, "venue"); err != nil {
		return nil, err
	}
	if c.door, err = door.New(&door.Opts{OnCalm: debug.FreeOSMemory}); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Config.Data, 0o700); err != nil {
		return nil, fmt.Errorf("console: %w", err)
	}
	if c.store, err = store.Open(filepath.Join(o.Config.Data, storeFile), nil); err != nil {
		return nil, err
	}
	if c.admin, err = adminsocket.Listen(o.Config.Data); err != nil {
		return nil, err
	}
	if c.epoch, err = c.store.NextEpoch(); err != nil {
		return nil, err
	}
	c.Network, err = network.Open(network.Opts{Pages: o.Config.Listen, Settings: network.Settings{URL: o.Config.URL},
		Changed: func(network.Change) {}, Log: o.Log})
	if err != nil {
		return nil, err
	}
	if err := c.openOffice(); err != nil {
		return nil, err
	}
	if err := c.openLine(); err != nil {
		return nil, err
	}
	c.kept = &resultKeeper{send: c.sendCommand, knows: c.venue.ShowsTable, days: o.Config.Remember, log: o.Log,
		tables: map[string]*tableResults{}}
	if c.kept.store, err = openResults(o.Config.Results, o.Config.Data); err != nil {
		return nil, err
	}
	return c, c.openServer()
}

// openOffice opens the keys of the operators' devices, their accounts, and the office.
func (c *Console) openOffice() (err error) {
	ring := seal.NewRing(&seal.RingOpts{OnCounter: func(wire.Handset, uint64) {}}) // no device connects by MQTT
	user := func(h wire.Handset) string { return c.tree.TreeOfPhone(h.N).UserName(h.Viewer) }
	c.Desk, err = pair.New(c.store, ring, &pair.Opts{UserName: user,
		BaseURL: c.Network.URL, HostPage: "/venue", Log: c.opts.Log})
	if err != nil {
		return err
	}
	c.people = staff.Open(&staff.Opts{Store: c.store, Devices: c.Desk, Idle: time.Duration(c.opts.Config.Lock) * time.Minute,
		OnChange: func() { c.office.NotifyChanged() }, Log: c.opts.Log})
	c.office = office.New(&office.Opts{Keys: ring, Epoch: c.epoch, Role: c.people.Role, Log: c.opts.Log},
		slices.Concat(c.venueRows(), c.people.StaffRows())...)
	return nil
}

// openLine makes the line to the engine of the venue.
func (c *Console) openLine() (err error) {
	c.venue, err = venue.New(&venue.Opts{Site: c.opts.Config.Site, Titles: c.opts.Titles, Groups: c.opts.Config.Groups, Start: c.epoch})
	if err != nil {
		return err
	}
	o, err := c.opts.Config.lineOpts()
	if err != nil {
		return err
	}
	o.ClientID, o.Will, o.Filters, o.Receive = "majordome-venue", c.venue.AvailabilityTopic(), c.venue.Filters(), c.receive
	o.Queue, o.Log, o.LogText = 2*venue.MaxTables, c.opts.Log, "venue: the engine does not take what is sent"
	o.Advice = "le serveur de la salle ne répond pas ; les tables jouent sans la console, et le lien se refait de lui-même"
	c.line, err = line.New(o)
	return err
}

// receive handles a message of a table.
func (c *Console) receive(topic string, payload []byte, _ bool) {
	if name, what, ok := c.venue.SplitTopic(topic); ok && c.kept.handleMessage(name, what, payload) {
		return
	}
	if c.venue.HandleMessage(time.Now(), topic, payload) {
		c.office.NotifyChanged()
	}
}

// venueRows are the office rows of the tables: tables for the page, and act with tables= (names with a space between them, or *
// for all that are there), act=, and the arguments of the act (package venue). The value of act is the number of the act.
func (c *Console) venueRows() []office.Row {
	return []office.Row{
		{Name: "tables", Role: wire.RoleHost, Show: func(office.Call) any { return c.venue.List() }},
		{Name: "act", Role: wire.RoleOperator, Do: func(_ context.Context, call office.Call) (any, error) {
			c.people.RestartIdleTime(call.Device)
			return c.act(call)
		}},
	}
}

// act sends the commands of an act.
func (c *Console) act(call office.Call) (round int64, err error) {
	tables := strings.Fields(call.Args["tables"])
	if call.Args["tables"] == "*" {
		tables = c.venue.Tables()
	}
	now := time.Now()
	by := c.people.PersonAt(call.Device).Name
	all, round, err := c.venue.Act(now, by, tables, call.Args["act"], call.Args)
	if err != nil {
		return 0, err
	}
	c.opts.Log.Info("an act at tables", "act", call.Args["act"], "by", by, "tables", len(all), "quoi", "un ordre est envoyé à des tables")
	for _, m := range all {
		if !c.line.SendUntil(m.Topic, m.Payload, now.Add(venue.AnswerTime)) {
			c.line.CountTrouble("flood")
		}
	}
	return round, nil
}

// openServer makes the server of the pages.
func (c *Console) openServer() error {
	pages, err := web.Handler(&web.Opts{Base: c.tree.Base(), Table: "venue", Venue: true})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("POST /join", c.Desk)
	mux.Handle("POST /office", c.office)
	mux.HandleFunc("GET /venue.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(wire.VenueSite{V: 1, Now: time.Now().UnixMilli(), Epoch: c.epoch})
	})
	mux.Handle("/", pages)
	ending, end := context.WithCancel(context.Background())
	c.server = &http.Server{Handler: c.door.LimitRequests(c.Network.AllowOnlyOwnNames(mux)), ConnContext: c.door.ConnContext,
		BaseContext:       func(net.Listener) context.Context { return ending },
		ReadHeaderTimeout: door.HeaderWait, IdleTimeout: door.IdleWait, MaxHeaderBytes: door.MaxHeader,
		DisableGeneralOptionsHandler: true, ErrorLog: slog.NewLogLogger(c.opts.Log.Handler(), slog.LevelDebug)}
	c.server.RegisterOnShutdown(end)
	return nil
}

// IssueLinks returns the link of the operators' page, which one device can use once. With replace, all devices that have the page
// lose it.
func (c *Console) IssueLinks(replace bool) (l adminsocket.Links, err error) {
	if replace {
		for _, d := range c.Desk.HostDevices() {
			err = errors.Join(err, c.Desk.EndPhone(wire.Handset{Viewer: engine.Host, N: d.N}))
		}
		if err != nil {
			return l, err
		}
	}
	l = adminsocket.Links{Display: c.Network.URL() + "/venue", NoNetwork: c.Network.HasNoNetwork()}
	l.Host, err = pair.IssueHostLink(c.Desk)
	if errors.Is(err, pair.ErrFull) {
		l.Host, l.Joined, err = l.Display, true, nil
	}
	return l, err
}

// Run serves the pages and keeps the line until ctx ends; it calls ready once the pages are served.
func (c *Console) Run(ctx context.Context, ready func() error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all sync.WaitGroup
	all.Go(func() {
		if err := c.server.Serve(c.door.WrapListener(c.Network.Pages)); !errors.Is(err, http.ErrServerClosed) {
			stop(err)
		}
	})
	all.Go(func() {
		c.admin.Serve(adminsocket.Handlers{Links: c.IssueLinks, NewPIN: c.people.ResetOwnerPIN}, c.opts.Log)
	})
	all.Go(func() { c.people.Run(ctx) })
	all.Go(func() { c.Network.Run(ctx) })
	all.Go(func() { c.door.WatchPressure(ctx, c.opts.Log) })
	c.line.Start()
	all.Go(func() { c.watch(ctx) })
	all.Go(func() { c.kept.run(ctx) })
	err := ready()
	if err == nil {
		_, _ = daemon.SdNotify(false, daemon.SdNotifyReady) // does nothing without systemd
		<-ctx.Done()
	}
	if why := context.Cause(ctx); !errors.Is(why, context.Canceled) {
		err = errors.Join(err, why)
	}
	stop(nil)
	_, _ = daemon.SdNotify(false, daemon.SdNotifyStopping)
	err = errors.Join(err, c.Close())
	all.Wait()
	return err
}

// watchPeriod is the time between two looks at the line and at acts that wait for an answer.
const watchPeriod = 250 * time.Millisecond

// watch tells the venue whether the line is there, and how the time passes, until ctx ends.
func (c *Console) watch(ctx context.Context) {
	tick := time.NewTicker(watchPeriod)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			changed := c.venue.SetOnline(now, c.line.Status().Connected)
			if c.venue.Expire(now) || changed {
				c.office.NotifyChanged()
			}
		}
	}
}

// Close closes what Open has opened, in reverse order. Run calls it at its end.
func (c *Console) Close() error {
	var errs []error
	if c.server != nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		if c.server.Shutdown(ctx) != nil { // a browser reads slowly
			errs = append(errs, c.server.Close())
		}
		cancel()
	}
	if c.line != nil {
		c.line.Close()
	}
	if c.kept != nil && c.kept.store != nil {
		errs = append(errs, c.kept.store.Close())
	}
	if c.Network != nil {
		errs = append(errs, c.Network.Close())
	}
	if c.admin != nil {
		errs = append(errs, c.admin.Close())
	}
	if c.store != nil {
		errs = append(errs, c.store.Close())
	}
	return errors.Join(errs...)
}
