package network

import (
	"cmp"
	"crypto/tls"
	"net"
	"net/url"
	"strconv"
	"strings"

	"majordome/cmd/majordome/manual"
	"majordome/companion/cert"
	"majordome/companion/wire"
	"majordome/engine"
)

// LoadOrCreateRoot reads the root of this table's certificate from a folder, or creates it, if pages are served by
// https. Without a root, only plain http remains; that is served in any case, and a page sends a phone to https only
// after checking that the phone trusts the root. The findings show the owner a name that does not match.
func (n *Network) LoadOrCreateRoot(folder string) (faults []wire.Finding, err error) {
	if n.HTTPS == nil {
		return nil, nil
	}
	name := cmp.Or(n.opts.Name, "majordome")
	if n.cert, err = cert.LoadOrCreate(folder, name, nil); err != nil {
		n.opts.Log.Error("https is off: the certificate of this table cannot be used", "error", err, "advice", "bring "+
			cert.File+" back, or delete it: each phone then installs another",
			"conseil", "https est coupé : le certificat de cette table ne peut pas servir ; remettez "+
				cert.File+", ou effacez-le : chaque téléphone en installera un autre")
		err = n.HTTPS.Close()
		n.HTTPS = nil
		return nil, err
	}
	n.cert.SetAddresses(allAddresses(listInterfaces()))
	if old := n.cert.Name() + ".local"; n.opts.Name != "" && n.cert.Name() != name { // its root may not sign the new name
		said := wire.Finding{About: "certificate", State: wire.StateWarning, Where: "mdns", Help: manual.PlaceOfFaultKind("certificate"),
			Said: engine.Tf("mdns : le certificat de cette table est au nom de %[1]s ; par https://%[2]s.local les téléphones "+
				"refusent la page, par l’adresse ils l’ouvrent toujours",
				"mdns: the certificate of this table is in the name of %[1]s; by https://%[2]s.local phones refuse the page, "+
					"by the address they open it as before", old, name),
			Fix: engine.Tf("reprenez l’ancien nom, ou effacez %[1]s du dossier des parties et redémarrez : chaque téléphone "+
				"installera le nouveau certificat",
				"take the old name back, or delete %[1]s in the folder of the store and restart: each phone then installs the "+
					"new certificate", cert.File)}
		n.opts.Log.Warn("the certificate of this table is in another name", "certificate", old, "mdns", name, "advice", said.Fix.EN,
			"conseil", said.Said.FR+" ; "+said.Fix.FR)
		faults = append(faults, said)
	}
	return faults, nil
}

// HTTPSPort returns the port of https; 0: none.
func (n *Network) HTTPSPort() int {
	if n.HTTPS == nil {
		return 0
	}
	_, port, _ := net.SplitHostPort(n.HTTPS.Addr().String())
	number, _ := strconv.Atoi(port)
	return number
}

// httpsURL returns the https address of the pages.
func (n *Network) httpsURL() string {
	u, err := url.Parse(n.URL())
	if err != nil { // the configuration was checked
		return ""
	}
	return strings.TrimSuffix("https://"+net.JoinHostPort(u.Hostname(), strconv.Itoa(n.HTTPSPort())), ":443")
}

// NewTLSListener returns an https listener on top of l. It offers no HTTP/2, as WebSocket does not work over it here.
func (n *Network) NewTLSListener(l net.Listener) net.Listener {
	return tls.NewListener(l, &tls.Config{GetCertificate: n.cert.Certificate, MinVersion: tls.VersionTLS12,
		NextProtos: []string{"http/1.1"}})
}
