package house

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// lookEvery is how often the addresses of this machine are asked for: one netlink dump each.
const lookEvery = 2 * time.Second

// iface is one interface of this machine with its addresses.
type iface struct {
	name  string
	up    bool
	addrs []netip.Addr
}

// interfaces asks the system. No interfaces: no network.
func interfaces() (all []iface) {
	list, _ := net.Interfaces()
	for _, i := range list {
		one := iface{name: i.Name, up: i.Flags&net.FlagUp != 0}
		addrs, _ := i.Addrs() // it has just gone
		for _, a := range addrs {
			if n, ok := a.(*net.IPNet); ok {
				if ip, ok := netip.AddrFromSlice(n.IP); ok {
					one.addrs = append(one.addrs, ip.Unmap())
				}
			}
		}
		all = append(all, one)
	}
	return all
}

// inside are interfaces whose network ends in this machine or at its far end of a tunnel: bridges of
// containers and virtual machines, and VPNs. Phones at the table are not on it.
var inside = regexp.MustCompile(`^(docker|br-|veth|virbr|vnet|podman|cni|flannel|cali|lxc|lxd|incus|kube|nerdctl|tun|tap|wg|tailscale|zt|ppp)`)

// Kinds of addresses, the best for phones first.
const (
	lan4   = iota // IPv4 on a real interface
	lan6          // IPv6 likewise, for networks that have nothing else
	self4         // IPv4 that the machine gave itself (RFC 3927): a cable without a router
	inner         // of a bridge or tunnel
	nobody        // nobody but this machine: no network
)

// kind says what an address of the interface called name is good for; ok is false when no page
// can be asked for by it: IPv6 link-local needs a zone that is another one on each phone (RFC 6874).
func kind(name string, a netip.Addr) (k int, ok bool) {
	switch {
	case !a.IsValid() || a.IsUnspecified() || a.IsMulticast() || a.Is6() && a.IsLinkLocalUnicast() || a.IsLoopback():
		return nobody, false
	case inside.MatchString(name):
		return inner, true
	case a.IsLinkLocalUnicast():
		return self4, true
	case a.Is4():
		return lan4, true
	}
	return lan6, true
}

// pick is the address under which phones on the local network reach this machine. The one of before
// stays as long as none is of a better kind. Without a network it is the loopback address.
func pick(all []iface, before netip.Addr) (best netip.Addr, lonely bool) {
	best, of := netip.AddrFrom4([4]byte{127, 0, 0, 1}), nobody
	for _, i := range all {
		for _, a := range i.addrs {
			a = a.WithZone("")
			if k, ok := kind(i.name, a); i.up && ok && (k < of || k == of && a == before) {
				best, of = a, k
			}
		}
	}
	return best, of == nobody
}

// page writes the address of the pages: IPv6 in brackets and without a zone (RFC 3986, 3.2.2), port 80 not at all.
func page(a netip.Addr, port uint16) string {
	return "http://" + strings.TrimSuffix(net.JoinHostPort(a.WithZone("").String(), strconv.Itoa(int(port))), ":80")
}

// site is where the pages are found now.
type site struct {
	url string
	// lonely: phones cannot reach it, for there is no network. absent: the configured address is
	// not one of this machine yet.
	lonely, absent bool
}

// reachable is where phones find the pages: at the configured address, or at the machine's own on the local network.
func reachable(cfg Config, bound net.Addr, all []iface, before netip.Addr) (d site, chosen netip.Addr) {
	tcp, ok := bound.(*net.TCPAddr)
	if !ok {
		return site{url: cmp.Or(cfg.URL, "http://"+bound.String())}, before
	}
	chosen = tcp.AddrPort().Addr().Unmap().WithZone("")
	if chosen.IsUnspecified() {
		chosen, d.lonely = pick(all, before)
	} else {
		d.absent = !chosen.IsLoopback() && !slices.ContainsFunc(all, func(i iface) bool {
			return i.up && slices.ContainsFunc(i.addrs, func(a netip.Addr) bool { return a.WithZone("") == chosen })
		})
	}
	d.url = page(chosen, uint16(tcp.Port))
	if cfg.URL != "" {
		d.url, d.lonely = cfg.URL, false // its owner knows better
	}
	return d, chosen
}

// look finds out where the pages are found, and reports whether that has changed.
func (h *House) look() bool {
	all := interfaces()
	d, chosen := reachable(*h.config(), h.pages.Addr(), all, h.chosen)
	if h.cert != nil {
		h.cert.Serve(ofAll(all))
	}
	h.chosen = chosen
	old := h.site.Swap(&d)
	return old == nil || *old != d
}

// follow shows the links anew whenever the address changes, and says when a configured address is missing.
func (h *House) follow(ctx context.Context) {
	every(ctx, lookEvery, func(time.Time) {
		moved := h.look()
		if moved {
			h.sayAbsent()
		}
		if moved || h.claims.Turned() {
			h.loop.Refresh() // the display's address, the codes on the host's page, and that somebody asks for it
			h.office.Changed()
		}
		if moved && h.opts.Moved != nil {
			h.opts.Moved()
		}
	})
}

func (h *House) sayAbsent() {
	if h.site.Load().absent {
		h.opts.Log.Warn("the address of listen is not one of this machine yet: pages are there as soon as it is",
			"address", h.pages.Addr().String(), "conseil", "l’adresse de listen n’est pas encore à cette machine : les pages y seront dès qu’elle l’aura")
	}
}

// URL is the address that phones reach. Lonely: there is no network yet.
func (h *House) URL() string  { return h.site.Load().url }
func (h *House) Lonely() bool { return h.site.Load().lonely }

// told is what the display says: nothing while nobody could follow it.
func (h *House) told() string {
	if h.Lonely() {
		return ""
	}
	return h.URL()
}

// ipv6Freebind is IPV6_FREEBIND of linux/in6.h.
const ipv6Freebind = 78

// freebind lets an address be taken that the machine does not have yet, because its network comes
// up later than the daemon, or goes for a while (ip(7), IP_FREEBIND): the daemon is ready at once,
// and found there as soon as the address is.
func freebind(network, _ string, c syscall.RawConn) error {
	var err error
	fault := c.Control(func(fd uintptr) {
		if network == "tcp6" {
			err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_IPV6, ipv6Freebind, 1)
		} else {
			err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_IP, syscall.IP_FREEBIND, 1)
		}
	})
	_ = err // an old kernel: then Listen says what it cannot do
	return fault
}
