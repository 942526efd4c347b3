package house

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"

	"majordome/cmd/majordome/manual"
	"majordome/companion/cert"
	"majordome/companion/web"
	"majordome/companion/wire"
	"majordome/engine/ownfile"
)

// The same pages by https, with the certificate of this table (package cert), where the key https says so. Plain http goes
// on beside it: nobody is sent from one to the other but by a page that has found that its phone trusts us.

// openCert reads or makes the root. Without it the table plays by plain http.
func (h *House) openCert() (err error) {
	if h.secure == nil {
		return nil
	}
	name := h.opts.Config.MDNS
	if name == MDNSOff {
		name = "majordome"
	}
	if h.cert, err = cert.Open(h.opts.Config.Data, name, nil); err == nil {
		if h.opts.Config.MDNS != MDNSOff && h.cert.Name() != name {
			h.misnamed(name)
		}
		return nil
	}
	h.opts.Log.Error("https is off: the certificate of this table cannot be used", "error", err, "advice", "bring "+cert.File+" back, or delete it: each phone then installs another",
		"conseil", "https est coupé : le certificat de cette table ne peut pas servir ; remettez "+cert.File+", ou effacez-le : chaque téléphone en installera un autre")
	err = h.secure.Close()
	h.secure = nil
	return err
}

// misnamed says that the name of the table is none that its root can speak for.
func (h *House) misnamed(name string) {
	old := h.cert.Name() + ".local"
	said := wire.SettingFault{Path: "mdns", Help: manual.Of("certificate"), Device: true, // the value is sound
		Said: ownfile.Bothf("mdns : le certificat de cette table est au nom de %[1]s ; par https://%[2]s.local les téléphones refusent la page, par l’adresse ils l’ouvrent toujours", "mdns: the certificate of this table is in the name of %[1]s; by https://%[2]s.local phones refuse the page, by the address they open it as before", old, name),
		Fix:  ownfile.Bothf("reprenez l’ancien nom, ou effacez %[1]s du dossier des parties et redémarrez : chaque téléphone installera le nouveau certificat", "take the old name back, or delete %[1]s in the folder of the store and restart: each phone then installs the new certificate", cert.File)}
	h.opts.Devices = append(slices.Clone(h.opts.Devices), said)
	h.opts.Log.Warn("the certificate of this table is in another name", "certificate", old, "mdns", name, "advice", said.Fix.EN, "conseil", said.Said.FR+" ; "+said.Fix.FR)
}

// securePort is where https is served, 0: nowhere.
func (h *House) securePort() int {
	if h.secure == nil {
		return 0
	}
	at, err := netip.ParseAddrPort(h.secure.Addr().String())
	if err != nil { // a host name that nobody knows yet
		_, port, _ := net.SplitHostPort(h.secure.Addr().String())
		n, _ := strconv.Atoi(port)
		return n
	}
	return int(at.Port())
}

// secureURL is the address of the pages by https.
func (h *House) secureURL() string {
	u, err := url.Parse(h.URL())
	if err != nil { // the configuration was checked
		return ""
	}
	at := "https://" + net.JoinHostPort(u.Hostname(), strconv.Itoa(h.securePort()))
	if h.securePort() == 443 {
		at = at[:len(at)-len(":443")]
	}
	return at
}

// serveTrust lets phones install the root.
func (h *House) serveTrust(mux *http.ServeMux) {
	if h.cert == nil {
		return
	}
	trust := web.Trust(h.cert.Root(), h.secureURL)
	for _, path := range []string{"/trust", "/majordome.crt", "/trusted"} {
		mux.Handle("GET "+path, trust)
	}
}

// serveSecure serves what plain http serves. Without HTTP/2, over which there is no WebSocket here.
func (h *House) serveSecure() error {
	return h.server.Serve(tls.NewListener(h.door.Listen(h.secure), &tls.Config{
		GetCertificate: h.cert.Certificate, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}))
}

// ofAll are the addresses of all interfaces that are up.
func ofAll(all []iface) (addrs []netip.Addr) {
	for _, i := range all {
		if i.up {
			addrs = append(addrs, i.addrs...)
		}
	}
	return addrs
}
