package house

import (
	"net/netip"
	"net/url"
	"os"
	"regexp"

	"majordome/companion/web"
)

// maxNames bounds names and metrics in the configuration.
const maxNames = 16

var hostName = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9])?$`)

// isHost reports that s is an address or can be the name of a machine.
func isHost(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil || hostName.MatchString(s)
}

// isNetwork reports that s is an address or a network.
func isNetwork(s string) bool {
	_, err := network(s)
	return err == nil
}

// network reads an address or a network.
func network(s string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(s); err == nil {
		return a.Unmap().WithZone("").Prefix(a.Unmap().BitLen())
	}
	p, err := netip.ParsePrefix(s)
	return p.Masked(), err
}

// hostNames are what this table may be called.
func hostNames(c Config, found func() string) web.Names {
	own, _ := os.Hostname() // without a name the addresses remain
	n := web.Names{Own: own, More: c.Names, Found: found}
	if u, err := url.Parse(c.URL); err == nil && u.Host != "" {
		n.More = append(n.More[:len(n.More):len(n.More)], u.Host)
	}
	return n
}
