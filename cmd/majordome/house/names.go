package house

import (
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"regexp"

	"majordome/companion/web"
)

// maxNames bounds names in the configuration.
const maxNames = 16

var hostName = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9])?$`)

// names checks the key names.
func (k *checker) names(c *Config) {
	for i, n := range c.Names {
		if _, err := netip.ParseAddr(n); err != nil && !hostName.MatchString(n) {
			k.at(fmt.Sprintf("$.names[%d]", i), sayf("names : mauvais nom « %.80s »", "names: bad name %.80q", n),
				say("un nom ou une adresse sans http:// ni port, comme table.example ou 192.168.1.5", "a name or address without http:// and port, such as table.example or 192.168.1.5"))
		}
	}
	if n := len(c.Names); n > maxNames {
		k.at("$.names[0]", sayf("names : %d entrées", "names: %d entries", n), sayf("%d au plus", "%d at most", maxNames))
	}
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
