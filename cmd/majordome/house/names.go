package house

import (
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"regexp"

	"majordome/companion/web"
	"majordome/engine/ownfile"
)

// maxNames bounds names and metrics in the configuration.
const maxNames = 16

var hostName = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9])?$`)

// names checks the keys names and metrics.
func (k *checker) names(c *Config) {
	for i, n := range c.Names {
		if !isHost(n) {
			k.at(fmt.Sprintf("$.names[%d]", i), ownfile.Bothf("names : mauvais nom « %.80s »", "names: bad name %.80q", n),
				ownfile.Both("un nom ou une adresse sans http:// ni port, comme table.example ou 192.168.1.5", "a name or address without http:// and port, such as table.example or 192.168.1.5"))
		}
	}
	for i, n := range c.Metrics {
		if _, err := network(n); err != nil {
			k.at(fmt.Sprintf("$.metrics[%d]", i), ownfile.Bothf("metrics : mauvaise adresse « %.80s »", "metrics: bad address %.80q", n),
				ownfile.Both("une adresse ou un réseau, comme 192.168.1.5 ou 192.168.1.0/24", "an address or a network, such as 192.168.1.5 or 192.168.1.0/24"))
		}
	}
	for _, l := range []struct {
		key string
		n   int
	}{{"names", len(c.Names)}, {"metrics", len(c.Metrics)}} {
		if l.n > maxNames {
			k.at("$."+l.key+"[0]", ownfile.Bothf("%s : %d entrées", "%s: %d entries", l.key, l.n), ownfile.Bothf("%d au plus", "%d at most", maxNames))
		}
	}
}

// isHost reports that s is an address or can be the name of a machine.
func isHost(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil || hostName.MatchString(s)
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
func hostNames(c Config) web.Names {
	own, _ := os.Hostname() // without a name the addresses remain
	n := web.Names{Own: own, More: c.Names}
	if u, err := url.Parse(c.URL); err == nil && u.Host != "" {
		n.More = append(n.More[:len(n.More):len(n.More)], u.Host)
	}
	return n
}
