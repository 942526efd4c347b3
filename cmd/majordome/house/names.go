package house

import (
	"net/http"
	"net/url"
	"os"
	"sync/atomic"

	"majordome/companion/web"
)

// hostNames are what this table may be called.
func hostNames(c Config, found func() string) web.Names {
	own, _ := os.Hostname() // without a name the addresses remain
	n := web.Names{Own: own, More: c.Names, Found: found}
	if u, err := url.Parse(c.URL); err == nil && u.Host != "" {
		n.More = append(n.More[:len(n.More):len(n.More)], u.Host)
	}
	return n
}

// asked lets those requests through that ask for this table by one of its names, as they are now.
func (h *House) asked(next http.Handler) http.Handler {
	type names struct {
		of *Config
		http.Handler
	}
	var last atomic.Pointer[names]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now, known := h.config(), last.Load()
		if known == nil || known.of != now {
			known = &names{now, hostNames(*now, h.found).Only(next)}
			last.Store(known)
		}
		known.ServeHTTP(w, r)
	})
}
