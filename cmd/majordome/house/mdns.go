package house

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"time"

	"majordome/cmd/majordome/mdns"
)

// The table is found without being searched for: its name in the local network (majordome.local), its address
// under it and the service _http._tcp, by multicast DNS (RFC 6762, RFC 6763), IPv4 and IPv6, on each real interface. Where avahi
// runs it answers for us, being asked by D-Bus: two responders would fight over the name. Else the daemon answers itself.
//
// A name that another machine has gets a number behind it, also later: two established tables may both meet it. So
// codes carry the address, and what is shown as the name is what it really got. With each change of the addresses the name is
// announced anew. It costs a look at the addresses every 2 s, and no packet unless somebody asks.

// avahiEvery is after how many looks it is asked whether avahi runs.
const avahiEvery = 15

// finder keeps a name in the network.
type finder interface {
	// Name is the host name it has now, without .local; false: it has lost it, and is to be begun anew.
	Name() (string, bool)
	// Close says goodbye.
	Close()
}

// places of the network: interfaces with the addresses that phones can use, in their order.
func places(all []iface) (names []string, addrs []net.IP, as string) {
	for _, i := range all {
		has := false
		for _, a := range i.addrs {
			local6 := a.Is6() && a.IsLinkLocalUnicast() // no page has it, but names may lead there
			if k, ok := kind(i.name, a.WithZone("")); i.up && (ok && k < inner || local6 && !inside.MatchString(i.name)) {
				has = true
				if !local6 {
					addrs = append(addrs, a.AsSlice())
				}
			}
		}
		if has {
			names = append(names, i.name)
			as += fmt.Sprint(i.name, i.addrs, ";")
		}
	}
	return names, addrs, as
}

// found is the name by which phones find this machine, with the port of the pages where it is not 80; empty: none.
func (h *House) found() string {
	if name := h.name.Load(); name != nil && !h.Lonely() {
		return *name
	}
	return ""
}

// beFound keeps the name in the network until ctx ends.
func (h *House) beFound(ctx context.Context) {
	tcp, ok := h.pages.Addr().(*net.TCPAddr)
	if h.opts.Config.MDNS == MDNSOff || !ok || tcp.IP.IsLoopback() {
		return
	}
	var (
		now    finder
		where  string
		served bool // by avahi
	)
	defer func() {
		if now != nil {
			now.Close()
		}
	}()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for n := 0; ; n++ {
		ifaces, addrs, as := places(interfaces())
		addrs = slices.DeleteFunc(addrs, func(a net.IP) bool { return !tcp.IP.IsUnspecified() && !a.Equal(tcp.IP) })
		lost := now == nil || !h.still(now, tcp.Port)
		if n%avahiEvery == 0 && served != avahiRuns(ctx) {
			served, lost = !served, true
		}
		if lost || as != where {
			if now != nil {
				now.Close()
			}
			now, where = h.begin(ctx, served, ifaces, addrs, tcp.Port), as
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// still tells the name that f keeps; false: it has lost it.
func (h *House) still(f finder, port int) bool {
	name, ok := f.Name()
	if ok {
		h.called(name, port)
	}
	return ok
}

// begin takes the name; nil: it cannot be had, and is tried again.
func (h *House) begin(ctx context.Context, served bool, ifaces []string, addrs []net.IP, port int) finder {
	if len(addrs) == 0 {
		return nil
	}
	var (
		f   finder
		err error
	)
	if served {
		f, err = newAvahi(ctx, h.opts.Config.MDNS, addrs, port)
	} else {
		f, err = newOwn(h.opts.Config.MDNS, ifaces, port)
	}
	if err != nil {
		h.opts.Log.Debug("no name in the network", "error", err, "conseil", "pas de nom dans le réseau : l’adresse suffit")
		return nil
	}
	return f
}

// called remembers the name, and shows it when it is another one.
func (h *House) called(name string, port int) {
	full := name + ".local"
	if port != 80 {
		full += ":" + strconv.Itoa(port)
	}
	if old := h.name.Swap(&full); old == nil || *old != full {
		h.loop.Refresh()
	}
}

// own answers by itself.
type own struct{ *mdns.Responder }

func newOwn(name string, ifaces []string, port int) (finder, error) {
	r, err := mdns.Start(&mdns.Opts{Name: name, Port: port, Interfaces: ifaces})
	if err != nil {
		return nil, fmt.Errorf("house: %w", err)
	}
	return own{r}, nil
}

// Name is the one that the responder has now; it never gives up.
func (o own) Name() (string, bool) { return o.Responder.Name(), true }
