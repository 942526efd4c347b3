package network

import (
	"cmp"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// iface is one interface of this machine with its addresses.
type iface struct {
	name  string
	up    bool
	addrs []netip.Addr
}

// listInterfaces returns the interfaces of the system. None means no network.
func listInterfaces() (all []iface) {
	list, _ := net.Interfaces()
	for _, i := range list {
		one := iface{name: i.Name, up: i.Flags&net.FlagUp != 0}
		addrs, _ := i.Addrs() // an error: the interface has just gone
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

// innerNames matches interfaces whose network is only inside this machine or a tunnel: bridges of containers and
// virtual machines, and VPNs. Phones at the table cannot reach it.
var innerNames = regexp.MustCompile(
	`^(docker|br-|veth|virbr|vnet|podman|cni|flannel|cali|lxc|lxd|incus|kube|nerdctl|tun|tap|wg|tailscale|zt|ppp)`)

// Kinds of addresses, the best for phones first.
const (
	lan4        = iota // IPv4 on a real interface
	lan6               // IPv6 on a real interface, for networks that have nothing else
	self4              // IPv4 that the machine gave itself (RFC 3927): a cable without a router
	inner              // of a bridge or tunnel
	unreachable        // only this machine can reach it: no network
)

// rankAddress returns how useful an address of the named interface is for phones. ok is false if no page can be
// requested with it: IPv6 link-local needs a zone that differs on each phone (RFC 6874).
func rankAddress(name string, a netip.Addr) (k int, ok bool) {
	switch {
	case !a.IsValid() || a.IsUnspecified() || a.IsMulticast() || a.Is6() && a.IsLinkLocalUnicast() || a.IsLoopback():
		return unreachable, false
	case innerNames.MatchString(name):
		return inner, true
	case a.IsLinkLocalUnicast():
		return self4, true
	case a.Is4():
		return lan4, true
	}
	return lan6, true
}

// choosePhoneAddress returns the address with which phones on the local network reach this machine. The former address
// stays until there is one of a better kind. Without a network it is the loopback address, and noNetwork is true.
func choosePhoneAddress(all []iface, formerAddr netip.Addr) (best netip.Addr, noNetwork bool) {
	best, kind := netip.AddrFrom4([4]byte{127, 0, 0, 1}), unreachable
	for _, i := range all {
		for _, a := range i.addrs {
			a = a.WithZone("")
			if k, ok := rankAddress(i.name, a); i.up && ok && (k < kind || k == kind && a == formerAddr) {
				best, kind = a, k
			}
		}
	}
	return best, kind == unreachable
}

// pageURL formats the URL of the pages: IPv6 in brackets and without a zone (RFC 3986, 3.2.2), port 80 left out.
func pageURL(a netip.Addr, port uint16) string {
	return "http://" + strings.TrimSuffix(net.JoinHostPort(a.WithZone("").String(), strconv.Itoa(int(port))), ":80")
}

// site is the address of the pages.
type site struct {
	url string
	// noNetwork: phones cannot reach it, as there is no network. addressMissing: this machine does not have the
	// configured address yet.
	noNetwork, addressMissing bool
}

// findPageSite finds the address of the pages: the configured url, or one of this machine on the local network for the socket
// bound. chosen is that address; formerAddr the one chosen before.
func findPageSite(url string, bound net.Addr, all []iface, formerAddr netip.Addr) (d site, chosen netip.Addr) {
	tcp, ok := bound.(*net.TCPAddr)
	if !ok {
		return site{url: cmp.Or(url, "http://"+bound.String())}, formerAddr
	}
	chosen = tcp.AddrPort().Addr().Unmap().WithZone("")
	if chosen.IsUnspecified() {
		chosen, d.noNetwork = choosePhoneAddress(all, formerAddr)
	} else {
		d.addressMissing = !chosen.IsLoopback() && !slices.ContainsFunc(all, func(i iface) bool {
			return i.up && slices.ContainsFunc(i.addrs, func(a netip.Addr) bool { return a.WithZone("") == chosen })
		})
	}
	d.url = pageURL(chosen, uint16(tcp.Port))
	if url != "" {
		d.url, d.noNetwork = url, false // the owner's setting wins
	}
	return d, chosen
}

// updatePageURL finds the address of the pages and reports whether it has changed. It also gives the certificate the
// addresses of this machine.
func (n *Network) updatePageURL() (changed bool) {
	all := listInterfaces()
	d, chosen := findPageSite(n.settings.Load().URL, n.Pages.Addr(), all, n.pageAddr)
	if n.cert != nil {
		n.cert.SetAddresses(allAddresses(all))
	}
	n.pageAddr = chosen
	old := n.site.Swap(&d)
	return old == nil || *old != d
}

func (n *Network) warnIfAddressMissing() {
	if n.site.Load().addressMissing {
		n.opts.Log.Warn("the address of listen is not one of this machine yet: pages are there as soon as it is",
			"address", n.Pages.Addr().String(), "conseil",
			"l’adresse de listen n’est pas encore à cette machine : les pages y seront dès qu’elle l’aura")
	}
}

// allAddresses returns the addresses of all interfaces that are up.
func allAddresses(all []iface) (addrs []netip.Addr) {
	for _, i := range all {
		if i.up {
			addrs = append(addrs, i.addrs...)
		}
	}
	return addrs
}

// URL returns the address of the pages. HasNoNetwork reports whether no phone can reach it, because there is no
// network.
func (n *Network) URL() string        { return n.site.Load().url }
func (n *Network) HasNoNetwork() bool { return n.site.Load().noNetwork }

// DisplayURL returns the address that a display shows; "" while no phone could open it.
func (n *Network) DisplayURL() string {
	if n.HasNoNetwork() {
		return ""
	}
	return n.URL()
}

// HomeAddress returns the address of the broker for smart-home devices.
func (n *Network) HomeAddress() string {
	at := n.Home.Addr().String()
	_, port, _ := net.SplitHostPort(at)
	u, err := url.Parse(n.URL())
	if err != nil {
		return at
	}
	return net.JoinHostPort(u.Hostname(), port)
}
