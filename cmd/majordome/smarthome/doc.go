// Package smarthome connects the table with the programs and devices of the house. They receive only what all players
// see:
//
//   - the owner's own MQTT broker (key uplink),
//   - a broker for lamps, Home Assistant and Node-RED, with accounts that the host creates (key home),
//   - a web address of the owner (key hook),
//   - the broker of a venue of many tables (key venue), which shows this table on its console and gives it the commands
//     of the key venue_rights.
//
// The order of calls:
//
//	s, err := smarthome.Open(opts)   loads the id and the accounts; sends nothing yet
//	err = s.Start()                  starts to connect
//	err = s.Serve(listener)          serves the devices, until Close
//	s.Publish(update)                at each step
//
// The table works without any of them: faults are in the log and in Findings.
package smarthome

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/network"
	"majordome/companion/home"
	"majordome/companion/office"
	"majordome/companion/store"
	"majordome/companion/uplink"
	"majordome/companion/webhook"
	"majordome/companion/wire"
	"majordome/engine"
)

// Opts are the parameters of a SmartHome.
type Opts struct {
	Config  *config.Config
	Network *network.Network
	Store   *store.Store
	Tree    wire.Tree
	Titles  engine.Names // of all games
	Version string
	Demo    bool
	// ExecuteOrder executes the command of a program, if the owner allows commands.
	ExecuteOrder func(by, act string, args engine.Args, reply func(*engine.Reject))
	// CheckWritable returns the reason why nothing may be written to the store now; nil: it may.
	CheckWritable func() error
	// Changed is called when the rows of the office have changed.
	Changed func()
	Log     *slog.Logger
}

// SmartHome holds the connections to the house. Its methods are safe for concurrent use once Start has returned.
type SmartHome struct {
	// Accounts are the accounts of the devices; nil: none are served.
	Accounts *home.Register

	opts       Opts
	id         string       // identifies this table among those of a house
	broker     *home.Broker // for the devices; nil: none are served
	uplink     *uplink.Uplink
	devices    *uplink.Uplink // connection to our own broker
	venue      *uplink.Uplink // nil: there is none
	results    *resultSender  // to the venue; nil if venue is
	stop       context.CancelFunc
	senders    sync.WaitGroup // the goroutine of results
	hook       *webhook.Hook
	lastPublic atomic.Pointer[wire.Update]

	uplinkErr, hookErr, venueErr error // the reason why one of them is nil although the configuration asks for it
}

const (
	// settingID is the key of the table's id in the store.
	settingID = "table.id"
	// brokerFolder is the folder, below the data folder, for the files of our own broker.
	brokerFolder = "mosquitto"
)

// Open loads the id of the table, or generates it at the first start, and the accounts of the devices.
func Open(o Opts) (*SmartHome, error) {
	s := &SmartHome{opts: o}
	var ok bool
	var err error
	if s.id, ok, err = o.Store.Setting(settingID); err == nil && !ok {
		var drawn [8]byte
		_, _ = rand.Read(drawn[:]) // never fails
		s.id = hex.EncodeToString(drawn[:])
		err = o.Store.SetSetting(settingID, s.id)
	}
	if err != nil || o.Network.Home == nil {
		return s, err
	}
	if s.Accounts, err = home.NewRegister(o.Store, o.Tree.Base(), o.Changed); err != nil {
		return nil, err
	}
	s.broker, err = home.New(
		s.Accounts,
		&home.Opts{Folder: filepath.Join(o.Config.Data, brokerFolder), Commands: s.commandHandler("home") != nil,
			Log: o.Log.With("part", config.PartBroker)},
	)
	return s, err
}

// Start starts to publish to the house what all players see.
func (s *SmartHome) Start() error {
	s.startUplink()
	s.startVenue()
	s.startHook()
	return s.connectOwnBroker()
}

// Serve serves the devices of the house, until Close.
func (s *SmartHome) Serve(l net.Listener) error { return s.broker.ServeTCP(l) }

// brokerConnections returns the connections to brokers, without that to the venue.
func (s *SmartHome) brokerConnections() []*uplink.Uplink {
	return slices.DeleteFunc([]*uplink.Uplink{s.uplink, s.devices}, func(u *uplink.Uplink) bool { return u == nil })
}

// allConnections returns the connections to brokers and to the venue.
func (s *SmartHome) allConnections() []*uplink.Uplink {
	if s.venue == nil {
		return s.brokerConnections()
	}
	return append(s.brokerConnections(), s.venue)
}

// Publish sends a step of the game to the house.
func (s *SmartHome) Publish(u *wire.Update) {
	s.lastPublic.Store(u)
	for _, l := range s.allConnections() {
		l.Publish(u)
	}
	if s.results != nil {
		s.results.noteStep(u)
	}
	if s.hook != nil {
		s.hook.Publish(u)
	}
}

// PublishNames publishes the names of the cards and places in the game.
func (s *SmartHome) PublishNames(names engine.Names) {
	for _, l := range s.allConnections() {
		l.PublishNames(names)
	}
}

// OfficeRows returns the rows for the office: the accounts of the devices, if they are served, and whether there are
// other tables.
func (s *SmartHome) OfficeRows() []office.Row { return append(s.accountRows(), s.tablesRow()) }

// Findings returns the current faults.
func (s *SmartHome) Findings() []wire.Finding {
	return slices.Concat(s.hookFindings(), s.uplinkFindings(), s.venueFindings(), s.brokerFindings())
}

// Close closes all connections.
func (s *SmartHome) Close() error {
	if s.results != nil {
		s.stop()
		s.senders.Wait()
	}
	for _, l := range s.allConnections() {
		l.Close()
	}
	if s.hook != nil {
		s.hook.Close()
	}
	if s.broker != nil {
		return s.broker.Close()
	}
	return nil
}

// LinkStatus is the state of one connection to the house.
type LinkStatus struct {
	On        bool // the configuration asks for it
	Connected bool
	Waiting   int // results that the venue has not confirmed
	LeftOut   int // messages that are not sent or received, because the connection broke after them
	Counts    map[string]uint64
}

// Status is the state of all connections. Home.Counts counts refused and disconnected devices.
type Status struct{ Uplink, Home, Venue, Hook LinkStatus }

// Status returns the state of all connections.
func (s *SmartHome) Status() (all Status) {
	all.Uplink, all.Home, all.Venue = uplinkStatusOf(s.uplink), uplinkStatusOf(s.devices), uplinkStatusOf(s.venue)
	all.Uplink.On, all.Home.On, all.Venue.On = s.opts.Config.Uplink != "", s.broker != nil, s.opts.Config.Venue != ""
	if s.results != nil {
		all.Venue.Waiting, _ = s.results.countWaiting(time.Now(), all.Venue.Connected)
	}
	if s.broker != nil {
		all.Home.Counts = s.broker.RefusalCounts()
	}
	if s.hook != nil {
		all.Hook = LinkStatus{On: true, Connected: true, Counts: s.hook.Status().Counts}
	}
	return all
}

func uplinkStatusOf(u *uplink.Uplink) LinkStatus {
	if u == nil {
		return LinkStatus{}
	}
	s := u.Status()
	return LinkStatus{Connected: s.Connected, LeftOut: s.CountLeftOut(), Counts: s.Counts}
}
