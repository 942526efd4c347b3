// Package smarthome connects the table with the programs and devices of the house. All of them hear what everybody at the table sees, and
// nothing else:
//
//   - the owner's own MQTT broker (key uplink),
//   - a broker for lamps, Home Assistant and Node-RED, with accounts that the host makes (key home),
//   - a web address of the owner's (key hook).
//
// The order of calls:
//
//	s, err := smarthome.Open(opts)   reads what is remembered; nobody hears anything yet
//	err = s.Start()                  begins to call everybody
//	err = s.Serve(listener)          lets the devices in, until Close
//	s.Publish(update)                at each step
//
// The table plays without any of them: what is wrong is in the log and among Troubles.
package smarthome

import (
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"sync/atomic"

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
	// Order does what a program commands, where the owner allows it.
	Order func(by, act string, args engine.Args, reply func(*engine.Reject))
	// Writable returns why nothing may be written to the store now; nil: it may.
	Writable func() error
	// Changed is called when the office shows something else.
	Changed func()
	Log     *slog.Logger
}

// SmartHome is every way by which the house hears the table. Its methods are safe for concurrent use once Start has returned.
type SmartHome struct {
	// Accounts are those of the devices; nil: none are served.
	Accounts *home.Register

	opts    Opts
	id      string       // who this table is among those of a house
	broker  *home.Broker // for the devices; nil: none are served
	uplink  *uplink.Uplink
	devices *uplink.Uplink // to our own broker
	hook    *webhook.Hook
	public  atomic.Pointer[wire.Update]

	uplinkErr, hookErr error // why it is nil though the configuration wants one
}

const (
	// settingID is the key of the table's id in the store.
	settingID = "table.id"
	// brokerFolder, below the data folder, is where our own broker keeps its files.
	brokerFolder = "mosquitto"
)

// Open reads the id of the table, or draws it at its first start, and the accounts of the devices.
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
	s.broker, err = home.New(s.Accounts, &home.Opts{Folder: filepath.Join(o.Config.Data, brokerFolder), Commands: s.obeys("home") != nil, Log: o.Log.With("part", config.PartBroker)})
	return s, err
}

// Start begins to tell everybody in the house what everybody at the table sees.
func (s *SmartHome) Start() error {
	s.openUplink()
	s.openHook()
	return s.joinDevices()
}

// Serve lets the devices of the house in, until Close.
func (s *SmartHome) Serve(l net.Listener) error { return s.broker.ServeTCP(l) }

// lines are the connections to brokers.
func (s *SmartHome) lines() []*uplink.Uplink {
	return slices.DeleteFunc([]*uplink.Uplink{s.uplink, s.devices}, func(u *uplink.Uplink) bool { return u == nil })
}

// Publish tells a step.
func (s *SmartHome) Publish(u *wire.Update) {
	s.public.Store(u)
	for _, l := range s.lines() {
		l.Publish(u)
	}
	if s.hook != nil {
		s.hook.Publish(u)
	}
}

// SetNames tells what the things of the game are called.
func (s *SmartHome) SetNames(names engine.Names) {
	for _, l := range s.lines() {
		l.SetNames(names)
	}
}

// Rows are those of the office: the accounts of the devices, where they are served, and whether there are other tables.
func (s *SmartHome) Rows() []office.Row { return append(s.accountRows(), s.tablesRow()) }

// Troubles are what is not well.
func (s *SmartHome) Troubles() []wire.Finding {
	return slices.Concat(s.hookTroubles(), s.uplinkTroubles(), s.brokerTroubles())
}

// Close ends all of it.
func (s *SmartHome) Close() error {
	for _, l := range s.lines() {
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

// Line is how one of the ways to the house stands.
type Line struct {
	On        bool // the configuration wants it
	Connected bool
	LeftOut   int // messages that are not told or taken, because the connection broke after them
	Counts    map[string]uint64
}

// Status is how all of them stand. Of Home, Counts are the devices that were refused or cut.
type Status struct{ Uplink, Home, Hook Line }

// Status tells how the ways to the house stand.
func (s *SmartHome) Status() (all Status) {
	all.Uplink, all.Home = lineOf(s.uplink), lineOf(s.devices)
	all.Uplink.On, all.Home.On = s.opts.Config.Uplink != "", s.broker != nil
	if s.broker != nil {
		all.Home.Counts = s.broker.Stats()
	}
	if s.hook != nil {
		all.Hook = Line{On: true, Connected: true, Counts: s.hook.Status().Counts}
	}
	return all
}

func lineOf(u *uplink.Uplink) Line {
	if u == nil {
		return Line{}
	}
	s := u.Status()
	return Line{Connected: s.Connected, LeftOut: s.LeftOut(), Counts: s.Counts}
}
