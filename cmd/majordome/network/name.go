package network

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"time"

	"majordome/cmd/majordome/mdns"
)

// Multicast DNS (RFC 6762, RFC 6763) publishes the table's name in the local network (majordome.local), its address and
// the service _http._tcp, on IPv4 and IPv6, on each real interface. If avahi runs, it answers for us, asked by D-Bus:
// two responders would fight over the name. Otherwise the daemon answers.
//
// A name that another machine has gets a number, also later: two running tables may both meet it. So QR codes contain
// the address, and the name that is shown is the one that was really obtained. With each change of the addresses the
// name is announced again. This costs a poll of the addresses every 2 s, and no packet unless another machine asks.

// avahiPollCount is the number of polls of the addresses between two checks whether avahi runs.
const avahiPollCount = 15

// nameService publishes a name in the network.
type nameService interface {
	// Name returns the current host name, without .local; false: the name is lost and must be claimed again.
	Name() (string, bool)
	// Close says goodbye to the network.
	Close()
}

// phoneInterfaces returns the interfaces that phones can reach with their addresses, and a fingerprint that changes
// with them.
func phoneInterfaces(all []iface) (names []string, addrs []net.IP, fingerprint string) {
	for _, i := range all {
		has := false
		for _, a := range i.addrs {
			local6 := a.Is6() && a.IsLinkLocalUnicast() // no page is served at it, but names may lead there
			if k, ok := rankAddress(i.name, a.WithZone("")); i.up && (ok && k < inner || local6 && !innerNames.MatchString(i.name)) {
				has = true
				if !local6 {
					addrs = append(addrs, a.AsSlice())
				}
			}
		}
		if has {
			names = append(names, i.name)
			fingerprint += fmt.Sprint(i.name, i.addrs, ";")
		}
	}
	return names, addrs, fingerprint
}

// MDNSName returns the name with which phones find this machine, with the port of the pages unless it is 80; "": none.
func (n *Network) MDNSName() string {
	if name := n.name.Load(); name != nil && !n.HasNoNetwork() {
		return *name
	}
	return ""
}

// maintainName publishes the name in the network until ctx ends.
func (n *Network) maintainName(ctx context.Context) {
	tcp, ok := n.Pages.Addr().(*net.TCPAddr)
	if n.opts.Name == "" || !ok || tcp.IP.IsLoopback() {
		return
	}
	var (
		now     nameService
		where   string
		byAvahi bool // by avahi
	)
	defer func() {
		if now != nil {
			now.Close()
		}
	}()
	tick := time.NewTicker(addressPollPeriod)
	defer tick.Stop()
	for looks := 0; ; looks++ {
		ifaces, addrs, as := phoneInterfaces(listInterfaces())
		addrs = slices.DeleteFunc(addrs, func(a net.IP) bool { return !tcp.IP.IsUnspecified() && !a.Equal(tcp.IP) })
		lost := now == nil || !n.updateName(now, tcp.Port)
		if looks%avahiPollCount == 0 && byAvahi != isAvahiRunning(ctx) {
			byAvahi, lost = !byAvahi, true
		}
		if lost || as != where {
			if now != nil {
				now.Close()
			}
			now, where = n.startNameService(ctx, byAvahi, ifaces, addrs, tcp.Port), as
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// updateName stores the name that a service publishes, with the port, and calls Opts.Changed if it is new. It returns
// false if the service has lost the name.
func (n *Network) updateName(service nameService, port int) (changed bool) {
	name, ok := service.Name()
	if !ok {
		return false
	}
	full := name + ".local"
	if port != 80 {
		full += ":" + strconv.Itoa(port)
	}
	if old := n.name.Swap(&full); old == nil || *old != full {
		n.opts.Changed(NameChanged)
	}
	return true
}

// startNameService starts to publish the name; nil: that failed and is tried again later.
func (n *Network) startNameService(ctx context.Context, useAvahi bool, ifaces []string, addrs []net.IP, port int) nameService {
	if len(addrs) == 0 {
		return nil
	}
	var (
		service nameService
		err     error
	)
	if useAvahi {
		service, err = newAvahi(ctx, n.opts.Name, addrs, port)
	} else {
		service, err = newOwnResponder(n.opts.Name, ifaces, port)
	}
	if err != nil {
		n.opts.Log.Debug("no name in the network", "error", err, "conseil", "pas de nom dans le réseau : l’adresse suffit")
		return nil
	}
	return service
}

// ownResponder publishes the name with this daemon's own responder.
type ownResponder struct{ *mdns.Responder }

func newOwnResponder(name string, ifaces []string, port int) (nameService, error) {
	r, err := mdns.Start(&mdns.Opts{Name: name, Port: port, Interfaces: ifaces})
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	return ownResponder{r}, nil
}

// Name returns the current name of the responder; it never gives up.
func (o ownResponder) Name() (name string, ok bool) { return o.Responder.Name(), true }
