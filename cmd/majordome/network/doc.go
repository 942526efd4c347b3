// Package network makes this table reachable: its listeners, the address for phones, its mDNS name, its certificate and
// this machine's own Wi-Fi. It knows no game.
//
//	n, err := network.Open(opts)         opens all addresses; the error names each that fails
//	faults := n.OpenCertificate(folder)  when the folder exists and is locked
//	n.AddRoutes(mux)
//	n.Run(ctx)                           follows the addresses, publishes the name, watches the Wi-Fi
//	err = n.Close()
package network

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"majordome/cmd/majordome/network/hotspot"
	"majordome/companion/cert"
)

// Opts are the parameters of a Network.
type Opts struct {
	// Pages is the address of the pages. MQTT, HTTPS and Home are the addresses of the phones' broker, of the pages by
	// https and of the broker for smart-home devices; "" if there is none.
	Pages, MQTT, HTTPS, Home string
	Name                     string // the mDNS name, without .local; "": none
	Settings                 Settings
	Hotspot                  hotspot.Hotspot
	// Changed is called by Run when something that is shown has changed. It must not block.
	Changed func(Change)
	Log     *slog.Logger
}

// Settings are the options that may change while a Network runs.
type Settings struct {
	URL     string   // the URL of the pages that the owner has set; "": the address of this machine
	Names   []string // more names and addresses that requests may use for this table
	Metrics []string // addresses and networks that OnlyLocal also lets in
}

// Change says which part of the Network has changed.
type Change int

// The changes.
const (
	AddressChanged Change = iota // the URL of the pages
	NameChanged                  // the mDNS name
	WiFiChanged                  // this machine's own Wi-Fi
)

// Network holds the listeners and finds the address. Its methods are safe for concurrent use.
type Network struct {
	Pages    net.Listener
	MQTT     net.Listener // nil: off; likewise HTTPS and Home
	HTTPS    net.Listener
	Home     net.Listener
	Loopback net.Listener // loopback, for the daemon's own client

	opts     Opts
	settings atomic.Pointer[Settings]
	cert     *cert.Authority // nil: no https
	site     atomic.Pointer[site]
	pageAddr netip.Addr             // the address in site; only used by the goroutine of updatePageURL
	name     atomic.Pointer[string] // the mDNS name, with the port; nil: none
	wifi     hotspot.State          // as Run last read it
}

// Open opens all addresses. If one fails, the error names each that failed, and nothing stays open.
func Open(o Opts) (*Network, error) {
	n := &Network{opts: o, wifi: o.Hotspot.State()}
	n.ApplySettings(o.Settings)
	var errs []error
	open := func(l *net.Listener, addr, key string) {
		if addr != "" {
			var err error
			*l, err = listenNowOrLater(addr, key, o.Log)
			errs = append(errs, err)
		}
	}
	open(&n.Pages, o.Pages, "listen")
	open(&n.MQTT, o.MQTT, "mqtt")
	open(&n.Loopback, "127.0.0.1:0", "loopback")
	open(&n.HTTPS, o.HTTPS, "https")
	open(&n.Home, o.Home, "home")
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	n.updatePageURL()
	n.warnIfAddressMissing()
	return n, nil
}

// ApplySettings replaces the settings.
func (n *Network) ApplySettings(s Settings) { n.settings.Store(&s) }

const (
	// addressPollPeriod is the time between two polls of this machine's addresses: one netlink dump each.
	addressPollPeriod = 2 * time.Second
	// wifiPollPeriod is the time between two polls of the Wi-Fi: two files of a few bytes in memory.
	wifiPollPeriod = time.Second
)

// Run follows the addresses and the Wi-Fi, and publishes the name, until ctx ends.
func (n *Network) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { n.maintainName(ctx) })
	all.Go(func() {
		callEvery(ctx, wifiPollPeriod, func() {
			if n.updateWiFi() {
				n.opts.Changed(WiFiChanged)
			}
		})
	})
	callEvery(ctx, addressPollPeriod, func() {
		if n.updatePageURL() {
			n.warnIfAddressMissing()
			n.opts.Changed(AddressChanged)
		}
	})
}

// updateWiFi reads the state of the Wi-Fi and reports whether it has changed.
func (n *Network) updateWiFi() (changed bool) {
	before := n.wifi
	n.wifi = n.opts.Hotspot.State()
	return n.wifi != before
}

// ownWifi has the addresses on this machine's own Wi-Fi, as the script of root gives them; the machine's own is the first.
var ownWifi = netip.MustParsePrefix("10.42.0.1/24")

// IsOnOwnWifi reports whether a phone at an address has joined this machine's own Wi-Fi, so that it was given the password. It is
// false for the machine itself and with url or names in the settings, because a proxy would lend its own address to all.
func (n *Network) IsOnOwnWifi(addr netip.Addr) bool {
	return ownWifi.Contains(addr) && addr != ownWifi.Addr() && n.CanRecognizeOwnScreen() && n.opts.Hotspot.State().Name != ""
}

// callEvery calls do once in each period, until ctx ends.
func callEvery(ctx context.Context, period time.Duration, do func()) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do()
		}
	}
}

// Close closes the listeners that are still open.
func (n *Network) Close() error {
	var errs []error
	for _, l := range []net.Listener{n.Loopback, n.MQTT, n.Home, n.HTTPS, n.Pages} {
		if l == nil {
			continue
		}
		if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, fmt.Errorf("network: close %s: %w", l.Addr(), err))
		}
	}
	return errors.Join(errs...)
}
