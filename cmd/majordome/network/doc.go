// Package network makes this table reachable: its listeners, the address that phones find, its name by mDNS, its certificate and the
// Wi-Fi of this machine's own. It knows no game.
//
//	n, err := network.Open(opts)         takes all addresses; each that cannot be had is named in the error
//	faults := n.OpenCertificate(folder)  when the folder is there and locked
//	n.AddRoutes(mux)
//	n.Run(ctx)                           follows the addresses, keeps the name, watches the Wi-Fi
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
	// Pages is the address of the pages; MQTT, HTTPS and Home are those of the phones' broker, of the pages by https and of the broker
	// for the devices of the house, "" where there is none.
	Pages, MQTT, HTTPS, Home string
	Name                     string // by mDNS, without .local; "": none
	Settings                 Settings
	Hotspot                  hotspot.Hotspot
	// Changed is called by Run when something that is shown has changed. It must not block.
	Changed func(Change)
	Log     *slog.Logger
}

// Settings may change while a Network runs.
type Settings struct {
	URL     string   // of the pages, as their owner knows it; "": the address of this machine
	Names   []string // more names and addresses by which this table may be asked for
	Metrics []string // addresses and networks for which OnlyLocal opens
}

// Change is what has changed.
type Change int

// Changes.
const (
	AddressChanged Change = iota // where the pages are found
	NameChanged                  // by mDNS
	WiFiChanged                  // of this machine's own
)

// Network holds the listeners and knows the address. Its methods are safe for concurrent use.
type Network struct {
	Pages net.Listener
	MQTT  net.Listener // nil: off; so are HTTPS and Home
	HTTPS net.Listener
	Home  net.Listener
	Own   net.Listener // loopback, for the daemon's own client

	opts     Opts
	settings atomic.Pointer[Settings]
	cert     *cert.Authority // nil: no https
	site     atomic.Pointer[site]
	chosen   netip.Addr             // of site; of the goroutine that looks
	name     atomic.Pointer[string] // by mDNS, with the port; nil: none
	wifi     hotspot.State          // as Run has seen it last
}

// Open takes all addresses. On an error, which names each that cannot be had, nothing stays open.
func Open(o Opts) (*Network, error) {
	n := &Network{opts: o, wifi: o.Hotspot.State()}
	n.Apply(o.Settings)
	var errs []error
	take := func(l *net.Listener, addr, key string) {
		if addr != "" {
			var err error
			*l, err = listenOrWait(addr, key, o.Log)
			errs = append(errs, err)
		}
	}
	take(&n.Pages, o.Pages, "listen")
	take(&n.MQTT, o.MQTT, "mqtt")
	take(&n.Own, "127.0.0.1:0", "loopback")
	take(&n.HTTPS, o.HTTPS, "https")
	take(&n.Home, o.Home, "home")
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	n.updateSite()
	n.warnAbsent()
	return n, nil
}

// Apply takes other settings over.
func (n *Network) Apply(s Settings) { n.settings.Store(&s) }

const (
	// lookEvery is how often the addresses of this machine are asked for: one netlink dump each.
	lookEvery = 2 * time.Second
	// wifiEvery is how often it is looked at whether the Wi-Fi has come or gone: two files of a few bytes in memory.
	wifiEvery = time.Second
)

// Run follows the addresses and the Wi-Fi, and keeps the name, until ctx ends.
func (n *Network) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { n.keepName(ctx) })
	all.Go(func() {
		every(ctx, wifiEvery, func() {
			if n.updateWiFi() {
				n.opts.Changed(WiFiChanged)
			}
		})
	})
	every(ctx, lookEvery, func() {
		if n.updateSite() {
			n.warnAbsent()
			n.opts.Changed(AddressChanged)
		}
	})
}

// updateWiFi reports that the Wi-Fi has come, gone or changed.
func (n *Network) updateWiFi() bool {
	before := n.wifi
	n.wifi = n.opts.Hotspot.State()
	return n.wifi != before
}

// every does something once a period, until ctx ends.
func every(ctx context.Context, period time.Duration, do func()) {
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
	for _, l := range []net.Listener{n.Own, n.MQTT, n.Home, n.HTTPS, n.Pages} {
		if l == nil {
			continue
		}
		if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, fmt.Errorf("network: close %s: %w", l.Addr(), err))
		}
	}
	return errors.Join(errs...)
}
